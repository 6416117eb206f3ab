"""A stranger with network access: connections and bodies that never end, or too many of them."""

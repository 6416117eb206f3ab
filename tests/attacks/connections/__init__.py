"""A stranger who has the network: connections and bodies that never end, or too many of them."""

"""The app that connects a shop, as `doctor` inspects it."""

"""What operators do with the plugin: install, configure, look at and remove it."""

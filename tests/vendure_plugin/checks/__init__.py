"""The checks of the plugin alone, in Node."""

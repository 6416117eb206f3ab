"""The embed API: what the web component in a page calls."""

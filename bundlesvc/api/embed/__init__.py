"""The embed API, which the web component in a page calls."""

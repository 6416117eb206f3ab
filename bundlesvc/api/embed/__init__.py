"""The embed API, which the web component on a page calls."""

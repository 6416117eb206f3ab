"""The HTML of a bundle for the first paint of a page, rendered by the web component's own modules (docs/first-paint.md)."""

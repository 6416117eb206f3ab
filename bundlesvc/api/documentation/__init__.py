"""The documentation as web pages: the API reference (`/docs`) and the guides (`/docs/guides`)."""

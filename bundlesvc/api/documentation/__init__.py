"""What people read in a browser: the API reference (`/docs`) and the guides (`/docs/guides`)."""

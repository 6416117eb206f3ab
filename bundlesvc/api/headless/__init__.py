"""The main API: routes, handlers, schemas."""

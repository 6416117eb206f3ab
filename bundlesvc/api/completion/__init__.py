"""The endpoint that completes a selection, in the main API and the embed API."""

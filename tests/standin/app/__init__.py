"""The app that connects a shop: its access tokens, its extensions and its webhooks."""

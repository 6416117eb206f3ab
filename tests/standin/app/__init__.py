"""The app that is connected to a shop: its access tokens, its extensions and its webhooks."""

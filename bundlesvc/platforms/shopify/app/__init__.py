"""The app that connects a shop: access scopes, webhook subscriptions, the checkout function."""

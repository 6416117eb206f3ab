"""The app that connects a shop: its access scopes, webhook subscriptions and checkout function, as `doctor` inspects them."""

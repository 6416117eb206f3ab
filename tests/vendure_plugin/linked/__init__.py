"""An engine and a service that know each other: webhooks, orders and reads."""

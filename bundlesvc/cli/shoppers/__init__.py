"""Commands about shoppers: export, erase, subscriptions, stock reminders."""

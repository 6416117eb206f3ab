"""The commands for shoppers: export, erase, subscriptions, stock reminders."""

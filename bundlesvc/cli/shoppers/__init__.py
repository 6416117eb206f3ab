"""The commands that manage shoppers' data: export and erasure, subscriptions, stock reminders."""

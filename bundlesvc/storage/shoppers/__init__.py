"""Storage for shoppers' data: subscriptions, reminders, answers, hashes of visitors, and erasure requests."""

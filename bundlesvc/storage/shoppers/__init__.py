"""Storage for shoppers' data: subscriptions, reminders, answers, hashes of visitor ids, and erasure requests."""

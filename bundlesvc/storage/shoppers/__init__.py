"""Storage for shoppers' data: subscriptions, reminders, answers, hashes of visitor ids, and the platforms' requests about this
data."""

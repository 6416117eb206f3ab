"""Storage of shoppers' data: subscriptions, reminders, answers, hashes of visitors, and requests to erase them."""

"""Storage of shoppers' data: subscriptions, reminders, answers, and requests to erase them."""

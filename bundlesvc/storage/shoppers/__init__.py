"""What is stored of shoppers: subscriptions, reminders, answers, and the requests to erase them."""

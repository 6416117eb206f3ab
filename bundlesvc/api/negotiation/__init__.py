"""Content negotiation: the language and the content coding of a response."""

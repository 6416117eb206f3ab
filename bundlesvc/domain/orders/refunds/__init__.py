"""The value of returned parts of an order."""

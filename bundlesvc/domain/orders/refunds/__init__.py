"""The value of parts of an order that come back."""

"""A bundle as shown in a list: its discount in one sentence, and its from-price."""

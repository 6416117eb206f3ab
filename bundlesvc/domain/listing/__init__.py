"""The offer of a bundle in a list: its discount in a sentence, and its from-price."""

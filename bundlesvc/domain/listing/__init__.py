"""What a list says of a bundle: its discount in a sentence, and its from-price."""

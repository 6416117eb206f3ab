"""Texts for shoppers: translations, amounts, delivery cadences, and characters that may not be in them."""

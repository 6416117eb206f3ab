"""Texts for shoppers: translations, amounts and delivery intervals, and the characters that texts must not contain."""

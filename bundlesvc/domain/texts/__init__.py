"""Texts for shoppers: translations, amounts, delivery intervals, and forbidden characters."""

"""A shop's settings, products, prices, markets and translations, which are read, and its ghost variants, which are written."""

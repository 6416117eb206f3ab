"""Commands for the keys of shops and their use."""

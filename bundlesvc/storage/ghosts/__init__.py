"""Records of ghost variants: in use, promised, due for a check, retired."""

"""Opens and checks a shop's connection to its live platform, and manages its credentials and secrets."""

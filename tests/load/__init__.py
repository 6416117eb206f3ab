"""Load measurements. They are not part of the tests; `scripts/bench` runs them."""

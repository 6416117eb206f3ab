"""An independent source of orders: random promises, carts, checkouts and mishaps, computed with its own arithmetic (exact
fractions). Each order comes with the verdicts that it should get. `python -m tests.orders` judges many of these orders."""

"""What the platform can be asked to do. What it refuses for reasons of business is told in `userErrors`, and nothing is done."""

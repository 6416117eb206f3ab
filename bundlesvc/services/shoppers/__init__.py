"""Services for individual shoppers and their data."""

"""Shops on Vendure: products, stock, prices and languages over its Admin GraphQL API."""

"""Shops on Vendure: products, stock, prices, languages and orders, read through Vendure's Admin GraphQL API."""

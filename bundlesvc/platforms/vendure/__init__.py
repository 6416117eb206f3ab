"""Shops on Vendure: reads products, stock, prices and languages through Vendure's Admin GraphQL API."""

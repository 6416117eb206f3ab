"""Shopify, over its Admin GraphQL API."""

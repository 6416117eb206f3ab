"""Tests of the adapter for Shopify."""

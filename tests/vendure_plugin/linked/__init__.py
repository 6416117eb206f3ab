"""Tests with an engine and a service that are connected to each other: webhooks, orders, outages, and reads of a large bundle."""

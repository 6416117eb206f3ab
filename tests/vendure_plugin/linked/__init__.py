"""Tests of an engine and a service that are connected to each other: webhooks, orders and reads."""

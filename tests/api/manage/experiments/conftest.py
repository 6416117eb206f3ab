"""Fixtures: the service with the embed API's test shop, which has A/B tests."""

from tests.api.embed.conftest import loaded_database, service

__all__ = ["loaded_database", "service"]

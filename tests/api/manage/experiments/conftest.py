"""The service with the shop of the embed API, which has A/B tests."""

from tests.api.embed.conftest import loaded_database, service

__all__ = ["loaded_database", "service"]

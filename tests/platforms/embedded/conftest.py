"""A SQLite or PostgreSQL database with a loaded shop, as in the tests of the stores."""

from tests.storage.conftest import database, kind, platform, settings, shop_files, tenant

__all__ = ["database", "kind", "platform", "settings", "shop_files", "tenant"]

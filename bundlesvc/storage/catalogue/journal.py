"""What else is recorded when the content of a shop is written, always in the same transaction."""

from sqlalchemy import Connection

from bundlesvc.domain.shop import Shop
from bundlesvc.storage.catalogue.shop_differences import Difference
from bundlesvc.storage.database.interface import Database


class Journal:
    """A participant in the writes of a shop, which can record them. This base class records nothing."""

    async def prepare(self, database: Database, shop_id: int, difference: Difference) -> None:
        """Record, in parts, what a large write will replace. Called while the old rows are still in use. The write may still
        fail, so the records must be true even without it. Raises StorageUnavailable."""

    def record(self, connection: Connection, shop_id: int, replaced: Shop | None, difference: Difference) -> bool:
        """Record a write, before its rows change. `replaced` is the shop before the write; None for a new shop. Returns False to
        abandon the write, because what was prepared for it is no longer true. May run more than once; the last run counts."""
        return True


NO_JOURNAL = Journal()

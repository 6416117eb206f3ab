"""Additional records about writes to a shop's content, always stored in the same transaction as the write."""

from sqlalchemy import Connection

from bundlesvc.domain.shop import Shop
from bundlesvc.storage.catalogue.shop_differences import Difference
from bundlesvc.storage.database.interface import Database


class Journal:
    """A participant in writes to a shop. It can store its own records about each write. This base class records nothing."""

    async def prepare(self, database: Database, shop_id: int, difference: Difference) -> None:
        """Record, in batches, which data a large write will replace. Called while the old rows are still in use. The records must
        be correct even if the write then fails. Raises StorageUnavailable."""

    def record(self, connection: Connection, shop_id: int, replaced: Shop | None, difference: Difference) -> bool:
        """Record a write before the shop's rows change. `replaced` is the shop before the write; None for a new shop. Returns
        False if the write must be abandoned because the prepared records are no longer correct. May run more than once; the last
        run counts."""
        return True


NO_JOURNAL = Journal()

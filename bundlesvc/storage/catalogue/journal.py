"""What else is recorded when the content of a shop is written: in the same transaction, or not at all."""

from sqlalchemy import Connection

from bundlesvc.domain.shop import Shop
from bundlesvc.storage.catalogue.shop_differences import Difference
from bundlesvc.storage.database.interface import Database


class Journal:
    """Takes part in the writes of one shop. This one records nothing."""

    async def prepare(self, database: Database, shop_id: int, difference: Difference) -> None:
        """Record in parts what a large write will replace. It is called while the rows in use are the old ones. The write may
        still fail, so what is recorded must also be true without it. Raises StorageUnavailable."""

    def record(self, connection: Connection, shop_id: int, replaced: Shop | None, difference: Difference) -> bool:
        """Record a write, before its rows change. `replaced` is the shop as it was; None for a new one. Returns False to give
        the write up, because what was prepared for it is not true any more. It may run more than once; the last run counts."""
        return True


NO_JOURNAL = Journal()

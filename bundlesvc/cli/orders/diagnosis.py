"""The checks that `bundlesvc doctor` runs on orders."""

from collections.abc import AsyncIterator

from bundlesvc.services.diagnosis.check_result import CheckResult
from bundlesvc.services.orders.diagnosis import OrderDiagnosis
from bundlesvc.storage.catalogue.revision_cache import RevisionCache
from bundlesvc.storage.catalogue.shops import SqlShopStore
from bundlesvc.storage.database.interface import Database
from bundlesvc.storage.orders.orders import SqlOrderStore
from bundlesvc.system import SystemClock


def results(database: Database) -> AsyncIterator[CheckResult]:
    """Check the orders of every shop, and yield the results."""
    return OrderDiagnosis(SqlShopStore(database, RevisionCache()), SqlOrderStore(database), SystemClock()).results()

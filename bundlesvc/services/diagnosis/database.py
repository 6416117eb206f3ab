"""Checks the database, its replica and its files."""

from collections.abc import AsyncIterator, Callable, Mapping

from bundlesvc.domain.errors import StorageFull, StorageLocked, StorageReadOnly, StorageUnavailable
from bundlesvc.ports import LoggedWarnings, ShopStore, TestedDatabase
from bundlesvc.services.diagnosis.check_result import FAULT, NOTE, OK, CheckResult

_STORAGE_REMEDIES: Mapping[type[StorageUnavailable], str] = {
    StorageFull: "Free space on its disk, or enlarge it. `bundlesvc db prune` makes room inside the database.",
    StorageReadOnly: "Let the service's user write the file and its folder; for PostgreSQL, name the primary server.",
    StorageLocked: "Find the program that holds the lock, and end it (`fuser -v` with the file).",
}

FEW_BYTES = 64 * 1024 * 1024
"""Free bytes on the database's disk below which a problem is reported."""


async def check_writing(
    database: TestedDatabase, free_bytes: int | None, warnings: LoggedWarnings
) -> AsyncIterator[CheckResult]:
    """Check that the database can be written to and has room to grow. Yields results only for problems."""
    try:
        await database.try_writing()
    except StorageUnavailable as error:
        reason = "; ".join(warnings.take()) or str(error)
        yield CheckResult(FAULT, "database", f"{reason}.", _STORAGE_REMEDIES.get(type(error), ""))
    if free_bytes is not None and free_bytes < FEW_BYTES:
        sentence = f"the database's disk has {free_bytes // 1024**2} MiB left."
        yield CheckResult(FAULT, "free_space", sentence, _STORAGE_REMEDIES[StorageFull])


async def check_replica(
    primary: ShopStore, replica: ShopStore, cause: Callable[[StorageUnavailable], str]
) -> CheckResult:
    """Check that the read replica responds and has the same shops as the primary server. The service can run without a replica.
    `cause` returns the replica's own error message."""
    shops = {tenant.id: tenant for tenant in await primary.tenants()}
    try:
        copies = {tenant.id: tenant for tenant in await replica.tenants()}
    except StorageUnavailable as error:
        sentence = (
            f"the read replica fails: {cause(error).rstrip('.')}. Shop files are read from the primary server meanwhile"
        )
        return CheckResult(NOTE, "replica", sentence)
    if any(id_ in shops and copy.shop.handle != shops[id_].shop.handle for id_, copy in copies.items()):
        sentence = "the read replica has other shops than the database."
        return CheckResult(FAULT, "replica", sentence, "Name a replica of it in DATABASE_READ_URL, or unset that.")
    old = [
        shop.shop.handle for shop in shops.values() if shop.id not in copies or copies[shop.id].revision < shop.revision
    ]
    if old:
        sentence = (
            f"the read replica has old data of {', '.join(old)}, which are read from the primary server meanwhile"
        )
        return CheckResult(NOTE, "replica", sentence)
    return CheckResult(OK, "replica", "the read replica responds, and has every shop as it is")


def exposed_file(path: str) -> CheckResult:
    """Return the fault for a database file that other users of the host can open."""
    return CheckResult(
        FAULT,
        "file_permissions",
        f"{path}: every user of this host may open it.",
        f"Close it, as its owner: chmod o-rwx {path}",
    )

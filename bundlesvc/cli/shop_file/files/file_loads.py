"""Loads shop files as revisions: merges the changes made in a file since its last load with the changes made by others."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from bundlesvc.cli.revisions.recording import command_act
from bundlesvc.cli.shop_file.files.merging import merger
from bundlesvc.domain.revisions.audit import LOAD
from bundlesvc.domain.revisions.difference import Change
from bundlesvc.domain.revisions.items import Items, changes_between, items_of
from bundlesvc.domain.revisions.loaded_file import LoadedFile, overwritten
from bundlesvc.domain.revisions.refusals import RevisionOutdated
from bundlesvc.domain.revisions.revision import file_source
from bundlesvc.domain.shop import Tenant
from bundlesvc.domain.shop_files.shop_file import ShopFile
from bundlesvc.shop_file.contents import describe
from bundlesvc.shop_file.plain import plain_content
from bundlesvc.storage.access.keys import SqlKeyStore
from bundlesvc.storage.catalogue.shop_files import SqlShopFileStore
from bundlesvc.storage.database.damage import DocumentDamaged
from bundlesvc.storage.database.interface import Database
from bundlesvc.storage.revisions.journal import Publication, RevisionJournal
from bundlesvc.storage.revisions.loaded_files import SqlLoadedFiles
from bundlesvc.storage.revisions.store import SqlRevisionStore

MAX_NAME = 255


@dataclass(frozen=True, slots=True)
class _Plan:
    """The plan for loading a file. With a `base`, the changes made in the file since that base are merged with the changes made
    by others. Without a `base`, the file replaces the shop; if `on` is set, only while that revision is still live."""

    base: Items | None
    on: int | None = None
    tenant: Tenant | None = None


@dataclass(frozen=True, slots=True)
class Loaded:
    """The result of a load: whether it changed anything, and whether it merged the file with the stored shop."""

    changed: bool
    merged: bool


class FileLoads:
    """Loads shop files. Keeps the changes that others have made since a file of the same name was last loaded. Raises
    ShopFileInvalid with the lines of the file that conflict with those changes. With `force`, the file replaces the shop."""

    def __init__(self, database: Database) -> None:
        self._database = database
        self._files = SqlLoadedFiles(database)
        self._revisions = SqlRevisionStore(database, describe)

    async def load(
        self, path: Path, shop_file: ShopFile, base: ShopFile | None = None, *, force: bool = False
    ) -> Loaded:
        """Load a file. With `base`, apply only the differences between `base` and the file. Raises ShopFileInvalid, ShopDeleted,
        StorageUnavailable."""
        while True:  # repeated when somebody else publishes between planning and writing
            plan = await self._plan(path, shop_file, base, force=force)
            try:
                return Loaded(await self._load(path, shop_file, plan), plan.base is not None)
            except RevisionOutdated:
                continue

    async def result(
        self, path: Path, shop_file: ShopFile, base: ShopFile | None = None, *, force: bool = False
    ) -> tuple[ShopFile | None, ShopFile]:
        """Return the stored shop, and the shop that a load would produce. Raises the same errors as `load`."""
        plan = await self._plan(path, shop_file, base, force=force)
        stored = await SqlShopFileStore(self._database).stored(shop_file.shop.handle)
        return stored, shop_file if plan.base is None else merger(path, plan.base, shop_file)(stored)

    async def overwritten(self, path: Path, shop_file: ShopFile) -> Sequence[Change]:
        """Return the changes by others that a load with `force` would undo. Raises StorageUnavailable, DocumentDamaged."""
        plan = await self._plan(path, shop_file, None, force=False)
        stored = await SqlShopFileStore(self._database).stored(shop_file.shop.handle)
        if plan.base is None or stored is None:
            return ()
        live, own = items_of(plain_content(stored)), items_of(plain_content(shop_file))
        return overwritten(changes_between(plan.base, live), changes_between(live, own))

    async def base_of(self, tenant: Tenant, name: str) -> Items | None:
        """Return the content that a file had when it was last loaded, or None when no file of this name has been loaded."""
        last = await self._files.last(tenant, name)
        return None if last is None else last.file.content(await self._items(tenant, last.revision))

    async def _plan(self, path: Path, shop_file: ShopFile, base: ShopFile | None, *, force: bool) -> _Plan:
        try:
            tenant = await SqlKeyStore(self._database).tenant(shop_file.shop.handle)
            if base is not None:
                return _Plan(items_of(plain_content(base)), tenant=tenant)
            return _Plan(None) if tenant is None or force else await self._merged_plan(path, tenant)
        except DocumentDamaged:  # loading repairs it
            return _Plan(None)

    async def _merged_plan(self, path: Path, tenant: Tenant) -> _Plan:
        live = await self._files.live(tenant)
        last = await self._files.last(tenant, _name(path))
        if last is not None:
            if last.revision == live and not last.file.items:
                return _Plan(None, live, tenant)
            return _Plan(last.file.content(await self._items(tenant, last.revision)), tenant=tenant)
        newest = await self._files.newest_of_files(tenant)
        if newest is None or newest.number == live:
            return _Plan(None, live, tenant)
        return _Plan(await self._items(tenant, newest.number), tenant=tenant)

    async def _items(self, tenant: Tenant, revision: int) -> Items:
        return items_of(plain_content((await self._revisions.read(tenant, revision)).shop_file))

    async def _load(self, path: Path, shop_file: ShopFile, plan: _Plan) -> bool:
        file = LoadedFile(_name(path))
        act = command_act(LOAD, file_source(file.name))
        journal = RevisionJournal(Publication(act, LOAD, file=file, on=plan.on), describe)
        store, handle = SqlShopFileStore(self._database, journal), shop_file.shop.handle
        if plan.base is None:
            changed = await store.replace(shop_file)
        else:
            changed = await store.merge(handle, _noting(merger(path, plan.base, shop_file), shop_file, file))
        if not changed and plan.tenant is not None and (live := await self._files.live(plan.tenant)) is not None:
            await self._files.note(plan.tenant, live, file)
        return changed


def _noting(
    merged: Callable[[ShopFile | None], ShopFile], own: ShopFile, file: LoadedFile
) -> Callable[[ShopFile | None], ShopFile]:
    """Wrap a merging function so that it also records how the file differs from the result."""

    def noting(stored: ShopFile | None) -> ShopFile:
        result = merged(stored)
        file.note(items_of(plain_content(result)), items_of(plain_content(own)))
        return result

    return noting


def _name(path: Path) -> str:
    return path.name[-MAX_NAME:]

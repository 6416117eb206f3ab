"""Shop files that are reloaded when they change (`bundlesvc load --watch`)."""

from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from stat import S_ISDIR

from bundlesvc.cli.shop_file.files.file_loads import FileLoads
from bundlesvc.cli.terminal.output import counted
from bundlesvc.domain.shop_files.shop_file import ShopFile
from bundlesvc.shop_file.difference import difference
from bundlesvc.shop_file.loading import ShopFileInvalid, read_shop_file
from bundlesvc.storage.catalogue.generations import ShopDeleted
from bundlesvc.storage.database.damage import DocumentDamaged

POLL_SECONDS = 0.5

MOST_LINES = 50
"""The maximum number of changes to print when a file is loaded."""


class WatchedFiles:
    """Watches shop files, and loads those that have changed since the last call. `find` returns the files that exist now; `loads`
    loads a file into the database."""

    def __init__(self, find: Callable[[], Sequence[Path]], loads: FileLoads) -> None:
        self._find = find
        self._loads = loads
        self._stamps: dict[Path, object] = {}
        self._shops: dict[Path, str] = {}

    async def follow(self) -> list[str]:
        """Load the files that changed since the last call. Returns the lines to print. Raises StorageUnavailable."""
        lines: list[str] = []
        for path, stamp in self._changed():
            if stamp is None and path in self._shops:
                lines.append(f"{path}: this file is gone; the shop {self._shops.pop(path)} stays as it is.")
            else:
                lines += await self._load(path)
            self._stamps[path] = stamp
        return lines

    def _changed(self) -> Iterator[tuple[Path, object]]:
        """Yield the files whose stamp (see `_stamp`) has changed since the last call, each with its new stamp, or with None if
        the file is gone."""
        for path in dict.fromkeys((*self._find(), *self._stamps)):
            stamp = _stamp(path)
            if path not in self._stamps or stamp != self._stamps[path]:
                yield path, stamp

    async def _load(self, path: Path) -> list[str]:
        try:
            shop_file = read_shop_file(path)
        except ShopFileInvalid as invalid:
            return [*str(invalid).splitlines(), f"{path}: nothing was loaded."]
        handle = shop_file.shop.handle
        if first := next((other for other, shop in self._shops.items() if shop == handle and other != path), None):
            return [f"{path}: the shop {handle} is described in {first}, too; nothing was loaded."]
        self._shops[path] = handle
        return await _replace(self._loads, path, shop_file)


async def _replace(loads: FileLoads, path: Path, shop_file: ShopFile) -> list[str]:
    handle = shop_file.shop.handle
    try:
        changes = await _changes(loads, path, shop_file)
        await loads.load(path, shop_file)
    except ShopFileInvalid as conflicts:
        return [*str(conflicts).splitlines(), f"{path}: nothing was loaded."]
    except ShopDeleted:
        return [f"{handle}: the shop was deleted meanwhile; nothing of it is stored."]
    if not changes:
        return [f"{handle}: nothing changed."]
    more = [f"  … and {len(changes) - MOST_LINES:,} more"] if len(changes) > MOST_LINES else []
    number = counted(len(changes), "change")
    return [f"{handle}: loaded, {number}", *(f"  {change}" for change in changes[:MOST_LINES]), *more]


async def _changes(loads: FileLoads, path: Path, shop_file: ShopFile) -> list[str]:
    """Describe what a load will change. A damaged shop, which the load repairs, is described as if it were new."""
    try:
        return difference(*await loads.result(path, shop_file))
    except DocumentDamaged:
        return difference(None, shop_file)


def _stamp(path: Path) -> object:
    """Return a value that changes with every modification, even when an editor replaces the file; None for a missing file or a
    folder."""
    try:
        found = path.stat()
    except OSError:
        return None
    return None if S_ISDIR(found.st_mode) else (found.st_mtime_ns, found.st_size, found.st_ino)

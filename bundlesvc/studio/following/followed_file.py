"""A shop file that is watched: on each change it is read, linted, and loaded into the database that the studio shows."""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import NamedTuple

from bundlesvc.domain.revisions.finding import Finding
from bundlesvc.domain.revisions.plain import dotted
from bundlesvc.domain.shop_files.shop_file import ShopFile
from bundlesvc.shop_file.contents import named_path
from bundlesvc.shop_file.lint import remarks_about
from bundlesvc.shop_file.lint.findings import ERROR, SEVERITIES, Code
from bundlesvc.shop_file.loading import ShopFileInvalid, parse_shop_file, parse_with_lines, read_bytes
from bundlesvc.shop_file.tree import ParsedFile

SHOP = "preview"
"""The handle of the shop in the database, whatever its handle in the file."""

EMPTY = parse_shop_file(b"shop: {handle: preview, currency: EUR, headlessEnabled: true}", Path("empty.yaml"))

LIVE_SHOP = "The products of this shop are on a live platform. The preview shows shops whose products are in the file."

Load = Callable[[ShopFile], Awaitable[None]]


class FileFinding(NamedTuple):
    """A finding with its line in the file. `line` is None when the line is unknown."""

    line: int | None
    finding: Finding


@dataclass(frozen=True, slots=True)
class FileState:
    """The findings in the file as it is now, and whether this state of the file has been loaded. `number` increases with each
    change; `saved_at` is the modification time of the file, in seconds since 1970, or None when there is no file."""

    number: int
    findings: Sequence[FileFinding]
    is_current: bool
    saved_at: float | None


class _Stamp(NamedTuple):
    """Attributes of a file, at least one of which changes whenever the file changes."""

    time: int
    size: int
    file: int


class FollowedFile:
    """Watches a shop file. `load` loads its content into the service."""

    def __init__(self, path: Path, load: Load) -> None:
        self.path = path
        self.state = FileState(0, (), is_current=False, saved_at=None)
        self.closed = False
        self._load = load
        self._stamp: _Stamp | int | None = None
        self._changed = asyncio.Condition()

    async def follow(self) -> None:
        """Read the file if it has changed since the last call."""
        stamp = _stamp(self.path)
        if stamp == self._stamp:
            return
        findings, shop_file = await asyncio.to_thread(_read, self.path)
        if shop_file is not None:
            await self._load(shop_file)
        self._stamp = stamp
        saved_at = stamp.time / 1e9 if isinstance(stamp, _Stamp) else None
        state = FileState(self.state.number + 1, findings, shop_file is not None, saved_at)
        await self._show(state, closed=self.closed)

    async def close(self) -> None:
        """End all iterations over `states`."""
        await self._show(self.state, closed=True)

    async def states(self, patience: float) -> AsyncIterator[FileState | None]:
        """Yield the state of the file, and its new state after each change. Yields None when the state has not changed for
        `patience` seconds."""
        seen = -1
        while not self.closed:
            try:
                async with asyncio.timeout(patience):
                    state = await self._other_than(seen)
            except TimeoutError:
                yield None
            else:
                if state.number != seen:
                    seen = state.number
                    yield state

    async def _other_than(self, seen: int) -> FileState:
        """Wait until `state.number` differs from `seen`, and return the state. Once the file is closed, return the current state
        without waiting."""
        async with self._changed:
            await self._changed.wait_for(lambda: self.closed or self.state.number != seen)
            return self.state

    async def _show(self, state: FileState, *, closed: bool) -> None:
        async with self._changed:
            self.state, self.closed = state, closed
            self._changed.notify_all()


def _stamp(path: Path) -> _Stamp | int | None:
    """Return the attributes that show whether a file has changed, or the error number if they cannot be read."""
    try:
        found = path.stat()
    except OSError as error:
        return error.errno
    return _Stamp(found.st_mtime_ns, found.st_size, found.st_ino)


def _read(path: Path) -> tuple[list[FileFinding], ShopFile | None]:
    """Read a file. Returns its findings and the shop to show; the shop is None when the file cannot be loaded."""
    try:
        parsed, shop_file = parse_with_lines(read_bytes(path), path)
    except ShopFileInvalid as invalid:
        return [_invalid(fault.line, fault.path, fault.message) for fault in invalid.faults], None
    findings = _linted(parsed, shop_file)
    if shop_file.shop.settings is None:
        return [_invalid(None, "shop.platform", LIVE_SHOP), *findings], None
    return findings, replace(shop_file, shop=replace(shop_file.shop, handle=SHOP, headless_enabled=True))


def _linted(parsed: ParsedFile, shop_file: ShopFile) -> list[FileFinding]:
    """Lint the file. Returns the findings in the order of their lines, with paths in the form that revisions use."""
    found = []
    for remark in remarks_about(parsed.tree, shop_file):
        path = dotted(named_path(parsed.tree, remark.path))
        finding = Finding(path, remark.code.value, remark.severity, remark.message, remark.code.hint)
        found.append(FileFinding(parsed.line_of(remark.path), finding))
    return sorted(found, key=lambda each: (each.line or 0, SEVERITIES.index(each.finding.severity)))


def _invalid(line: int | None, path: str, message: str) -> FileFinding:
    return FileFinding(line, Finding(path, Code.INVALID.value, ERROR, message, ""))

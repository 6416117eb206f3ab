"""`bundlesvc load`: loads shop files into the database."""

import asyncio
import sys
from collections.abc import Awaitable, Sequence
from contextlib import suppress
from pathlib import Path
from typing import NoReturn

import click

from bundlesvc.cli.opening import with_database
from bundlesvc.cli.output import counted, fail, inventory
from bundlesvc.cli.revisions.recording import file_journal
from bundlesvc.cli.shop_file.file_progress import file_progress
from bundlesvc.cli.shop_file.merging import merger
from bundlesvc.cli.shop_file.named_files import files_of
from bundlesvc.cli.shop_file.watched_files import POLL_SECONDS, WatchedFiles
from bundlesvc.domain.shop_files.shop_file import ShopFile
from bundlesvc.printable import printable
from bundlesvc.shop_file.difference import difference
from bundlesvc.shop_file.loading import FileFault, ShopFileInvalid, read_shop_file
from bundlesvc.storage.catalogue.generations import ShopDeleted
from bundlesvc.storage.catalogue.shop_files import SqlShopFileStore
from bundlesvc.storage.database import Database


@click.command()
@click.argument("paths", metavar="FILE…", nargs=-1, required=True, type=click.Path(path_type=Path))
@click.option("--dry-run", is_flag=True, help="Check the files and print what would change; change nothing.")
@click.option("--base", metavar="FILE", type=click.Path(path_type=Path),
              help="Load only what the file changes since this older one, and keep what others have changed.")  # fmt: skip
@click.option("--watch", is_flag=True, help="Load each file again when it changes, until Ctrl-C; for development.")
def load(paths: tuple[Path, ...], *, dry_run: bool, base: Path | None, watch: bool) -> None:
    """Load shop files into the database.

    A file is YAML or JSON and describes one shop. A folder stands for its files *.json, *.yaml and *.yml, in the order of their
    names.

    All files are checked before anything is written, and each shop is changed at once. Loading the same file again changes
    nothing. A running server shows the new data within two seconds. With --watch a file with faults is reported, and loaded
    once they are fixed.

    A file replaces the whole shop. With --base the changes between the base and the file are merged, field by field, with what
    the shop has by now; when both have changed something differently, it is reported with its line, and nothing is loaded.
    """
    if watch:
        if dry_run or base is not None:
            raise click.UsageError("--watch excludes --dry-run and --base.")
        _watch(paths)
        return
    if base is not None:
        _merge(paths, base, dry_run=dry_run)
        return
    files = files_of(paths)
    shop_files = _read_all(files)

    async def use(database: Database) -> None:
        for path, shop_file in zip(files, shop_files, strict=True):
            handle = shop_file.shop.handle
            store = SqlShopFileStore(database, file_journal(path))
            if dry_run:
                _print_changes(handle, difference(await store.stored(handle), shop_file))
            else:
                await _replace(store, shop_file)

    with_database(use)


def _merge(paths: Sequence[Path], base: Path, *, dry_run: bool) -> None:
    """Load what one file changes since its base."""
    files = files_of(paths)
    if len(files) != 1:
        raise click.UsageError("--base takes one shop file.")
    (path,) = files
    before, after = _read_all([base])[0], _read_all([path])[0]
    handle = after.shop.handle
    if before.shop.handle != handle:
        fail(f"{base} describes the shop {before.shop.handle}, and {path} describes {handle}.")
    merged = merger(path, before, after)

    async def use(database: Database) -> None:
        store = SqlShopFileStore(database, file_journal(path))
        if dry_run:
            stored = await store.stored(handle)
            _print_changes(handle, difference(stored, merged(stored)))
        else:
            await _write(handle, store.merge(handle, merged), "merged the changes of the file")

    try:
        with_database(use)
    except ShopFileInvalid as error:
        _fail_with(str(error).splitlines())


async def _replace(store: SqlShopFileStore, shop_file: ShopFile) -> None:
    await _write(shop_file.shop.handle, store.replace(shop_file), f"loaded {_inventory(shop_file)}")


async def _write(handle: str, writing: Awaitable[bool], done: str) -> None:
    """Wait for a write of the shop, and print what it has done, or that nothing changed."""
    try:
        changed = await writing
    except ShopDeleted:
        fail(
            f"{handle} was deleted while its file was loaded; nothing of it is stored. Load the file again to have the shop."
        )
    except asyncio.CancelledError:  # Ctrl-C
        fail(f"interrupted. The shop {handle} is as before, or as its file says; load the file again.")
    _say(f"{handle}: {done}." if changed else f"{handle}: nothing changed.")


def _watch(paths: Sequence[Path]) -> None:
    async def use(database: Database) -> None:
        files = WatchedFiles(lambda: files_of(paths), lambda path: SqlShopFileStore(database, file_journal(path)))
        while True:
            for line in await files.follow():
                _say(line)
            await asyncio.sleep(POLL_SECONDS)

    with suppress(KeyboardInterrupt):
        with_database(use)


def _read_all(files: Sequence[Path]) -> list[ShopFile]:
    """The shops of all files. If there are faults, prints all of them and ends the command."""
    shop_files: list[ShopFile] = []
    faults: list[str] = []
    described: dict[str, Path] = {}
    for path in files:
        try:
            shop_file = _read(path)
        except ShopFileInvalid as error:
            faults.extend(str(error).splitlines())
        else:
            handle = shop_file.shop.handle
            if first := described.get(handle):
                faults.append(f"{path}: the shop {handle} is described in {first}, too.")
            described.setdefault(handle, path)
            shop_files.append(shop_file)
    if faults:
        _fail_with(faults)
    return shop_files


def _fail_with(faults: Sequence[str]) -> NoReturn:
    for fault in faults:
        _say(fault)
    _say(f"{counted(len(faults), 'fault')}; nothing was loaded.")
    sys.exit(1)


def _read(path: Path) -> ShopFile:
    if path.is_dir():
        fault = FileFault(str(path), None, "", "There is no file *.json, *.yaml or *.yml in this folder.")
        raise ShopFileInvalid(path, [fault])
    with file_progress(path) as progress:
        return read_shop_file(path, progress)


def _print_changes(handle: str, changes: list[str]) -> None:
    if not changes:
        click.echo(f"{handle}: nothing would change.")
        return
    click.echo(f"{handle}: {counted(len(changes), 'change')}")
    for change in changes:
        click.echo(f"  {printable(change)}")


def _inventory(shop_file: ShopFile) -> str:
    counts = {
        "products": len(shop_file.products),
        "bundles": len(shop_file.bundles),
        "markets": len(shop_file.markets),
        "experiments": len(shop_file.experiments),
    }
    return inventory(counts, "a shop")


def _say(line: str) -> None:
    click.echo(printable(line), err=True)

"""`bundlesvc load`: loads shop files into the database."""

import asyncio
import signal
import sys
from collections.abc import Awaitable, Callable, Sequence
from contextlib import suppress
from pathlib import Path
from typing import NoReturn

import click

from bundlesvc.cli.environment.database import with_database
from bundlesvc.cli.shop_file.files.file_loads import FileLoads
from bundlesvc.cli.shop_file.files.file_progress import file_progress
from bundlesvc.cli.shop_file.files.merging import shown
from bundlesvc.cli.shop_file.files.named_files import files_of
from bundlesvc.cli.shop_file.files.watched_files import POLL_SECONDS, WatchedFiles
from bundlesvc.cli.terminal.output import counted, fail, inventory
from bundlesvc.domain.revisions.difference import Change
from bundlesvc.domain.revisions.plain import dotted
from bundlesvc.domain.shop_files.shop_file import ShopFile
from bundlesvc.printable import printable
from bundlesvc.shop_file.difference import difference
from bundlesvc.shop_file.loading import FileFault, ShopFileInvalid, read_shop_file
from bundlesvc.storage.catalogue.generations import ShopDeleted
from bundlesvc.storage.database.damage import DocumentDamaged
from bundlesvc.storage.database.interface import Database


@click.command()
@click.argument("paths", metavar="FILE…", nargs=-1, required=True, type=click.Path(path_type=Path))
@click.option("--dry-run", is_flag=True, help="Check the files and print what would change; change nothing.")
@click.option("--base", metavar="FILE", type=click.Path(path_type=Path),
              help="Load only what the file changes since this older one, and keep what others have changed.")  # fmt: skip
@click.option(
    "--force", is_flag=True, help="Replace the whole shop, and print the changes of others that the file undoes."
)
@click.option("--watch", is_flag=True, help="Load each file again when it changes, until Ctrl-C; for development.")
def load(paths: tuple[Path, ...], *, dry_run: bool, base: Path | None, force: bool, watch: bool) -> None:
    """Load shop files into the database.

    A file is YAML or JSON and describes one shop. A folder stands for the *.json, *.yaml and *.yml files in it, sorted by name.

    All files are checked before anything is written, and each shop is changed atomically. Loading the same file again changes
    nothing. A running server shows the new data within two seconds. With --watch, a file with faults is reported, and is loaded
    once the faults are fixed.

    A load creates a revision, and publishes it. Changes that others have made since a file of this name was last loaded are kept,
    and are merged with the changes in the file, field by field. Conflicts are reported with their lines, and the file is not
    loaded. With --base, the changes between another file and this file are merged into the shop. With --force, the file replaces
    the whole shop.
    """
    if force and base is not None:
        raise click.UsageError("--force cannot be combined with --base.")
    if watch:
        if dry_run or force or base is not None:
            raise click.UsageError("--watch cannot be combined with --dry-run, --base or --force.")
        _watch(paths)
        return
    if base is not None:
        _merge(paths, base, dry_run=dry_run)
        return
    files = files_of(paths)
    shop_files = _read_all(files)

    async def use(database: Database) -> None:
        loads = FileLoads(database)
        for path, shop_file in zip(files, shop_files, strict=True):
            if force:
                _print_overwritten(shop_file.shop.handle, await _overwritten(loads, path, shop_file))
            await _load(loads, path, shop_file, dry_run=dry_run, force=force)

    _run(use)


def _merge(paths: Sequence[Path], base: Path, *, dry_run: bool) -> None:
    """Load the changes between a base file and one shop file."""
    files = files_of(paths)
    if len(files) != 1:
        raise click.UsageError("--base takes one shop file.")
    (path,) = files
    before, after = _read_all([base])[0], _read_all([path])[0]
    handle = after.shop.handle
    if before.shop.handle != handle:
        fail(f"{base} describes the shop {before.shop.handle}, and {path} describes {handle}.")
    _run(lambda database: _load(FileLoads(database), path, after, before, dry_run=dry_run))


def _run(use: Callable[[Database], Awaitable[None]]) -> None:
    """Run a function that loads files. When a file conflicts with the stored shop, print every conflict and end the command."""
    try:
        with_database(use)
    except ShopFileInvalid as error:
        _say_all(str(error).splitlines())
        _say(
            f"{counted(len(error.faults), 'fault')}; {error.path} was not loaded. `bundlesvc pull` brings the changes of others "
            "into it, and --force overwrites them."
        )
        sys.exit(1)


async def _load(
    loads: FileLoads,
    path: Path,
    shop_file: ShopFile,
    base: ShopFile | None = None,
    *,
    dry_run: bool,
    force: bool = False,
) -> None:
    """Load a file, and print what was done, or that nothing changed. With `dry_run`, only print what would change."""
    handle = shop_file.shop.handle
    if dry_run:
        _print_changes(handle, difference(*await loads.result(path, shop_file, base, force=force)))
        return
    try:
        loaded = await loads.load(path, shop_file, base, force=force)
    except ShopDeleted:
        fail(
            f"{handle} was deleted while its file was loaded; nothing of it is stored. Load the file again to have the shop."
        )
    except asyncio.CancelledError:  # Ctrl-C
        fail(f"interrupted. The shop {handle} is as before, or as its file says; load the file again.")
    done = "merged the changes of the file" if loaded.merged else f"loaded {_inventory(shop_file)}"
    _say(f"{handle}: {done}." if loaded.changed else f"{handle}: nothing changed.")


async def _overwritten(loads: FileLoads, path: Path, shop_file: ShopFile) -> Sequence[Change]:
    """Return the changes by others that a forced load undoes. Returns no changes for a damaged shop, which the load repairs."""
    try:
        return await loads.overwritten(path, shop_file)
    except DocumentDamaged:
        return ()


def _print_overwritten(handle: str, changes: Sequence[Change]) -> None:
    if not changes:
        return
    _say(f"{handle}: overwrites {counted(len(changes), 'change')} of others:")
    for change in changes:
        before, after = shown(change.before), shown(change.after)
        _say(f"  {dotted(change.path)}: the shop has {before}, the file {after}.")


def _watch(paths: Sequence[Path]) -> None:
    async def use(database: Database) -> None:
        files = WatchedFiles(lambda: files_of(paths), FileLoads(database))
        while True:
            for line in await files.follow():
                _say(line)
            await asyncio.sleep(POLL_SECONDS)

    signal.signal(signal.SIGINT, signal.default_int_handler)  # shells start background commands with SIGINT ignored
    with suppress(KeyboardInterrupt):
        with_database(use)


def _read_all(files: Sequence[Path]) -> list[ShopFile]:
    """Read the shops from all files. If there are faults, prints all of them and ends the command."""
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


def _say_all(lines: Sequence[str]) -> None:
    for line in lines:
        _say(line)


def _fail_with(faults: Sequence[str]) -> NoReturn:
    _say_all(faults)
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

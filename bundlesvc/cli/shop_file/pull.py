"""`bundlesvc pull`: merges changes that others have made in the service into shop files."""

import difflib
import os
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path

import click

from bundlesvc.cli.environment.database import with_database
from bundlesvc.cli.shop_file.files.file_loads import FileLoads
from bundlesvc.cli.shop_file.files.merging import conflict_faults
from bundlesvc.cli.shop_file.files.named_files import files_of
from bundlesvc.cli.terminal.output import counted, fail_unknown_shop
from bundlesvc.domain.revisions.items import Items, content_of, items_of
from bundlesvc.domain.revisions.merge import merge
from bundlesvc.domain.shop_files.shop_file import ShopFile
from bundlesvc.printable import printable
from bundlesvc.shop_file.editing.file import edited_file
from bundlesvc.shop_file.loading import FileFault, ShopFileInvalid, parse_shop_file, read_bytes
from bundlesvc.shop_file.plain import plain_content, read_content
from bundlesvc.storage.access.keys import SqlKeyStore
from bundlesvc.storage.catalogue.shop_files import SqlShopFileStore
from bundlesvc.storage.database.interface import Database


@click.command()
@click.argument("paths", metavar="FILE…", nargs=-1, required=True, type=click.Path(path_type=Path))
@click.option("--dry-run", is_flag=True, help="Print the lines that would change; change nothing.")
@click.option("--force", is_flag=True, help="Where both sides have changed the same part, keep the service's version.")
def pull(paths: tuple[Path, ...], *, dry_run: bool, force: bool) -> None:
    """Merge changes by others into shop files.

    Only the lines that differ change: comments, order, quotation marks and blank lines are kept. Changes in the file that have
    not been loaded yet are kept, too. If these changes conflict with changes that others have made since the file was last
    loaded, each conflict is reported with its line, and the file is not changed.
    """
    files = files_of(paths)
    faults: list[str] = []
    for path in files:
        try:
            _pull(path, dry_run=dry_run, force=force)
        except ShopFileInvalid as error:
            faults += str(error).splitlines()
    for fault in faults:
        click.echo(printable(fault), err=True)
    if faults:
        sys.exit(1)


def _pull(path: Path, *, dry_run: bool, force: bool) -> None:
    """Merge the changes made by others into a shop file. Raises ShopFileInvalid."""
    data = read_bytes(path)
    own = parse_shop_file(data, path)
    handle = own.shop.handle

    async def use(database: Database) -> tuple[ShopFile | None, Items | None]:
        stored = await SqlShopFileStore(database).stored(handle)
        tenant = await SqlKeyStore(database).tenant(handle)
        return stored, None if tenant is None else await FileLoads(database).base_of(tenant, path.name)

    stored, base = with_database(use)
    if stored is None:
        fail_unknown_shop(handle)
    changed = edited_file(data, path, _merged(path, base or items_of(plain_content(own)), stored, own, force=force))
    lines = _changed_lines(path, data, changed)
    if dry_run:
        click.echo("".join(lines), nl=False)
    elif lines:
        _write(path, changed)
    count = sum(line[0] in "+-" for line in lines[2:])
    click.echo(f"{path}: {counted(count, 'changed line') if count else 'nothing changed'}.", err=True)


def _merged(path: Path, base: Items, live: ShopFile, own: ShopFile, *, force: bool) -> dict[str, object]:
    """Return the content that the file will have. Raises ShopFileInvalid when the changes in the service and in the file
    conflict."""
    found = merge(content_of(base), plain_content(live), plain_content(own))
    if found.conflicts and not force:
        raise ShopFileInvalid(path, conflict_faults(path, found.conflicts))
    shop_file, faults = read_content(found.content)
    if shop_file is None:
        reasons = (FileFault(str(path), None, ".".join(map(str, fault.path)), fault.message) for fault in faults)
        raise ShopFileInvalid(path, reasons)
    return plain_content(shop_file)


def _changed_lines(path: Path, before: bytes, after: bytes) -> Sequence[str]:
    """Return the lines that differ, as a unified diff."""
    old, new = (data.decode("utf-8-sig").splitlines(keepends=True) for data in (before, after))
    return list(difflib.unified_diff(old, new, str(path), str(path)))


def _write(path: Path, data: bytes) -> None:
    """Replace the file atomically, keeping its permissions. A symbolic link stays a link."""
    target = path.resolve()
    with tempfile.NamedTemporaryFile(dir=target.parent, prefix=f".{target.name}.", delete=False) as file:
        file.write(data)
        file.flush()
        os.fsync(file.fileno())
    Path(file.name).chmod(target.stat().st_mode & 0o777)
    Path(file.name).replace(target)

"""`bundlesvc diff`: prints how a shop file differs from the stored shop."""

from pathlib import Path

import click

from bundlesvc.cli.environment.database import with_database
from bundlesvc.cli.revisions.revisions import print_differences
from bundlesvc.cli.terminal.output import fail_unknown_shop
from bundlesvc.domain.revisions.items import changes_between, items_of
from bundlesvc.domain.revisions.sentences import sentence
from bundlesvc.services.revisions.reading import Difference
from bundlesvc.shop_file.loading import ShopFileInvalid, read_shop_file
from bundlesvc.shop_file.plain import plain_content
from bundlesvc.storage.catalogue.shop_files import SqlShopFileStore


@click.command()
@click.argument("file", type=click.Path(path_type=Path))
@click.option("--json", "as_json", is_flag=True, help="Print one line of JSON.")
def diff(file: Path, *, as_json: bool) -> None:
    """Compare a shop file with the stored shop.

    Prints what loading the file with --force would change. A load without --force keeps changes made by others; to see what such
    a load would change, run `load --dry-run`.
    """
    try:
        shop_file = read_shop_file(file)
    except ShopFileInvalid as invalid:
        raise click.ClickException(str(invalid)) from invalid
    handle = shop_file.shop.handle
    stored = with_database(lambda database: SqlShopFileStore(database).stored(handle))
    if stored is None:
        fail_unknown_shop(handle)
    before, after = (items_of(plain_content(each)) for each in (stored, shop_file))
    differences = [Difference(each, sentence(each, before, after)) for each in changes_between(before, after)]
    print_differences(differences, as_json=as_json)

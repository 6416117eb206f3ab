"""`bundlesvc export`: prints a stored shop as a shop file."""

import json

import click
import yaml

from bundlesvc.cli.environment.database import with_database
from bundlesvc.cli.terminal.output import fail_unknown_shop
from bundlesvc.shop_file.plain import plain_content
from bundlesvc.storage.catalogue.shop_files import SqlShopFileStore

_FIRST_LINE = "# yaml-language-server: $schema=shop.schema.json\n"
_WIDTH = 120


@click.command()
@click.argument("handle")
@click.option("--format", "format_", type=click.Choice(["yaml", "json"]), default="yaml", show_default=True,
              help="Both can be loaded again.")  # fmt: skip
def export(handle: str, format_: str) -> None:
    """Print a stored shop as a shop file.

    The file contains the current state of the shop, including stock and prices changed since the last load, but no comments.
    Loading it changes nothing. To edit the shop without undoing what others change in the meantime, use the export as the base:

    \b
      bundlesvc export demo > base.yaml && cp base.yaml shop.yaml
      bundlesvc load shop.yaml --base base.yaml     # after your changes
    """
    stored = with_database(lambda database: SqlShopFileStore(database).stored(handle))
    if stored is None:
        fail_unknown_shop(handle)
    content = plain_content(stored)
    if format_ == "json":
        click.echo(json.dumps(content, ensure_ascii=False, indent=2))
    else:
        text = yaml.safe_dump(content, sort_keys=False, allow_unicode=True, width=_WIDTH)
        click.echo(_FIRST_LINE + text, nl=False)

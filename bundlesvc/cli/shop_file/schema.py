"""`bundlesvc schema`: prints the JSON Schema of shop files."""

import click

from bundlesvc.shop_file.json_schema import schema_text


@click.command()
def schema() -> None:
    """Print the JSON Schema of shop files.

    Editors use it to complete and check a shop file. `bundlesvc init` writes it next to the first file. After an upgrade of
    bundlesvc, write it again: bundlesvc schema > shop.schema.json
    """
    click.echo(schema_text(), nl=False)

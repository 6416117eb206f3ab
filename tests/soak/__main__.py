"""Runs one process of the service, using SQLite and Redis and serving an embedded shop and two live shops, under every kind of
stress at the same time: more requests than it can handle, platform failures, Redis restarts, webhooks, loads, key changes, slow
clients and idle connections. In the second half, kills the process every minute (kill -9). Finally prints which promises hold.

Exits with status 1 if a promise is broken."""

import sys
import tempfile
from pathlib import Path

import click

from tests.soak.plan import long_plan
from tests.soak.promises import table
from tests.soak.soak import soak


@click.command(help=__doc__)
@click.option("--minutes", default=10.0, show_default=True, type=click.FloatRange(1), help="How long it takes.")
def main(minutes: float) -> None:
    with tempfile.TemporaryDirectory() as folder:
        rows = soak(long_plan(minutes), Path(folder), lambda text: click.echo(text, err=True))
    for line in table(rows):
        click.echo(line)
    sys.exit(not all(row.kept for row in rows))


if __name__ == "__main__":
    main(prog_name="scripts/soak")

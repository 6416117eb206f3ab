"""`bundlesvc db check`: finds damage in the stored data."""

import sys
from dataclasses import asdict

import click
import orjson

from bundlesvc.cli.environment.database import fail_without_file, with_database
from bundlesvc.cli.terminal.output import counted, fail
from bundlesvc.printable import printable
from bundlesvc.settings.environment import Settings
from bundlesvc.storage.maintenance.integrity import Finding, check_integrity


@click.command()
@click.option("--json", "as_json", is_flag=True, help="Print one line of JSON.")
def check(*, as_json: bool) -> None:
    """Check that all stored data can be read and is consistent.

    Checks that the SQLite file and the references between rows are valid; that documents, amounts and stored responses can be
    read; and that ghost variants are consistent. The command reads every row in one snapshot, even while the service is running,
    and changes nothing. The exit status is 1 if something is wrong.
    """
    fail_without_file(Settings.from_environment(), "check")
    findings = with_database(check_integrity)
    if as_json:
        click.echo(orjson.dumps([asdict(finding) for finding in findings]))
        sys.exit(bool(findings))
    for finding in findings:
        click.echo(printable(_line(finding)))
    if findings:
        fail(f"{counted(len(findings), 'finding')}. Stop the service, and restore the last backup without any.")
    click.echo("Nothing is wrong.")


def _line(finding: Finding) -> str:
    if not finding.rows:
        return f"{finding.table}: {finding.message}"
    keys = [", ".join(f"{name} {value}" for name, value in example.items()) for example in finding.examples]
    more = "; …" if finding.rows > len(keys) else ""
    return f"{finding.table}: {counted(finding.rows, 'row')}: {finding.message} ({'; '.join(keys)}{more})"

"""`bundlesvc lint`: finds mistakes in shop files."""

import sys
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, replace
from pathlib import Path

import click
import orjson

from bundlesvc.cli.shop_file.files.file_progress import file_progress
from bundlesvc.cli.shop_file.files.named_files import files_of
from bundlesvc.cli.terminal.output import inventory
from bundlesvc.shop_file.lint import lint_file
from bundlesvc.shop_file.lint.findings import ERROR, NOTE, SEVERITIES, WARNING, Finding


@click.command()
@click.argument("files", metavar="FILE…", nargs=-1, required=True, type=click.Path(path_type=Path))
@click.option("--format", "format_", type=click.Choice(["text", "json", "github"]), default="text", show_default=True,
              help="github prints workflow annotations.")  # fmt: skip
def lint(files: tuple[Path, ...], format_: str) -> None:
    """Find mistakes in valid shop files.

    Finds, for example, rules that no selection meets, discounts that take off the whole price or never apply, sections that the
    stock cannot fill, and missing translations. docs/lint.md lists all checks. A folder stands for the *.json, *.yaml and *.yml
    files in it. The command needs no database. The exit status is 1 if there are errors, and 0 if there are only warnings and
    notes.
    """
    findings = [_printable(finding) for path in files_of(files) for finding in _lint(path)]
    for line in _FORMATS[format_](findings):
        click.echo(line)
    click.echo(_summary(findings), err=True)
    sys.exit(any(finding.severity == ERROR for finding in findings))


def _lint(path: Path) -> list[Finding]:
    with file_progress(path) as progress:
        return lint_file(path, progress)


def _printable(finding: Finding) -> Finding:
    """Make the file name of a finding printable, because it may contain bytes that are not valid text."""
    return replace(finding, file=click.format_filename(finding.file))


def _text(findings: Sequence[Finding]) -> list[str]:
    return [f"{_place(finding)}: {finding.severity}: {_sentence(finding)}" for finding in findings]


def _place(finding: Finding) -> str:
    return finding.file if finding.line is None else f"{finding.file}:{finding.line}"


def _sentence(finding: Finding) -> str:
    path = f"{finding.path}: " if finding.path else ""
    return f"{path}{finding.message} ({finding.hint})"


def _json(findings: Sequence[Finding]) -> list[str]:
    """Format all findings as one line of JSON."""
    return [orjson.dumps([asdict(finding) for finding in findings]).decode()]


def _github(findings: Sequence[Finding]) -> list[str]:
    """Format findings as workflow commands, which GitHub shows next to the lines of a pull request."""
    return [
        f"::{_COMMANDS[finding.severity]} {_properties(finding)}::{_escaped(_sentence(finding), _DATA)}"
        for finding in findings
    ]


def _properties(finding: Finding) -> str:
    properties = {"file": finding.file, "line": finding.line, "title": finding.code}
    return ",".join(f"{name}={_escaped(str(value), _PROPERTY)}" for name, value in properties.items() if value)


_COMMANDS = {ERROR: "error", WARNING: "warning", NOTE: "notice"}
_DATA = {"%": "%25", "\r": "%0D", "\n": "%0A"}
_PROPERTY = {**_DATA, ":": "%3A", ",": "%2C"}
_FORMATS: Mapping[str, Callable[[Sequence[Finding]], list[str]]] = {"text": _text, "json": _json, "github": _github}


def _escaped(text: str, escapes: Mapping[str, str]) -> str:
    return "".join(escapes.get(character, character) for character in text)


def _summary(findings: Sequence[Finding]) -> str:
    found = Counter(finding.severity for finding in findings)
    return inventory({f"{severity}s": found[severity] for severity in SEVERITIES}, "clean")

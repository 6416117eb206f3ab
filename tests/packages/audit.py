"""Looks up all locked packages in the public databases of known vulnerabilities, and prints a summary for each lock file.

Exits with status 1 when a package has a known vulnerability. A database that cannot be reached is reported, but is a failure only
with --strict."""

import json
import shutil
import subprocess
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import click

ROOT = Path(__file__).parents[2]
_TIMEOUT = 180
_PIP = (sys.executable, "-m", "pip_audit", "--disable-pip", "--progress-spinner=off", "--format=json", "-r")
_NPM = ("npm", "audit", "--package-lock-only", "--json")


@dataclass(frozen=True)
class Audit:
    """The result of an audit. `missing` lists why packages could not be audited, one line per reason."""

    audited: int = 0
    vulnerabilities: Sequence[str] = ()
    missing: Sequence[str] = ()


@click.command(help=__doc__)
@click.option("--strict", is_flag=True, help="Fail when a package could not be looked up, too.")
def main(*, strict: bool) -> None:
    failed = False
    for name, audit in _audits():
        click.echo(summary(name, audit))
        failed = failed or bool(audit.vulnerabilities) or (strict and bool(audit.missing))
    sys.exit(failed)


def summary(name: str, audit: Audit) -> str:
    """Summarise an audit in human-readable form. Reasons why packages could not be audited come first, so that they are not
    overlooked."""
    lines = [f"{name}: NOT AUDITED: {reason}" for reason in audit.missing]
    if audit.audited:
        lines.append(f"{name}: {audit.audited} packages audited, {len(audit.vulnerabilities)} known vulnerabilities")
    return "\n".join([*lines, *(f"  {vulnerability}" for vulnerability in audit.vulnerabilities)])


def _audits() -> Iterator[tuple[str, Audit]]:
    for lock in ("requirements.lock", "tests/requirements.lock"):
        yield lock, read_pip_audit(*_run([*_PIP, lock], ROOT))
    yield "tests/package-lock.json", read_npm_audit(*_run(_NPM, ROOT / "tests"))


def _run(command: Sequence[str], folder: Path) -> tuple[str, str]:
    """Run an audit program. Returns its standard output and standard error; the exit status is ignored, because it is 1 for
    findings as well as for failures."""
    if shutil.which(command[0]) is None:
        return "", f"there is no {command[0]} on the PATH"
    try:
        done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False, timeout=_TIMEOUT)
    except subprocess.TimeoutExpired:
        return "", f"no response within {_TIMEOUT} s"
    return done.stdout, done.stderr


def read_pip_audit(output: str, errors: str) -> Audit:
    """Read the findings in pip-audit's JSON document, or the error that it printed instead."""
    document = _parsed(output)
    if document is None:
        return Audit(missing=[_last_line(errors)])
    packages = document["dependencies"]
    skipped = [package for package in packages if "skip_reason" in package]
    found = [
        f"{package['name']} {package['version']}: {known['id']}, fixed in {', '.join(known['fix_versions']) or 'no version yet'}"
        for package in packages
        for known in package.get("vulns", ())
    ]
    missing = [f"{len(skipped)} of {len(packages)} packages; {skipped[0]['skip_reason']}"] if skipped else []
    return Audit(len(packages) - len(skipped), found, missing)


def read_npm_audit(output: str, errors: str) -> Audit:
    """Read the findings in npm's JSON document, or the error that npm printed when the registry could not be reached."""
    document = _parsed(output)
    if document is None or "vulnerabilities" not in document:
        return Audit(missing=[(document or {}).get("message") or _last_line(errors)])
    found = [f"{name} {entry['range']}: {entry['severity']}" for name, entry in document["vulnerabilities"].items()]
    return Audit(document["metadata"]["dependencies"]["total"], found)


def _parsed(output: str) -> dict[str, Any] | None:
    try:
        document = json.loads(output)
    except ValueError:
        return None
    return document if isinstance(document, dict) else None


def _last_line(errors: str) -> str:
    return (errors.strip().splitlines() or ["no output"])[-1]


if __name__ == "__main__":
    main(prog_name="scripts/audit")

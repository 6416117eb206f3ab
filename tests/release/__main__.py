"""Builds the sdist, the wheel and the npm packages, lists the locked packages (CycloneDX), and writes checksums.

The same commit produces the same bytes on every machine: all timestamps are SOURCE_DATE_EPOCH, by default the time of the
commit."""

import hashlib
import os
import sys
import tempfile
from pathlib import Path

import click

from tests.packages.npm import PackagesUnavailable
from tests.release.bill_of_materials import list_packages
from tests.release.npm_package import pack
from tests.release.plugin_package import pack_plugin
from tests.release.python_package import build
from tests.release.source import ROOT, ReleaseError, copy_source

CHECKSUMS = "SHA256SUMS"


@click.command(help=__doc__)
@click.option(
    "--out", type=click.Path(path_type=Path), default=ROOT / "dist", help="Folder to write to. Default: dist."
)
@click.option("--uncommitted", is_flag=True, help="Release the files as they are, with changes that are not committed.")
def main(out: Path, *, uncommitted: bool) -> None:
    os.umask(0o022)  # the modes of files in the packages depend on it
    try:
        release(out, uncommitted=uncommitted)
    except (ReleaseError, PackagesUnavailable) as error:
        sys.exit(f"Nothing was released: {error}")


def release(out: Path, *, uncommitted: bool) -> None:
    """Write all release files into a folder, or none of them. Raises ReleaseError and PackagesUnavailable."""
    with tempfile.TemporaryDirectory() as folder:
        built = Path(folder, "built")
        built.mkdir()
        _say("Copying the source …")
        source = copy_source(Path(folder, "source"), uncommitted=uncommitted)
        _say(f"Building sdist and wheel of {source.commit} …")
        build(source, built)
        _say("Packing the npm package …")
        pack(source, built)
        _say("Packing the plugin for Vendure …")
        pack_plugin(source, built)
        _say("Listing the locked packages …")
        list_packages(source, built)
        out.mkdir(parents=True, exist_ok=True)
        files = sorted(built.iterdir())
        for file in files:
            (out / file.name).write_bytes(file.read_bytes())
    sums = [f"{hashlib.sha256((out / file.name).read_bytes()).hexdigest()}  {file.name}\n" for file in files]
    (out / CHECKSUMS).write_text("".join(sums))
    _say(f"Wrote {len(files)} files and {CHECKSUMS} to {out}:")
    sys.stdout.writelines(sums)


def _say(text: str) -> None:
    click.echo(text, err=True)


if __name__ == "__main__":
    main(prog_name="scripts/release")

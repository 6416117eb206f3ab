"""Builds the sdist and the wheel."""

import gzip
import io
import sys
import tarfile
from pathlib import Path

from tests.release.source import Source, run


def build(source: Source, out: Path) -> None:
    """Build the sdist, and the wheel from it, so that both contain the same files. Needs no network, but the build backend pinned
    in pyproject.toml must be installed."""
    environment = {**source.environment, "PYTHONDONTWRITEBYTECODE": "1"}
    command = [sys.executable, "-m", "build", "--no-isolation", "--outdir", str(out), "."]
    run(command, source.folder, environment)
    (sdist,) = out.glob("*.tar.gz")
    sdist.write_bytes(_same_everywhere(sdist, source.epoch))


def _same_everywhere(sdist: Path, epoch: int) -> bytes:
    """Repack the archive without the data that differs between machines: times, owners, modes and order. Wheels need no
    repacking, because they contain no such data."""
    packed = io.BytesIO()
    with (
        tarfile.open(sdist) as before,
        gzip.GzipFile("", "wb", fileobj=packed, mtime=epoch) as stream,
        tarfile.open(fileobj=stream, mode="w", format=tarfile.PAX_FORMAT) as after,
    ):
        for member in sorted(before.getmembers(), key=lambda member: member.name):
            member.mtime, member.uid, member.gid, member.uname, member.gname = epoch, 0, 0, "", ""
            member.mode = 0o755 if member.isdir() or member.mode & 0o100 else 0o644
            member.pax_headers = {}
            after.addfile(member, before.extractfile(member) if member.isreg() else None)
    return packed.getvalue()

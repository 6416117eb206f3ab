"""The source of a release: a copy of the committed files that is identical on every machine."""

import os
import re
import shutil
import subprocess
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).parents[2]
_TIMEOUT = 300
_SHOWN = 5
"""The maximum number of changed files that an error lists."""


class ReleaseError(Exception):
    """Raised when the release cannot be built. The message says why, and what to do."""


@dataclass(frozen=True)
class Source:
    """A copy of the source tree. `epoch` is the time of every file in the release: seconds since 1970, UTC."""

    folder: Path
    commit: str
    epoch: int

    @property
    def environment(self) -> Mapping[str, str]:
        """The environment of the programs that build the release."""
        return {**os.environ, "SOURCE_DATE_EPOCH": str(self.epoch), "TZ": "UTC", "LC_ALL": "C.UTF-8"}

    @property
    def version(self) -> str:
        """The version of the copy. It is read from the copied file, because an import would find the version of the running
        code."""
        text = (self.folder / "bundlesvc" / "__init__.py").read_text("utf-8")
        found = re.search(r'^__version__ = "(.+)"$', text, re.MULTILINE)
        if found is None:
            raise ReleaseError("bundlesvc/__init__.py has no line with __version__. Add it.")
        return found[1]


def copy_source(folder: Path, *, uncommitted: bool = False) -> Source:
    """Copy the files that git tracks or would add. Raises ReleaseError if any of them is uncommitted, unless `uncommitted` is
    set."""
    changed = _git("status", "--porcelain").splitlines()
    if changed and not uncommitted:
        names = ", ".join(line[3:] for line in changed[:_SHOWN]) + (" …" if len(changed) > _SHOWN else "")
        raise ReleaseError(
            f"{names} differ from the commit. Commit them, or pass --uncommitted to release them as they are."
        )
    for name in filter(None, _git("ls-files", "-z", "--cached", "--others", "--exclude-standard").split("\0")):
        if (ROOT / name).exists():
            _copy(ROOT / name, folder / name)
    given = os.environ.get("SOURCE_DATE_EPOCH") or _git("log", "-1", "--format=%ct")
    return Source(folder, _git("describe", "--always", "--dirty").strip(), int(given))


def _copy(file: Path, copy: Path) -> None:
    """Copy a file. Symbolic links stay links. The mode of the copy depends only on whether the owner may execute the file."""
    copy.parent.mkdir(parents=True, exist_ok=True)
    shutil.copyfile(file, copy, follow_symlinks=False)
    if not copy.is_symlink():
        copy.chmod(0o755 if os.access(file, os.X_OK) else 0o644)


def _git(*arguments: str) -> str:
    return run(["git", *arguments], ROOT, os.environ)


def run(command: Sequence[str], folder: Path, environment: Mapping[str, str]) -> str:
    """Run a program, and return its standard output. If it fails, raises ReleaseError with the end of its output."""
    if shutil.which(command[0]) is None:
        raise ReleaseError(f"there is no {command[0]} on the PATH. Install it.")
    try:
        done = subprocess.run(
            command, cwd=folder, env=environment, capture_output=True, text=True, check=False, timeout=_TIMEOUT
        )
    except subprocess.TimeoutExpired as error:
        raise ReleaseError(f"{command[0]} did not end within {_TIMEOUT} s.") from error
    if done.returncode:
        output = "\n".join((done.stdout + done.stderr).strip().splitlines()[-20:])
        raise ReleaseError(f"{' '.join(command[:4])} failed:\n{output}")
    return done.stdout

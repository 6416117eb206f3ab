"""Node, which runs the client's JavaScript in tests."""

import re
import shutil
import subprocess

from tests.missing import missing

OLDEST = 18
"""The first version with `node:test`."""


def require_node() -> str:
    """The path of Node. Without one tests are skipped, but where CI is set they fail: there they must run."""
    path = shutil.which("node")
    version = _major_version(path) if path else 0
    if path and version >= OLDEST:
        return path
    found = f"node {version} is too old" if path else "there is no node on the PATH"
    missing(f"{found}: tests of the client module need Node {OLDEST} or newer")


def _major_version(path: str) -> int:
    said = subprocess.run([path, "--version"], capture_output=True, text=True, check=False, timeout=30).stdout
    found = re.match(r"v(\d+)\.", said)
    return int(found[1]) if found else 0

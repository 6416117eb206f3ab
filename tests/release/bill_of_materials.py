"""The list of the locked packages with which the service runs, as CycloneDX JSON."""

import json
import sys
import tomllib
from pathlib import Path
from typing import Any

from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

from tests.release.source import Source, run

_LOCK = "requirements.lock"


def list_packages(source: Source, out: Path) -> None:
    """List the packages from the lock file, with their versions, addresses and hashes, in a file in the folder `out`. Raises
    ReleaseError."""
    command = [sys.executable, "-m", "cyclonedx_py", "requirements", _LOCK, "--pyproject", "pyproject.toml"]
    bill = json.loads(run([*command, "--output-reproducible"], source.folder, source.environment))
    _complete_root(bill, source)
    for component in bill["components"]:
        del component["description"]  # it repeats the line of the lock file, with all hashes
    (out / f"bundlesvc-{source.version}.cdx.json").write_text(
        json.dumps(bill, indent=2, sort_keys=True) + "\n", "utf-8"
    )


def _complete_root(bill: dict[str, Any], source: Source) -> None:
    """Add the data that the tool cannot read: the version, which is dynamic in pyproject.toml, and the direct dependencies."""
    root = bill["metadata"]["component"]
    root |= {"version": source.version, "purl": f"pkg:pypi/bundlesvc@{source.version}"}
    project = tomllib.loads((source.folder / "pyproject.toml").read_text("utf-8"))["project"]
    direct = {canonicalize_name(Requirement(text).name) for text in project["dependencies"]}
    needed = sorted(part["bom-ref"] for part in bill["components"] if part["name"] in direct)
    next(entry for entry in bill["dependencies"] if entry["ref"] == root["bom-ref"])["dependsOn"] = needed

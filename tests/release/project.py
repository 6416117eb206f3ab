"""A developer's project that contains the npm package, installed from the tarball that `scripts/release` builds."""

import os
import subprocess
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from tests.packages.npm import require_packages
from tests.release.npm_package import pack
from tests.release.source import copy_source
from tests.storefront.node import require_node

_TIMEOUT = 300
_INSTALL = ("npm", "install", "--offline", "--ignore-scripts", "--no-audit", "--no-fund", "--legacy-peer-deps")


@dataclass(frozen=True)
class Project:
    """A folder whose `node_modules` contains the npm package and the packages that it needs."""

    folder: Path
    node: str

    @property
    def package(self) -> Path:
        return self.folder / "node_modules" / "@bundlesvc" / "storefront"

    def write(self, files: Mapping[str, str]) -> None:
        for name, text in files.items():
            path = self.folder / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, "utf-8")

    def run(self, *command: str, environment: Mapping[str, str] = {}) -> subprocess.CompletedProcess[str]:
        """Run a Node program. The result contains the program's standard output and standard error combined."""
        return subprocess.run(
            [self.node, *command],
            cwd=self.folder,
            env={**os.environ, **environment},
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            check=False,
            timeout=_TIMEOUT,
        )

    def module(self, name: str) -> str:
        """Return the path of a file in an installed package."""
        return str(self.folder / "node_modules" / name)


def new_project(folder: Path, modules: Path | None = None) -> Project:
    """Pack the package, and install it together with the packages of `modules`, by default those of `tests/package.json`. Without
    Node or npm, the test is skipped, or fails if `CI` is set."""
    node, modules = require_node(), modules or require_packages()
    packed, project = folder / "packed", folder / "project"
    packed.mkdir()
    project.mkdir()
    pack(copy_source(folder / "source", uncommitted=True), packed)
    (project / "package.json").write_text('{"type": "module"}')
    (tarball,) = packed.iterdir()
    subprocess.run([*_INSTALL, str(tarball)], cwd=project, capture_output=True, check=True, timeout=_TIMEOUT)
    _link(modules, project / "node_modules")
    return Project(project, node)


def _link(modules: Path, into: Path) -> None:
    """Link all packages in one folder, including scoped packages, into another folder."""
    for package in modules.iterdir():
        if package.name.startswith("@"):
            (into / package.name).mkdir(exist_ok=True)
            _link(package, into / package.name)
        elif not package.name.startswith("."):
            (into / package.name).symlink_to(package)

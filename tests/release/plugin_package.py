"""The npm package of the plugin for Vendure, with compiled sources."""

import json
import shutil
from pathlib import Path

from tests.packages.npm import install_packages
from tests.release.source import ROOT, ReleaseError, Source, run

PLUGIN = Path("bundlesvc", "platforms", "vendure", "plugin")


def pack_plugin(source: Source, out: Path) -> None:
    """Write the tarball of the plugin. Raises ReleaseError and PackagesUnavailable."""
    folder = source.folder / PLUGIN
    _check_version(json.loads((folder / "package.json").read_text("utf-8"))["version"], source)
    modules = install_packages(ROOT / PLUGIN)
    (folder / "node_modules").symlink_to(modules)
    shutil.copyfile(source.folder / "LICENSE", folder / "LICENSE")
    compiler = str(modules / "typescript" / "bin" / "tsc")
    run(["node", compiler, "--project", "."], folder, source.environment)
    run(["npm", "pack", "--ignore-scripts", "--pack-destination", str(out.resolve())], folder, source.environment)


def _check_version(version: str, source: Source) -> None:
    if version != source.version:
        raise ReleaseError(
            f"{PLUGIN}/package.json has the version {version}, bundlesvc/__init__.py another. Make them equal."
        )

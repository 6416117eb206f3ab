"""Compiles the plugin from its sources."""

import json
import shutil
import subprocess
from pathlib import Path

import bundlesvc
from tests.packages.npm import require_packages
from tests.running.alone import alone

PLUGIN = Path(bundlesvc.__file__).parent / "platforms" / "vendure" / "plugin"
_TIMEOUT = 180


def compiled_plugin() -> Path:
    """Return the plugin's folder, whose `dist` contains the compiled JavaScript. Compiles the plugin if a source file is newer.
    Without npm, the test is skipped or fails; if the plugin has a type error, the test fails."""
    modules = require_packages(PLUGIN)
    with alone(modules / ".compiling"):
        if not _is_compiled():
            compiler = ["node", str(modules / "typescript" / "bin" / "tsc"), "--project", str(PLUGIN)]
            done = subprocess.run(compiler, capture_output=True, text=True, check=False, timeout=_TIMEOUT)
            assert done.returncode == 0, done.stdout
            _stamp().touch()
    return PLUGIN


def copied_plugin(version: str, target: Path) -> Path:
    """Copy the plugin's package to a new folder, with this version in its `package.json`."""
    source = compiled_plugin()
    shutil.copytree(source / "dist", target / "dist")
    (target / "node_modules").symlink_to(source / "node_modules")
    package = json.loads((source / "package.json").read_text("utf-8"))
    (target / "package.json").write_text(json.dumps({**package, "version": version}), "utf-8")
    return target


def _is_compiled() -> bool:
    sources = [PLUGIN / "tsconfig.json", PLUGIN / "package.json", *(PLUGIN / "src").rglob("*.ts")]
    return _stamp().exists() and all(source.stat().st_mtime <= _stamp().stat().st_mtime for source in sources)


def _stamp() -> Path:
    return PLUGIN / "dist" / ".compiled"

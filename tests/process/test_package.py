"""The package as users install it: a wheel built from the source tree, in an environment without that tree."""

import re
import shutil
import subprocess
import sys
import venv
import zipfile
from collections.abc import Iterator
from dataclasses import dataclass
from email.parser import Parser
from pathlib import Path

import orjson
import pytest

import bundlesvc
from bundlesvc.storage.migrations.schema import HEAD
from tests.process.serving import BASE, TIMEOUT, command, selection, serving
from tests.process.shop import BOX, MUG, PLAIN_MUG, SHOP

ROOT = Path(__file__).parents[2]
DEVELOPERS_ONLY = {"bundlesvc/storage/migrations/script.py.mako"}
"""Files that are needed only for `alembic revision` in a checkout."""
NOT_IN_THE_WHEEL = {"__pycache__", "examples", "plugin"}
"""Folders that are not in the wheel; the plugin for Vendure is an npm package."""
NOT_THE_PROJECT = shutil.ignore_patterns(
    ".*", "__pycache__", "*.egg-info", "build", "dist", "var", "tests", "node_modules"
)


@dataclass(frozen=True)
class Installed:
    """The wheel, and a virtual environment in which it is installed. The virtual environment also sees the libraries of the test
    environment."""

    tree: Path
    wheel: Path
    folder: Path

    @property
    def program(self) -> tuple[str, ...]:
        return (str(self.folder / "bin" / "bundlesvc"),)

    @property
    def package(self) -> Path:
        (found,) = self.folder.glob("lib/python*/site-packages/bundlesvc")
        return found

    def python(self, code: str, cwd: Path) -> str:
        return _run(str(self.folder / "bin" / "python"), "-c", code, cwd=cwd)


def _run(*arguments: str, cwd: Path) -> str:
    done = subprocess.run(arguments, cwd=cwd, capture_output=True, text=True, timeout=TIMEOUT * 4, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


@pytest.fixture(scope="module")
def installed(tmp_path_factory: pytest.TempPathFactory) -> Installed:
    """The installed package. It is built without network access, so the build backend pinned in pyproject.toml must be installed
    in this environment."""
    folder = tmp_path_factory.mktemp("package")
    tree = shutil.copytree(ROOT, folder / "tree", ignore=NOT_THE_PROJECT)
    _run(sys.executable, "-m", "build", "--wheel", "--no-isolation", "--outdir", str(folder), ".", cwd=tree)
    (wheel,) = folder.glob("*.whl")
    environment = folder / "environment"
    venv.create(environment, symlinks=True)
    (packages,) = environment.glob("lib/python*/site-packages")
    libraries = [entry for entry in sys.path if entry.endswith("site-packages")]
    (packages / "libraries.pth").write_text("\n".join(libraries))
    pip = (sys.executable, "-m", "pip", "--python", str(environment), "install", "--no-deps", "--no-index")
    _run(*pip, "--disable-pip-version-check", str(wheel), cwd=folder)
    return Installed(tree, wheel, environment)


def _files(package: Path) -> Iterator[str]:
    for path in sorted(package.rglob("*")):
        if path.is_file() and not NOT_IN_THE_WHEEL & {*path.parts}:
            yield str(path.relative_to(package.parent))


def test_the_wheel_contains_exactly_the_files_of_the_package(installed: Installed) -> None:
    with zipfile.ZipFile(installed.wheel) as wheel:
        contained = {name for name in wheel.namelist() if ".dist-info/" not in name}
    assert contained | DEVELOPERS_ONLY == set(_files(installed.tree / "bundlesvc")) | DEVELOPERS_ONLY
    for part in (
        "storefront/",
        "guides/running.md",
        "api/documentation/page/",
        "storage/migrations/versions/",
        "py.typed",
    ):
        assert any(name.startswith(f"bundlesvc/{part}") for name in contained)


def test_the_wheel_has_complete_metadata(installed: Installed) -> None:
    with zipfile.ZipFile(installed.wheel) as wheel:
        (metadata,) = [name for name in wheel.namelist() if name.endswith(".dist-info/METADATA")]
        fields = Parser().parsestr(wheel.read(metadata).decode())
        names = [name.rpartition("/")[2] for name in wheel.namelist()]
    assert (fields["Name"], fields["Requires-Python"]) == ("bundlesvc", ">=3.11")
    assert fields["License-Expression"] == "MIT"
    assert len(str(fields.get_payload())) > 100, "the README is its description"
    assert "LICENSE" in names


def test_the_installed_package_is_imported(installed: Installed, tmp_path: Path) -> None:
    where = installed.python("import bundlesvc; print(bundlesvc.__file__)", tmp_path).strip()
    assert Path(where) == installed.package / "__init__.py"
    assert Path(bundlesvc.__file__) != Path(where)
    version = command(tmp_path, "--version", program=installed.program)
    assert version.stdout.startswith(f"bundlesvc {installed.wheel.name.split('-')[1]} (schema ")


def test_the_installed_package_migrates_loads_and_serves(installed: Installed, tmp_path: Path) -> None:
    def run(*arguments: object) -> subprocess.CompletedProcess[str]:
        done = command(tmp_path, *arguments, program=installed.program)
        assert done.returncode == 0, done.stderr
        return done

    assert run("db", "upgrade").stderr == f"The tables are now at version {HEAD}.\n"
    assert "demo: loaded" in run("load", SHOP).stderr
    key = orjson.loads(run("keys", "create", "--shop", "demo", "--label", "x", "--json").stdout)["key"]
    with serving(tmp_path, program=installed.program) as server:
        assert [bundle["id"] for bundle in server.get(f"{BASE}/bundles", key).json] == [42, 43]
        body = selection("native", (PLAIN_MUG, MUG, 2))
        assert server.post(f"{BASE}/bundles/{BOX}/configure", key, body).status == 200
        assert server.get("/openapi.json").json["openapi"].startswith("3.1")
        assert b"<html" in server.get("/docs").body
        assert b"<h1" in server.get("/docs/guides/running.md").body
        preloaded = re.findall("<(.*?)>", server.get("/storefront/bundle-builder.js").headers["Link"])
        assert b"customElements" in server.get(f"/storefront/{preloaded[-1]}").body
        for path in sorted((installed.package / "storefront").rglob("*.svg")):
            found = server.get(f"/storefront/{path.relative_to(installed.package / 'storefront')}")
            assert (found.status, found.body) == (200, path.read_bytes())
        assert server.stop() == 0
        assert server.err.end() == ""

"""A release: reproducible bytes, checksums, complete packages and clear errors."""

import hashlib
import json
import os
import re
import subprocess
import sys
import tarfile
import zipfile
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

import bundlesvc
from tests.release import npm_package
from tests.release.__main__ import CHECKSUMS
from tests.release.source import ROOT, ReleaseError, Source, copy_source, run
from tests.storefront.node import require_node

pytestmark = pytest.mark.process

VERSION = bundlesvc.__version__
NAMES = [
    f"bundlesvc-{VERSION}-py3-none-any.whl",
    f"bundlesvc-{VERSION}.cdx.json",
    f"bundlesvc-{VERSION}.tar.gz",
    f"bundlesvc-storefront-{VERSION}.tgz",
    f"bundlesvc-vendure-plugin-{VERSION}.tgz",
]
DIFFERENT = ({"TZ": "Asia/Tokyo", "LC_ALL": "C"}, 0o077)
"""A different time zone, language and umask. The built files must not depend on any of them."""


def _release(out: Path, environment: dict[str, str], umask: int) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "tests.release", "--uncommitted", "--out", str(out)]
    given = {**os.environ, **environment}
    return subprocess.run(
        command, cwd=ROOT, env=given, umask=umask, capture_output=True, text=True, check=False, timeout=300
    )


@pytest.fixture(scope="module")
def releases(tmp_path_factory: pytest.TempPathFactory) -> Sequence[Path]:
    """Two releases of the same files, built in different environments."""
    require_node()
    folders = [tmp_path_factory.mktemp("release") / "dist" for _ in range(2)]
    with ThreadPoolExecutor() as pool:
        builds = [pool.submit(_release, folders[0], {}, 0o022), pool.submit(_release, folders[1], *DIFFERENT)]
    for build in builds:
        assert build.result().returncode == 0, build.result().stderr
    return folders


def test_release_is_the_same_every_time(releases: Sequence[Path]) -> None:
    first, second = ({file.name: file.read_bytes() for file in folder.iterdir()} for folder in releases)
    assert sorted(first) == sorted([*NAMES, CHECKSUMS])
    assert [name for name in first if first[name] != second[name]] == []


def test_checksums_are_those_of_the_files(releases: Sequence[Path]) -> None:
    lines = [line.split("  ") for line in (releases[0] / CHECKSUMS).read_text().splitlines()]
    assert [name for _, name in lines] == NAMES
    for digest, name in lines:
        assert hashlib.sha256((releases[0] / name).read_bytes()).hexdigest() == digest


def test_wheel_and_sdist_have_the_same_modules(releases: Sequence[Path]) -> None:
    with zipfile.ZipFile(releases[0] / NAMES[0]) as wheel, tarfile.open(releases[0] / NAMES[2]) as sdist:
        installed = {name for name in wheel.namelist() if name.startswith("bundlesvc/")}
        source = {name.partition("/")[2] for name in sdist.getnames()}
    assert {
        "bundlesvc/__init__.py",
        "bundlesvc/storefront/bundle-builder.js",
        "bundlesvc/guides/client.md",
    } <= installed
    assert installed - source == set()


def test_plugin_is_compiled_and_has_no_sources(releases: Sequence[Path]) -> None:
    with tarfile.open(releases[0] / NAMES[4]) as tarball:
        names = {name.removeprefix("package/") for name in tarball.getnames()}
    assert {"package.json", "README.md", "LICENSE", "dist/index.js", "dist/index.d.ts"} <= names
    assert {name.partition("/")[0] for name in names if "/" in name} == {"dist"}


def test_bill_of_materials_lists_each_locked_package(releases: Sequence[Path]) -> None:
    bill = json.loads((releases[0] / NAMES[1]).read_text())
    locked = set(re.findall(r"^(\S+==\S+)", (ROOT / "requirements.lock").read_text(), re.MULTILINE))
    assert {f"{part['name']}=={part['version']}" for part in bill["components"]} == locked
    assert all(part["externalReferences"][0]["hashes"] for part in bill["components"])
    root = bill["metadata"]["component"]
    assert (root["name"], root["version"]) == ("bundlesvc", VERSION)
    names = {part["bom-ref"]: part["name"] for part in bill["components"]}
    (direct,) = (entry["dependsOn"] for entry in bill["dependencies"] if entry["ref"] == root["bom-ref"])
    assert {"aiohttp", "sqlalchemy"} <= {names[ref] for ref in direct}
    assert "yarl" not in {names[ref] for ref in direct}  # it is a dependency of aiohttp only


def test_different_versions_are_refused(tmp_path: Path) -> None:
    (tmp_path / npm_package.STOREFRONT).mkdir(parents=True)
    (tmp_path / npm_package.STOREFRONT / "package.json").write_text('{"version": "9.9.9"}')
    (tmp_path / "bundlesvc" / "__init__.py").write_text('__version__ = "0.1.0"\n')
    with pytest.raises(ReleaseError, match=r"package\.json has the version 9\.9\.9"):
        npm_package.pack(Source(tmp_path, "c0ffee", 0), tmp_path)


def test_missing_program_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", "")
    with pytest.raises(ReleaseError, match="there is no npm on the PATH"):
        run(["npm", "pack"], tmp_path, {})


def test_output_of_a_failed_program_is_shown(tmp_path: Path) -> None:
    with pytest.raises(ReleaseError, match=r"(?s)failed:.*no such thing"):
        run([sys.executable, "-c", "raise SystemExit('no such thing')"], tmp_path, os.environ)


def test_uncommitted_changes_are_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tests.release.source.ROOT", tmp_path)
    run(["git", "init", "--quiet"], tmp_path, os.environ)
    (tmp_path / "new.py").touch()
    with pytest.raises(ReleaseError, match=r"new\.py differ from the commit"):
        copy_source(tmp_path / "copy")

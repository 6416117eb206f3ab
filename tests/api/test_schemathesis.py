"""Schemathesis finds no difference between the service and its OpenAPI document.

`schemathesis.toml` next to this file contains the settings, and explains why some checks are switched off."""

import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from bundlesvc.services.access import authentication
from tests.api.loaded import loaded_file
from tests.api.shared import SharedService, shared_service

pytestmark = pytest.mark.process

ROOT = Path(__file__).parents[2]
CONFIGURATION = Path(__file__).with_name("schemathesis.toml")
DEMO_SHOP = ROOT / "config" / "demo-shop.yaml"
"""The shop that the examples in the document are taken from."""
APIS = {"headless": ("^/api/headless/v1/(?!embed/)", 8), "embed": ("^/api/headless/v1/embed/", 8)}
"""The paths of each API, and the number of its operations."""


@pytest.fixture(scope="module")
def service(tmp_path_factory: pytest.TempPathFactory) -> Iterator[SharedService]:
    """The service with the demo shop, and with practically no limit on attempts to guess keys."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(authentication, "GUESSES_PER_MINUTE", 100_000)
        loaded = loaded_file(tmp_path_factory, DEMO_SHOP)
        with shared_service(loaded, tmp_path_factory.mktemp("schemathesis")) as service:
            yield service


@pytest.mark.parametrize("api", APIS)
def test_schemathesis_finds_nothing(service: SharedService, api: str, tmp_path: Path) -> None:
    paths, operations = APIS[api]
    program: list[str | Path] = [
        Path(sys.executable).with_name("schemathesis"),
        "--config-file",
        CONFIGURATION,
        "run",
        "--no-color",
    ]
    wanted = ["--include-path-regex", paths, "--header", f"Authorization: Bearer {service.keys.live}"]
    done = subprocess.run(
        [*program, *wanted, f"http://{service.host}:{service.port}/openapi.json"],
        cwd=tmp_path,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    assert f"Tested: {operations}\n" in done.stdout

"""`scripts/standin` starts, responds, and stops with Ctrl-C."""

import json
import os
import re
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from urllib.request import Request, urlopen

import pytest

from bundlesvc.platforms.shopify.app.function.package import version, write_extension
from bundlesvc.shop_file.loading import read_shop_file
from tests.platform_schema import ADMIN, SOURCE_VARIABLE, admin_schema, schema_file
from tests.standin.server import TOKEN

pytestmark = pytest.mark.process

ROOT = Path(__file__).parents[2]
DEMO = ROOT / "config" / "demo-shop.yaml"
COMMAND = [sys.executable, "-m", "tests.standin"]


@contextmanager
def started(folder: Path, *arguments: str) -> Iterator[subprocess.Popen[str]]:
    """Run the stand-in's command in this folder, and kill the process afterwards."""
    admin_schema()  # skips the test when the schema is unavailable
    environment = {
        **os.environ,
        "PYTHONPATH": str(ROOT),
        "PYTHONUNBUFFERED": "1",
        SOURCE_VARIABLE: str(schema_file(ADMIN).parent),
    }
    process = subprocess.Popen(
        [*COMMAND, *arguments], cwd=folder, env=environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )
    try:
        yield process
    finally:
        process.kill()
        process.communicate(timeout=30)


def until(process: subprocess.Popen[str], pattern: str) -> str:
    """Read the command's output until the pattern matches, and return the matched group."""
    assert process.stdout is not None
    for line in process.stdout:
        found = re.search(pattern, line)
        if found:
            return found[1]
    pytest.fail(f"the output ended without {pattern}")


def test_command_responds_prints_requests_and_stops(tmp_path: Path) -> None:
    with started(tmp_path, "--port", "0", "--shop-file", str(DEMO)) as process:
        url = until(process, r"ENDPOINT=(http://127\.0\.0\.1:\d+)$")
        until(process, r"(Requests of the service)")
        document = "query ShopName { shop { name } }"
        request = Request(
            f"{url}/admin/api/2026-07/graphql.json",
            json.dumps({"query": document}).encode(),
            {"X-Shopify-Access-Token": TOKEN, "Content-Type": "application/json"},
        )
        with urlopen(request, timeout=30) as response:
            assert json.load(response)["data"] == {"shop": {"name": "Alder & Finch Coffee"}}
        assert until(process, r"^  (\w+)$") == "ShopName"
        process.send_signal(signal.SIGINT)
        out, err = process.communicate(timeout=30)
        assert (process.returncode, out, err) == (0, "Stopped.\n", "")
    connected = read_shop_file(tmp_path / "var" / "standin" / "shop.yaml")
    assert connected.shop.platform.domain == "demo.myshopify.com"


def functions(url: str) -> Any:
    """Fetch the deployed functions."""
    request = Request(
        f"{url}/admin/api/2026-07/graphql.json",
        json.dumps(
            {"query": "query Functions { shopifyFunctions(first: 5) { nodes { handle description } } }"}
        ).encode(),
        {"X-Shopify-Access-Token": TOKEN, "Content-Type": "application/json"},
    )
    with urlopen(request, timeout=30) as response:
        return json.load(response)["data"]["shopifyFunctions"]["nodes"]


def test_exported_extension_is_deployed(tmp_path: Path) -> None:
    extension = tmp_path / "var" / "standin" / "extension"
    with started(tmp_path, "--port", "0", "--shop-file", str(DEMO)) as process:
        url = until(process, r"ENDPOINT=(http://127\.0\.0\.1:\d+)$")
        assert functions(url) == []
        write_extension(extension)
        assert {one["description"] for one in functions(url)} == {f"bundlesvc {version()}"}
        assert until(process, r"extension is deployed: bundlesvc (\S+)") == version()
        (extension / "shopify.extension.toml").write_text("[")
        assert len(functions(url)) == 2
        until(process, r"(extension is refused: shopify.extension.toml cannot be read)")


def test_page_of_the_shop_knows_service_and_key(tmp_path: Path) -> None:
    with started(tmp_path, "--port", "0", "--shop-file", str(DEMO), "--service", "http://127.0.0.1:8081") as process:
        url = until(process, r"ENDPOINT=(http://127\.0\.0\.1:\d+)$")
        until(process, r"(Requests of the service)")
        (tmp_path / "var" / "standin" / "demo-key").write_text("bnd_live_key\n")
        with urlopen(f"{url}/settings.json", timeout=30) as response:
            settings = json.load(response)
    assert settings == {"service": "http://127.0.0.1:8081", "key": "bnd_live_key", "countries": "US,CH,JP"}


def test_port_in_use(tmp_path: Path) -> None:
    with started(tmp_path, "--port", "0", "--shop-file", str(DEMO)) as first:
        port = until(first, r"ENDPOINT=http://127\.0\.0\.1:(\d+)$")
        with started(tmp_path, "--port", port, "--shop-file", str(DEMO)) as second:
            _, err = second.communicate(timeout=30)
    assert (second.returncode, err) == (
        1,
        f"Cannot listen on port {port}: address already in use. Choose another port with --port.\n",
    )


def test_invalid_shop_file(tmp_path: Path) -> None:
    shop_file = tmp_path / "shop.yaml"
    shop_file.write_text("shop: {handle: x}\n")
    with started(tmp_path, "--shop-file", str(shop_file)) as process:
        _, err = process.communicate(timeout=30)
    assert process.returncode == 1
    assert "shop.yaml:1: shop.currency" in err


def test_help() -> None:
    shown = subprocess.run([*COMMAND, "--help"], cwd=ROOT, capture_output=True, text=True, check=True, timeout=30)
    assert "Stand in for the live platform" in shown.stdout
    assert "--port" in shown.stdout

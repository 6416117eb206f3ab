"""Demo mode creates its secrets and an API key once, in files that only the current user can read, and prints a command that
works."""

import re
import shlex
import stat
import sys
from collections.abc import Mapping
from contextlib import closing
from http.client import HTTPConnection
from pathlib import Path
from urllib.parse import urlsplit

import orjson
import pytest

from bundlesvc.cli.environment.demo_secrets import demo_settings
from bundlesvc.cli.serve.demo import demo_key
from bundlesvc.settings.environment import Settings
from bundlesvc.storage.access.keys import SqlKeyStore
from bundlesvc.token_cipher import discount_cipher
from tests.process.serving import (
    BASE,
    SECRET_KEY,
    TIMEOUT,
    NotListening,
    Server,
    command,
    database_of,
    in_database,
    prepare,
    selection,
    serving,
)
from tests.process.shop import BOX, MUG, PLAIN_MUG

DEMO = {"BUNDLESVC_DEMO": "1", "BUNDLESVC_SECRET_KEYS": None}
LISTING_IMPORTS = (sys.executable, "-X", "importtime", "-m", "bundlesvc")
"""The command that starts the program and prints every module that it imports to stderr."""
STOP_HINT = re.compile(r"Stop with Ctrl-C")
LIVE_SHOP = """
shop: {handle: roastery, headlessEnabled: true, platform: {kind: shopify, domain: roastery.myshopify.com}}
"""
ITEMS = selection("native", (PLAIN_MUG, MUG, 2))


def secret_files(folder: Path) -> dict[str, Path]:
    """Return the secret files next to the database, by name."""
    return {path.name: path for path in database_of(folder).parent.iterdir() if path.name.startswith("demo-")}


def curl_command(server: Server) -> str:
    """Return the curl command that `serve` prints."""
    assert server.out.wait_for(STOP_HINT)
    (line,) = [line for line in server.out.text.splitlines() if line.lstrip().startswith("curl ")]
    return line.strip()


def key_of(line: str) -> str:
    found = re.search(r"Bearer (\S+?)'", line)
    assert found
    return found[1]


def run_curl(line: str) -> list[int]:
    """Send the request that a curl command describes. Returns the ids of the bundles in the response."""
    program, option, header, address = shlex.split(line)
    assert (program, option) == ("curl", "-H")
    url = urlsplit(address)
    with closing(HTTPConnection(url.netloc, timeout=TIMEOUT)) as connection:
        connection.request("GET", url.path, headers=dict([header.split(": ", 1)]))
        response = connection.getresponse()
        body = response.read()
    assert response.status == 200, body
    return [bundle["id"] for bundle in orjson.loads(body)]


def prepare_live(folder: Path) -> None:
    """Load a shop whose products come from a live platform."""
    path = folder / "live.yaml"
    path.write_text(LIVE_SHOP)
    assert command(folder, "load", path).returncode == 0


def test_printed_command_works_and_secrets_survive_a_new_database(tmp_path: Path) -> None:
    """The printed command works, and the secrets, which only the current user can read, survive a new database."""
    own = prepare(tmp_path)
    with serving(tmp_path, settings=DEMO) as server:
        line = curl_command(server)
        assert run_curl(line) == [42, 43]
        assert server.get(f"{BASE}/bundles", own).status == 200
        for page in ("/demo", "/docs", "/healthz", BASE, f"{BASE}/embed/api/v1"):
            assert f"{server.address}{page}\n" in server.out.text
        assert f"{key_of(line)} ({database_of(tmp_path).parent / 'demo-key'})\n" in server.out.text
        assert server.get("/demo").status == 200
        assert server.get("/demo/shop.json").json["apiKey"] == key_of(line)
        assert "DEMO MODE" in server.out.text
        assert "\033" not in server.out.text, "only a terminal has colours"
        configured = server.post(f"{BASE}/bundles/{BOX}/configure", key_of(line), ITEMS).json
        assert server.stop() == 0
        assert server.err.end() == ""

    files = secret_files(tmp_path)
    contents = {name: path.read_text() for name, path in files.items()}
    assert set(files) == {"demo-secret-keys", "demo-key", "demo-studio-key"}
    assert {stat.S_IMODE(path.stat().st_mode) for path in files.values()} == {0o600}
    assert contents["demo-key"] == f"{key_of(line)}\n"
    claims = discount_cipher((contents["demo-secret-keys"].strip(),)).unseal(configured["discount"])
    assert claims["configured"] == configured["configured_bundle_id"]

    for path in database_of(tmp_path).parent.glob("shop.db*"):
        path.unlink()
    prepare(tmp_path)
    with serving(tmp_path, settings=DEMO) as server:
        assert key_of(curl_command(server)) == key_of(line)
        assert run_curl(curl_command(server)) == [42, 43]
    assert {name: path.read_text() for name, path in secret_files(tmp_path).items()} == contents


def test_restart_makes_no_second_key(tmp_path: Path) -> None:
    prepare(tmp_path)
    settings = Settings(database=str(database_of(tmp_path)))
    keys = {demo_key(settings) for _ in range(3)}
    assert len(keys) == 1
    stored = in_database(tmp_path, lambda database: SqlKeyStore(database).keys())
    assert [(key.label, key.demo) for _, key in stored] == [("test", False), ("demo", True)]


def refusal(folder: Path, *arguments: str, settings: Mapping[str, str | None] = DEMO) -> str:
    """Return the one-line message with which `serve` refuses to start."""
    result = command(folder, "serve", "--port", "0", *arguments, settings=settings)
    assert (result.returncode, result.stdout) == (1, "")
    (line,) = result.stderr.splitlines()
    return line


def test_demo_mode_with_secret_keys_is_refused(tmp_path: Path) -> None:
    message = refusal(tmp_path, settings={"BUNDLESVC_DEMO": "1", "BUNDLESVC_SECRET_KEYS": SECRET_KEY})
    assert message.startswith("bundlesvc: BUNDLESVC_DEMO and BUNDLESVC_SECRET_KEYS are both set")
    assert not database_of(tmp_path).parent.exists()


def test_demo_mode_with_a_live_shop_is_refused(tmp_path: Path) -> None:
    prepare(tmp_path)
    prepare_live(tmp_path)
    assert refusal(tmp_path).startswith(
        "bundlesvc: BUNDLESVC_DEMO is set, and the products of roastery come from a live platform"
    )
    assert not (database_of(tmp_path).parent / "demo-key").exists()


def test_demo_mode_starts_with_a_stand_in_for_the_live_platform(tmp_path: Path) -> None:
    prepare(tmp_path)
    prepare_live(tmp_path)
    settings = {**DEMO, "BUNDLESVC_PLATFORM_ENDPOINT": "http://127.0.0.1:9292"}
    with serving(tmp_path, settings=settings) as server:
        assert run_curl(curl_command(server)) == [42, 43]
        assert "WARNING" not in server.out.text.upper().replace("BUNDLESVC_", "")


@pytest.mark.parametrize("host", ["0.0.0.0", "::", "*", "0"])
def test_demo_mode_on_a_reachable_address_is_refused(host: str, tmp_path: Path) -> None:
    prepare(tmp_path)
    assert f"{host} can be reached from others" in refusal(tmp_path, "--host", host)
    assert f"{host} can be reached from others" in refusal(tmp_path, settings={**DEMO, "BUNDLESVC_HOST": host})


@pytest.mark.parametrize("arguments", [("--host", "localhost"), ("--host", "0.0.0.0", "--demo-anywhere")], ids=str)
def test_demo_mode_starts_on_loopback_or_with_demo_anywhere(arguments: tuple[str, ...], tmp_path: Path) -> None:
    prepare(tmp_path)
    with serving(tmp_path, *arguments, settings=DEMO) as server:
        assert run_curl(curl_command(server)) == [42, 43]


def test_demo_mode_without_a_shop_says_how_to_load_one(tmp_path: Path) -> None:
    with serving(tmp_path, settings=DEMO) as server:
        assert server.out.wait_for(STOP_HINT)
        assert "bundlesvc load " in server.out.text
        assert "curl" not in server.out.text
        assert server.get("/readyz").status == 200
    assert set(secret_files(tmp_path)) == {"demo-secret-keys"}


def assert_starts_or_reports(folder: Path) -> None:
    """Check that `serve` either starts with a valid key, or exits with status 1 and a message, without a traceback."""
    refused = None
    try:
        with serving(folder, settings=DEMO) as server:
            assert run_curl(curl_command(server)) == [42, 43]
    except NotListening as ended:
        refused = ended
    if refused is not None:
        assert "Traceback" not in refused.output
        assert refused.code == 1
        assert "bundlesvc: " in refused.output


def test_revoked_demo_key_is_handled(tmp_path: Path) -> None:
    prepare(tmp_path)
    key = demo_key(Settings(database=str(database_of(tmp_path))))
    assert key is not None
    assert in_database(tmp_path, lambda database: SqlKeyStore(database).revoke_key(key[:16]))
    assert_starts_or_reports(tmp_path)


def test_secret_file_with_a_wider_mode_is_made_private(tmp_path: Path) -> None:
    settings = Settings(database=str(database_of(tmp_path)))
    path = database_of(tmp_path).parent / "demo-secret-keys"
    path.parent.mkdir()
    path.touch()
    path.chmod(0o644)
    demo_settings(settings)
    assert path.read_text() != ""
    assert stat.S_IMODE(path.stat().st_mode) == 0o600


@pytest.mark.parametrize("name", ["demo-secret-keys", "demo-key"])
def test_empty_secret_file_is_handled(name: str, tmp_path: Path) -> None:
    """If a process was killed between creating a secret file and writing it, the next start either succeeds with a valid key or
    ends with an error message."""
    prepare(tmp_path)
    path = database_of(tmp_path).parent / name
    path.touch(0o600)
    assert_starts_or_reports(tmp_path)


def test_production_process_neither_imports_nor_serves_the_demo(tmp_path: Path) -> None:
    prepare(tmp_path)
    with serving(tmp_path, program=LISTING_IMPORTS) as server:
        found = [server.get(path).status for path in ("/demo", "/demo/shop.json", "/demo/page/demo.js")]
        assert [*found, server.post("/demo/checkout", "", {"items": []}).status] == [404] * 4
        assert server.stop() == 0
        imported = server.err.end()
    assert "bundlesvc.api" in imported
    assert "bundlesvc.demo" not in imported


def test_process_in_demo_mode_imports_the_demo(tmp_path: Path) -> None:
    """In demo mode, the demo is imported. This shows that the test for production processes, which must not import the demo, is
    able to fail."""
    prepare(tmp_path)
    with serving(tmp_path, settings=DEMO, program=LISTING_IMPORTS) as server:
        assert server.get("/demo").status == 200
        assert server.stop() == 0
        assert "bundlesvc.demo" in server.err.end()

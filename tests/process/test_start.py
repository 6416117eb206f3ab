"""What a process does not need it does not load: a start takes as long as its imports."""

import json
import subprocess
import sys

import pytest

RARE = (
    "aiocache",  # live shops
    "alembic",  # a database that is not up to date
    "asyncpg",  # PostgreSQL
    "bundlesvc.demo.routes",  # demo mode
    "gunicorn",  # several processes
    "jinja2",  # the documentation
    "markdown_it",
    "redis",  # REDIS_URL
    "swagger_ui",
    "yaml",  # shop files
)
_SERVE = """
import gc, json, sys
sys.argv = ["bundlesvc", "serve", "--help"]
from bundlesvc.cli.main import main
try:
    main()
except SystemExit:
    print(json.dumps({"modules": list(sys.modules), "collects": gc.isenabled()}))
"""


@pytest.fixture(scope="module")
def process() -> dict[str, object]:
    """The modules of a process that has imported `serve`, and whether it collects garbage."""
    ended = subprocess.run([sys.executable, "-c", _SERVE], check=True, capture_output=True, text=True)
    described: dict[str, object] = json.loads(ended.stdout.splitlines()[-1])
    return described


@pytest.mark.parametrize("module", RARE)
def test_serve_does_not_import_what_few_processes_need(module: str, process: dict[str, list[str]]) -> None:
    assert "bundlesvc.app" in process["modules"]
    assert module not in process["modules"]


def test_garbage_is_collected_after_the_import(process: dict[str, object]) -> None:
    assert process["collects"]

"""Fixtures for running the plugin's checks in isolation, and for the real engine with the plugin and a service that makes
promises for it."""

import subprocess
from collections.abc import Iterator
from functools import partial

import pytest

from bundlesvc.shop_file.loading import read_shop_file
from tests.process.serving import SECRET_KEY, prepare, serving
from tests.servers.postgres_server import PostgresServer
from tests.storefront.node import require_node
from tests.vendure_plugin.checks.judging import SCRIPT, Judge, judge_with
from tests.vendure_plugin.linked.linked_shop import LinkedShop, linked_shop
from tests.vendure_plugin.plugin import compiled_plugin
from tests.vendure_plugin.selections import Storefront
from tests.vendure_plugin.shop import DEMO_SHOP, DemoEngine, demo_engine, filled_database, options


@pytest.fixture(scope="session")
def judge() -> Iterator[Judge]:
    """A function that runs the plugin's checks, all in one Node process."""
    node = require_node()
    compiled_plugin()
    with subprocess.Popen([node, str(SCRIPT)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as process:
        yield partial(judge_with, process)


@pytest.fixture(scope="session")
def filled(postgres: PostgresServer) -> str:
    """The name of a database that contains the demo shop, and from which other databases are copied."""
    return filled_database(postgres, options(SECRET_KEY))


@pytest.fixture(scope="session")
def engine(postgres: PostgresServer, filled: str) -> Iterator[DemoEngine]:
    """The engine shared by all tests that do not change its settings."""
    with demo_engine(postgres, filled, options(SECRET_KEY)) as engine:
        yield engine


@pytest.fixture(scope="session")
def linked(postgres: PostgresServer, filled: str, tmp_path_factory: pytest.TempPathFactory) -> Iterator[LinkedShop]:
    """An engine and a service that are connected to each other. Each test leaves both of them running and unchanged."""
    with linked_shop(tmp_path_factory.mktemp("linked"), postgres, filled) as shop:
        yield shop


@pytest.fixture(scope="session")
def storefront(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Storefront]:
    """The storefront of a service into which the demo shop is loaded."""
    folder = tmp_path_factory.mktemp("service")
    key = prepare(folder, DEMO_SHOP)
    with serving(folder) as server:
        yield Storefront(server, key, read_shop_file(DEMO_SHOP))

"""The tables, settings, metrics and scripts in the guides for operators are correct, and every script runs."""

import asyncio
import os
import re
import subprocess
import sys
from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path

import pytest
from prometheus_client import generate_latest

from bundlesvc.settings.environment import Settings
from bundlesvc.storage.database.health.replica_health import ReplicaHealth
from bundlesvc.storage.maintenance.backups import ScheduledBackups
from bundlesvc.system import SystemClock
from tests.failures.database.database_faults import table_of_databases
from tests.failures.live_platform.vendure_faults import table_of_vendure
from tests.failures.redis.redis_faults import table_of_redis
from tests.failures.service import Setup, started
from tests.failures.table import table_of_cache_states, table_of_faults
from tests.process.serving import (
    BASE,
    SECRET_KEY,
    Server,
    add_key,
    command,
    database_of,
    environment,
    in_database,
    prepare,
    selection,
    serving,
)
from tests.process.shop import BOX, MUG, PAIR, PLAIN_MUG, SHIRT, SHIRT_M
from tests.process.storm import MONTHLY, Stored
from tests.servers.postgres_server import PostgresServer
from tests.servers.redis_server import RedisServer
from tests.settings.test_environment import VARIABLES

GUIDES = Path(__file__).parents[2] / "docs"

FIELDS = {
    "BUNDLESVC_HOST": "host",
    "PORT": "port",
    "WEB_CONCURRENCY": "workers",
    "BUNDLESVC_BASE_PATH": "base_path",
    "BUNDLESVC_LOG_FORMAT": "log_format",
    "BUNDLESVC_LOG_LEVEL": "log_level",
    "BUNDLESVC_TRUSTED_PROXIES": "trusted_proxies",
    "BUNDLESVC_PRICE_MAX_AGE": "price_max_age",
    "BUNDLESVC_PLATFORM_TIMEOUT": "platform_timeout",
    "BUNDLESVC_CACHE_PRODUCTS_TTL": "cache_products_ttl",
    "BUNDLESVC_CACHE_PRICES_TTL": "cache_prices_ttl",
    "BUNDLESVC_CACHE_SHOP_TTL": "cache_shop_ttl",
    "BUNDLESVC_CACHE_NEGATIVE_TTL": "cache_negative_ttl",
}
"""Settings whose default is a single word."""

NATIVE = selection("native", (SHIRT_M, SHIRT, 1), (PLAIN_MUG, MUG, 2), subscription=MONTHLY)
PAIRED = selection("multiple-products", (SHIRT_M, SHIRT, 1), (PLAIN_MUG, MUG, 1))
CALLS = {"order-1": (BOX, NATIVE), "order-2": (PAIR, PAIRED)}


@cache
def guide(name: str) -> str:
    return (GUIDES / f"{name}.md").read_text("utf-8")


def scripts() -> list[str]:
    """Return the guide's shell scripts that back up and restore PostgreSQL. The script before them in the guide is run by
    `tests/process/test_rollback.py`."""
    return re.findall(r"```sh\n(.*?)```", guide("running"), re.DOTALL)[1:]


@pytest.mark.parametrize("table", [table_of_cache_states, table_of_faults, table_of_redis, table_of_databases])
def test_tables_of_failures_match_the_tested_ones(table: object) -> None:
    assert callable(table)
    assert "\n".join(table()) in guide("failures")


def test_table_of_failures_of_the_second_platform_matches_the_tested_one() -> None:
    assert "\n".join(table_of_vendure()) in guide("connecting-vendure")


def test_guide_names_every_setting_and_its_default() -> None:
    rows = re.findall(r"^\| `([A-Z_]+)` \| (.*?) \|", guide("settings"), re.MULTILINE)
    defaults = dict(rows)
    assert sorted(defaults) == VARIABLES
    assert len(rows) == len(defaults)
    for variable, name in FIELDS.items():
        assert defaults[variable].strip("`") == str(getattr(Settings(), name)), variable
    assert defaults["DATABASE_URL"] == f"`sqlite:///{Settings().database}`"


def made_backups(address: str, folder: Path) -> ScheduledBackups:
    """Make a scheduled backup of this database, and return the object that makes the backups."""
    backups = ScheduledBackups(Path(address), folder / "backups", 3600, 1, SystemClock())
    asyncio.run(backups.run())
    return backups


def test_guide_names_every_metric(redis: RedisServer, tmp_path: Path) -> None:
    setup = Setup.prepared(["metrics"], tmp_path)
    with started(setup, {"REDIS_URL": redis.url}) as service:
        assert all(observed.ok for observed in service.shopper("metrics").do_all().values())
        page = service.server.get("/metrics").body.decode()
    page += generate_latest(ReplicaHealth()).decode()  # only present with DATABASE_READ_URL
    page += generate_latest(made_backups(setup.address, tmp_path)).decode()  # only present with BUNDLESVC_BACKUP_FOLDER
    names = set(re.findall(r"^# HELP (bundlesvc_\w+)", page, re.MULTILINE))
    assert set(re.findall(r"^\| `(bundlesvc_\w+)` \|", guide("metrics"), re.MULTILINE)) == names
    assert set(re.findall(r"\bbundlesvc_[a-z_]+\b", guide("metrics"))) == names
    assert set(re.findall(r"\bprocess_[a-z]+[a-z_]+\b", guide("metrics"))) <= set(
        re.findall(r"^# HELP (\w+)", page, re.MULTILINE)
    )


@pytest.fixture
def programs(postgres: PostgresServer, tmp_path: Path) -> Path:
    """A folder with `bundlesvc` and the PostgreSQL client programs, in the same version as the server."""
    beside = Path(f"/proc/{postgres.pids()[0]}/exe").resolve().parent
    folder = tmp_path / "bin"
    folder.mkdir()
    for program in ("psql", "pg_dump", "pg_restore"):
        (folder / program).symlink_to(beside / program)
    ours = folder / "bundlesvc"
    ours.write_text(f'#!/bin/sh\nexec {sys.executable} -m bundlesvc "$@"\n')
    ours.chmod(0o755)
    return folder


def run(script: str, folder: Path, programs: Path, settings: Mapping[str, str]) -> str:
    """Run a script, and check that it succeeds. Returns its standard error."""
    own = environment(folder, settings) | {"PATH": f"{programs}:{os.environ['PATH']}"}
    done = subprocess.run(
        ["sh", "-c", script], cwd=folder, env=own, capture_output=True, text=True, timeout=60, check=False
    )
    assert done.returncode == 0, done.stderr
    return done.stderr


def configure(server: Server, key: str) -> dict[str, bytes]:
    """Send the configure requests, and return the responses by idempotency key."""
    responses = {
        name: server.post(f"{BASE}/bundles/{bundle}/configure", key, body, {"Idempotency-Key": name})
        for name, (bundle, body) in CALLS.items()
    }
    assert {response.status for response in responses.values()} == {200}
    return {name: response.body for name, response in responses.items()}


def test_moving_to_postgresql(postgres: PostgresServer, tmp_path: Path) -> None:
    """After the move to PostgreSQL, API keys, retries and look-ups still work, and new rows get unused ids."""
    key = prepare(tmp_path)
    with serving(tmp_path) as server:
        before = configure(server, key)
        assert server.stop() == 0
    old = Stored.at(str(database_of(tmp_path)))
    with postgres.lent(postgres.new_database()) as address:
        moved = command(tmp_path, "db", "copy", "--to", address)
        assert moved.returncode == 0, moved.stderr
        assert Stored.at(address) == old
        with serving(tmp_path, settings={"DATABASE_URL": address}) as server:
            assert configure(server, key) == before
            new = server.post(f"{BASE}/bundles/{BOX}/configure", key, NATIVE)
            assert new.status == 200
            assert server.get(f"{BASE}/bundles", in_database(address, add_key)).status == 200
            assert server.stop() == 0
        assert len(Stored.at(address).configured) == len(old.configured) + 1


def test_backup_and_restore_of_sqlite(tmp_path: Path) -> None:
    key, backup = prepare(tmp_path), tmp_path / "backup.db"
    with serving(tmp_path) as server:
        before = configure(server, key)
        backed_up = command(tmp_path, "db", "backup", backup)
        assert re.fullmatch(rf"{backup}: [\d,]+ bytes\.\n", backed_up.stderr)
        later = server.post(f"{BASE}/bundles/{BOX}/configure", key, NATIVE).json["configured_bundle_id"]
        assert server.stop() == 0
    file = database_of(tmp_path)
    for name in (file.name, f"{file.name}-wal", f"{file.name}-shm"):
        (file.parent / name).unlink(missing_ok=True)
    backup.rename(file)
    with serving(tmp_path) as server:
        assert configure(server, key) == before
        assert server.stop() == 0
    assert later not in Stored.at(str(file)).configured


def test_backup_and_restore_of_postgresql(postgres: PostgresServer, tmp_path: Path, programs: Path) -> None:
    back_up, restore = scripts()
    with postgres.lent(postgres.new_database()) as address:
        key = prepare(address)
        settings = {"DATABASE_URL": address, "BACKUP": str(tmp_path / "shop.dump")}
        with serving(tmp_path, settings={"DATABASE_URL": address}) as server:
            before = configure(server, key)
            run(back_up, tmp_path, programs, settings)
            later = server.post(f"{BASE}/bundles/{BOX}/configure", key, NATIVE).json["configured_bundle_id"]
            assert server.stop() == 0
        run(restore, tmp_path, programs, settings)
        with serving(tmp_path, settings={"DATABASE_URL": address}) as server:
            assert configure(server, key) == before
            assert server.stop() == 0
        assert later not in Stored.at(address).configured


@pytest.fixture
def commands() -> Iterator[str]:
    """Yield the commands that follow a prompt in the examples of the metrics guide."""
    shown = re.findall(r"```console\n(.*?)```", guide("metrics"), re.DOTALL)
    return iter(re.findall(r"^\$ (?:[A-Z_]+=\S+ )?(bundlesvc .*)$", "".join(shown), re.MULTILINE))


def test_commands_of_the_guide_exist(commands: Iterator[str], tmp_path: Path) -> None:
    inline = re.findall(r"`(bundlesvc [a-z].*?)`", guide("metrics"))
    for line in {*commands, *inline}:
        words = [word for word in line.split()[1:] if re.fullmatch(r"[a-z][a-z-]*", word)]
        assert (
            command(tmp_path, *words[:2], "--help", settings={"BUNDLESVC_SECRET_KEYS": SECRET_KEY}).returncode == 0
        ), line

"""A database that once served the demo goes into production, and visitors of the demo page still have its key.

The demo key, which allows 6,000 requests a minute from every origin, works only in demo mode, even when an older version of the
service created it without marking it as a demo key.
"""

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from bundlesvc.cli.serve.demo import demo_key
from bundlesvc.settings.environment import Settings
from bundlesvc.storage.migrations.schema import downgrade
from tests.process.serving import BASE, Server, command, database_of, in_database, prepare, serving

pytestmark = pytest.mark.process

DEMO = {"BUNDLESVC_DEMO": "1", "BUNDLESVC_SECRET_KEYS": None}
PATH = f"{BASE}/bundles"


def created_by_the_demo(folder: Path) -> str:
    with serving(folder, settings=DEMO) as server:
        key = (database_of(folder).parent / "demo-key").read_text().strip()
        assert server.get(PATH, key).status == 200
    return key


def assert_refused(server: Server, key: str) -> None:
    for _ in range(2):  # the second attempt shows that the key is not cached either
        response = server.get(PATH, key)
        assert (response.status, response.json["code"]) == (403, "key_invalid")


def test_demo_key_is_refused_in_production(tmp_path: Path) -> None:
    own = prepare(tmp_path)
    key = created_by_the_demo(tmp_path)

    with serving(tmp_path) as server:
        assert_refused(server, key)
        assert server.get(PATH, own).status == 200


def test_demo_key_of_an_older_version_is_refused_too(tmp_path: Path) -> None:
    prepare(tmp_path)
    key = created_by_the_demo(tmp_path)
    in_database(tmp_path, lambda database: database.write(lambda connection: downgrade(connection, "0004")))

    with serving(tmp_path) as server:
        assert_refused(server, key)


def test_the_demo_key_is_marked_in_the_list(tmp_path: Path) -> None:
    prepare(tmp_path)
    demo_key(Settings(database=str(database_of(tmp_path))))

    listed = command(tmp_path, "keys", "list")

    assert [line.split()[4] for line in listed.stdout.splitlines()] == ["demo", "no", "yes"]


def test_demo_mode_works_again_after_production(tmp_path: Path) -> None:
    prepare(tmp_path)
    key = created_by_the_demo(tmp_path)
    with serving(tmp_path):
        pass

    assert created_by_the_demo(tmp_path) == key
    with closing(sqlite3.connect(database_of(tmp_path))) as connection:
        labels = connection.execute("SELECT label FROM api_keys WHERE demo ORDER BY id").fetchall()
        assert labels == [("demo",), ("demo studio",)]

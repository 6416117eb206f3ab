"""Two servers that share a PostgreSQL database: each idempotency key creates one bundle, identical selections share a ghost
variant, and changes take effect on both servers."""

import time
from collections.abc import Awaitable, Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

import pytest

from bundlesvc.shop_file.loading import read_shop_file
from bundlesvc.storage.access.keys import SqlKeyStore
from bundlesvc.storage.catalogue.shop_files import SqlShopFileStore
from bundlesvc.storage.database.interface import Database
from bundlesvc.storage.migrations.schema import HEAD
from tests.process.serving import BASE, HttpResponse, Server, add_key, command, in_database, prepare, selection, serving
from tests.process.shop import BOX, MUG, PAIR, PLAIN_MUG, SHIRT, SHIRT_M, SHOP
from tests.process.storm import Stored
from tests.servers.postgres_server import PostgresServer

SLOWEST = 5.0
"""The maximum number of seconds until a change takes effect: two by design, plus three for a busy machine."""

AT_ONCE = 16
NATIVE = selection("native", (SHIRT_M, SHIRT, 1), (PLAIN_MUG, MUG, 2))


@dataclass(frozen=True)
class Two:
    """Two servers, the address of their database, and an API key that both accept."""

    servers: tuple[Server, Server]
    address: str
    key: str

    def configure_at_once(
        self, bundle: int, body: object, idempotency_key: Callable[[int], str | None]
    ) -> list[HttpResponse]:
        """Send `AT_ONCE` configure calls for a bundle concurrently, alternating between the servers."""

        def configure(number: int) -> HttpResponse:
            key = idempotency_key(number)
            headers = {} if key is None else {"Idempotency-Key": key}
            return self.servers[number % 2].post(f"{BASE}/bundles/{bundle}/configure", self.key, body, headers)

        with ThreadPoolExecutor(AT_ONCE) as threads:
            return list(threads.map(configure, range(AT_ONCE)))

    def change(self, work: Callable[[Database], Awaitable[object]]) -> None:
        in_database(self.address, work)

    def seconds_until(self, condition: Callable[[Server], bool]) -> float:
        """Wait until the condition is true on both servers, and return the number of seconds that this took."""
        begun = time.monotonic()
        while not all(map(condition, self.servers)):
            assert time.monotonic() - begun < SLOWEST + 1, "timed out"
            time.sleep(0.05)
        return time.monotonic() - begun


@pytest.fixture(scope="module")
def two(postgres: PostgresServer, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Two]:
    folder = tmp_path_factory.mktemp("servers")
    with postgres.lent(postgres.new_database()) as address:
        key, settings = prepare(address), {"DATABASE_URL": address}
        with serving(folder, settings=settings) as first, serving(folder, settings=settings) as second:
            yield Two((first, second), address, key)
            for server in (first, second):
                assert server.stop() == 0
                assert server.err.end() == ""
                assert '"error"' not in server.out.end()


def test_one_idempotency_key_creates_one_configured_bundle(two: Two) -> None:
    for number in range(5):
        before = len(Stored.at(two.address).configured)
        responses = two.configure_at_once(BOX, NATIVE, lambda _: f"order-{number}")  # noqa: B023 - called immediately
        assert {response.status for response in responses} == {200}
        assert len({response.body for response in responses}) == 1
        replayed = [response.headers.get("Idempotent-Replayed") for response in responses]
        assert sorted(map(str, replayed)) == ["None"] + ["true"] * (AT_ONCE - 1)
        assert len(Stored.at(two.address).configured) == before + 1


def test_one_key_with_two_bodies_stores_one_of_them(two: Two) -> None:
    def configure(number: int) -> HttpResponse:
        body = selection("native", (SHIRT_M, SHIRT, 1), *[(PLAIN_MUG, MUG, 2)] * (number % 2 + 1))
        path = f"{BASE}/bundles/{BOX}/configure"
        return two.servers[number // 2 % 2].post(path, two.key, body, {"Idempotency-Key": "contested"})

    with ThreadPoolExecutor(AT_ONCE) as threads:
        responses = list(threads.map(configure, range(AT_ONCE)))
    assert sorted(response.status for response in responses) == [200] * (AT_ONCE // 2) + [400] * (AT_ONCE // 2)
    assert {response.json["code"] for response in responses if response.status == 400} == {"idempotency_key_reused"}
    assert len({response.body for response in responses if response.status == 200}) == 1


def test_equal_selections_share_one_ghost_variant(two: Two) -> None:
    for mugs in range(2, 7):
        body = selection("multiple-products", *[(PLAIN_MUG, MUG, 1)] * mugs)
        responses = two.configure_at_once(PAIR, body, lambda _: None)
        assert {response.status for response in responses} == {200}
        assert len({response.json["variant_id"] for response in responses}) == 1
        assert len({response.json["configured_bundle_id"] for response in responses}) == AT_ONCE
    stored = Stored.at(two.address)
    assert len(stored.ghosts) == len(stored.sold) == 5


def test_different_selections_get_different_ghost_variants(two: Two) -> None:
    def configure(number: int) -> HttpResponse:
        body = selection("multiple-products", *[(PLAIN_MUG, MUG, 1)] * (number + 10))
        return two.servers[number % 2].post(f"{BASE}/bundles/{PAIR}/configure", two.key, body)

    with ThreadPoolExecutor(AT_ONCE) as threads:
        responses = list(threads.map(configure, range(AT_ONCE)))
    assert {response.status for response in responses} == {200}
    assert len({response.json["variant_id"] for response in responses}) == AT_ONCE


def test_changes_show_on_both_servers_within_two_seconds(two: Two, tmp_path: Path) -> None:
    changed = tmp_path / "changed.yaml"
    changed.write_text(SHOP.read_text().replace("name: Box", "name: Crate"))
    key = in_database(two.address, add_key)

    def status(server: Server) -> int:
        return server.get(f"{BASE}/bundles", key).status

    assert [status(server) for server in two.servers] == [200, 200], "a new key works at once"
    two.change(lambda database: SqlShopFileStore(database).replace(read_shop_file(changed)))
    times = {
        "new data": two.seconds_until(
            lambda server: server.get(f"{BASE}/bundles", two.key).json[0]["name"] == "Crate",
        )
    }
    two.change(lambda database: SqlKeyStore(database).revoke_key(key[:16]))
    times["revoked key"] = two.seconds_until(lambda server: status(server) == 403)
    assert max(times.values()) < SLOWEST


def test_simultaneous_upgrades_create_the_tables_once(postgres: PostgresServer, tmp_path: Path) -> None:
    with postgres.lent(postgres.new_database()) as address, ThreadPoolExecutor(3) as threads:
        settings = {"DATABASE_URL": address}
        done = list(threads.map(lambda _: command(tmp_path, "db", "upgrade", settings=settings), range(3)))
    already, now = (f"The tables are {when} at version {HEAD}.\n" for when in ("already", "now"))
    assert sorted(upgrade.stderr for upgrade in done) == [already, already, now]


def test_a_bundle_configured_on_one_server_is_found_by_the_other(two: Two) -> None:
    first, second = two.servers
    configured = first.post(f"{BASE}/bundles/{BOX}/configure", two.key, NATIVE).json
    body = {"bundles": [{"configuredBundleId": configured["configured_bundle_id"]}]}
    found = second.post(f"{BASE}/embed/api/v1/content", two.key, body)
    assert [entry["variantId"] for entry in found.json["bundles"]] == [configured["variant_id"]]

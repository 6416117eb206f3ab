"""Attack: requests with a valid key and constantly changing queries, each sent until it is cached. The cache metric matches the
memory that the process really uses, so that an operator can rely on the limit."""

import re
from collections.abc import Iterator

import pytest

from tests.attacks.attackers import attackers
from tests.attacks.service import EMBED_API, Attacked, attacked
from tests.process.serving import Server
from tests.process.shop import BOX

pytestmark = pytest.mark.process

COUNT = 9000
CONNECTIONS = 3
COUNTRIES = ("US", "JP", "DE")
_CACHE = re.compile(r'^bundlesvc_cache_bytes\{[^}]*"(?:ready|rendered)"[^}]*\} ([0-9.e+]+)$', re.MULTILINE)
MEBIBYTE = 2**20


@pytest.fixture
def service(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Attacked]:
    with attacked(tmp_path_factory.mktemp("attacked")) as service:
        yield service


def counted(server: Server) -> float:
    """The size of the response caches according to the metrics, in MiB."""
    return sum(map(float, _CACHE.findall(server.get("/metrics").body.decode()))) / MEBIBYTE


def learn(service: Attacked, first: int, count: int) -> None:
    """Send `count` different requests, each twice, so that the fast path caches their responses."""
    left = [number for number in range(first, first + count) for _ in range(2)]

    def request(_: int) -> bytes:
        number = left.pop(0) if left else first
        country = COUNTRIES[number % len(COUNTRIES)]
        path = f"{EMBED_API}/bundle?id={BOX}&countryCode={country}&{'x' * 500}={number}"
        return service.head("GET", path, Accept_Language=f"de;q=0.9,x-{'y' * 300}")

    with attackers(service.server) as many:
        many.flood(CONNECTIONS, request, 60, until=lambda: not left)


def test_metric_is_within_a_fifth_of_what_the_process_holds(service: Attacked) -> None:
    learn(service, 0, 500)
    memory, before = service.server.memory_megabytes(), counted(service.server)
    learn(service, 1000, COUNT)
    held, said = service.server.memory_megabytes() - memory, counted(service.server) - before
    print({"held": round(held, 1), "counted": round(said, 1)})  # noqa: T201 - for information
    assert said > 15
    assert abs(held - said) < held / 5

"""A drill: one shop for each combination of a fault and a state of the cache, with requests during and after the fault."""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from tests.failures.live_platform.aging import age
from tests.failures.log import Line
from tests.failures.service import Service, Setup, started
from tests.failures.shopping import BUNDLE, PRICE, READ, Observed, Shopper, at_once, seconds_until
from tests.failures.table import CACHE_STATES, FAULTS, VANISHED
from tests.process.storm import Rows
from tests.servers.redis_server import RedisServer, redis_server

PLATFORM_SECONDS = 4.0
ROUNDS = 2
TIMEOUT = 30.0

Cell = tuple[str, str]
"""A fault, and a state of the cache."""


@dataclass(frozen=True)
class Report:
    """The results for one cell (a fault and a cache state), which has a shop of its own. `recovered` is the time in seconds from
    the end of the fault until every request succeeds with fresh data."""

    during: Sequence[Mapping[str, Observed]]
    recovered: float
    afterwards: Mapping[str, Observed]
    repeated: Mapping[str, Observed]
    lines: Sequence[Line]
    configured: Rows


def set_up(faults: Sequence[str], folder: Path, address: str | None = None) -> Setup:
    """Prepare one shop for each combination of one of these faults and a cache state. VANISHED cannot be combined with other
    faults."""
    return Setup.prepared((handle_of((fault, state)) for fault in faults for state in CACHE_STATES), folder, address)


def handle_of(cell: Cell) -> str:
    return "-".join(cell)


def drill(setup: Setup) -> dict[str, Report]:
    """Run all combinations of a fault and a cache state at the same time, on one service with its own Redis. Returns the reports
    by shop handle."""
    with redis_server() as redis:
        settings = {"REDIS_URL": redis.url, "BUNDLESVC_PLATFORM_TIMEOUT": str(PLATFORM_SECONDS)}
        with started(setup, settings) as service:
            shoppers = service.shoppers
            _fill_cache(shoppers, redis)
            with _failing(service):
                during = [_all_at_once(shoppers) for _ in range(ROUNDS)]
            recovered = at_once({handle: partial(_seconds_until_recovered, each) for handle, each in shoppers.items()})
            afterwards, repeated = _all_at_once(shoppers), _all_at_once(shoppers)
            lines = service.end()
    configured = setup.configured()
    return {
        handle: Report(
            [observed[handle] for observed in during],
            recovered[handle],
            afterwards[handle],
            repeated[handle],
            [line for line in lines if line.event.startswith(f"{shop.domain}: ")],
            configured[handle],
        )
        for handle, shop in setup.shops.items()
    }


def _fill_cache(shoppers: Mapping[str, Shopper], redis: RedisServer) -> None:
    """Bring each shop's cache into the state that its cell requires. Where entries must be old, no product list is requested, so
    that none is cached already rendered."""
    actions = {"warm": (READ, BUNDLE, PRICE), "stale": (BUNDLE, PRICE), "old": (BUNDLE, PRICE), "cold": ()}
    observed = at_once({handle: partial(each.do_all, actions[_state(handle)]) for handle, each in shoppers.items()})
    assert all(response.ok for responses in observed.values() for response in responses.values()), observed
    for handle, shopper in shoppers.items():
        age(redis, shopper.shop.id, CACHE_STATES[_state(handle)].age or 0)


@contextmanager
def _failing(service: Service) -> Iterator[None]:
    """Make every shop fail with its own fault inside this context."""
    platform, shops = service.platform, service.setup.shops
    if any(handle.startswith(VANISHED) for handle in shops):
        platform.stop()
        yield
        platform.start()
    else:
        faults = {shop.token: FAULTS[handle.partition("-")[0]].fault for handle, shop in shops.items()}
        platform.fail({token: make() for token, make in faults.items() if make})
        yield
        platform.heal()


def _state(handle: str) -> str:
    return handle.partition("-")[2]


def _all_at_once(shoppers: Mapping[str, Shopper]) -> dict[str, dict[str, Observed]]:
    return at_once({handle: shopper.do_all for handle, shopper in shoppers.items()})


def _seconds_until_recovered(shopper: Shopper) -> float:
    """Wait until every request succeeds with fresh data. Returns the number of seconds that this took."""
    return seconds_until(
        lambda: all(observed.ok and observed.age is None for observed in shopper.do_all().values()), TIMEOUT
    )

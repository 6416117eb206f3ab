"""A drill: shops in every state of the cache, one fault each, requests meanwhile, and what follows when all is well again."""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from tests.failures.aging import age
from tests.failures.log import Line
from tests.failures.shopping import BUNDLE, PRICE, READ, Shopper, Told, at_once, seconds_until
from tests.failures.stage import Ground, Stage, staged
from tests.failures.table import FAULTS, KEPT, VANISHED
from tests.process.storm import Rows
from tests.redis_server import RedisServer, redis_server

PLATFORM_SECONDS = 1.5
ROUNDS = 2
TIMEOUT = 30.0

Cell = tuple[str, str]
"""What fails, and what is kept."""


@dataclass(frozen=True)
class Report:
    """What became of one cell's shop. `recovered` in seconds since all was well."""

    during: Sequence[Mapping[str, Told]]
    recovered: float
    afterwards: Mapping[str, Told]
    repeated: Mapping[str, Told]
    lines: Sequence[Line]
    configured: Rows


def lay_out(faults: Sequence[str], folder: Path, address: str | None = None) -> Ground:
    """A shop for each cell of these faults; those of VANISHED go with no others."""
    return Ground.laid_out((handle_of((fault, kept)) for fault in faults for kept in KEPT), folder, address)


def handle_of(cell: Cell) -> str:
    return "-".join(cell)


def drill(ground: Ground) -> dict[str, Report]:
    """All cells at once, over one service with a Redis of its own; by the handles of their shops."""
    with redis_server() as redis:
        settings = {"REDIS_URL": redis.url, "BUNDLESVC_PLATFORM_TIMEOUT": str(PLATFORM_SECONDS)}
        with staged(ground, settings) as stage:
            shoppers = stage.shoppers
            _fill_cache(shoppers, redis)
            with _failing(stage):
                during = [_all_at_once(shoppers) for _ in range(ROUNDS)]
            recovered = at_once({handle: partial(_seconds_until_well, each) for handle, each in shoppers.items()})
            afterwards, repeated = _all_at_once(shoppers), _all_at_once(shoppers)
            said = stage.end()
    configured = ground.configured()
    return {
        handle: Report(
            [told[handle] for told in during],
            recovered[handle],
            afterwards[handle],
            repeated[handle],
            [line for line in said if line.event.startswith(f"{shop.domain}: ")],
            configured[handle],
        )
        for handle, shop in ground.shops.items()
    }


def _fill_cache(shoppers: Mapping[str, Shopper], redis: RedisServer) -> None:
    """Bring each shop into its state. Where answers must be old, no ready bytes of GET products may be there."""
    actions = {"warm": (READ, BUNDLE, PRICE), "stale": (BUNDLE, PRICE), "old": (BUNDLE, PRICE), "cold": ()}
    told = at_once({handle: partial(each.do_all, actions[_kept(handle)]) for handle, each in shoppers.items()})
    assert all(answer.ok for answers in told.values() for answer in answers.values()), told
    for handle, shopper in shoppers.items():
        age(redis, shopper.shop.id, KEPT[_kept(handle)].age or 0)


@contextmanager
def _failing(stage: Stage) -> Iterator[None]:
    """Every shop has its fault while the context lasts."""
    platform, shops = stage.platform, stage.ground.shops
    if any(handle.startswith(VANISHED) for handle in shops):
        platform.vanish()
        yield
        platform.appear()
    else:
        faults = {shop.token: FAULTS[handle.partition("-")[0]].fault for handle, shop in shops.items()}
        platform.fail({token: make() for token, make in faults.items() if make})
        yield
        platform.heal()


def _kept(handle: str) -> str:
    return handle.partition("-")[2]


def _all_at_once(shoppers: Mapping[str, Shopper]) -> dict[str, dict[str, Told]]:
    return at_once({handle: shopper.do_all for handle, shopper in shoppers.items()})


def _seconds_until_well(shopper: Shopper) -> float:
    """How long it takes until everything succeeds, and with fresh data."""
    return seconds_until(lambda: all(told.ok and told.age is None for told in shopper.do_all().values()), TIMEOUT)

"""What fails at the database: reads go on, nothing is configured that is not kept, and all is well again soon."""

import time
from collections.abc import Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from functools import partial
from pathlib import Path

import pytest

from tests.failures.database_faults import FAULTS, REFUSAL, DatabaseFault
from tests.failures.log import Line, lines_of
from tests.failures.shopping import ACTIONS, BUNDLE, CONFIGURE, GHOST, PRICE, READ, Told, at_once, seconds_until
from tests.failures.stage import Ground, Stage, staged
from tests.postgres_server import PostgresServer, postgres_server
from tests.process.shop import PAIR_PRODUCT
from tests.process.storm import Rows
from tests.storage.locking import another_process_writing

WARM, COLD = "warm", "cold"
READS = (READ, BUNDLE, PRICE)
WRITES = (CONFIGURE, GHOST)

SLACK = 3.0
BACK_WITHIN = 10.0


@dataclass(frozen=True)
class Report:
    during: Mapping[str, Mapping[str, Told]]
    health: tuple[int, int]
    recovered: float
    afterwards: Mapping[str, Mapping[str, Told]]
    repeated: Mapping[str, Mapping[str, Told]]
    ghosts: int
    lines: Sequence[Line]
    configured: Mapping[str, Rows]


def suffer(fault: DatabaseFault, ground: Ground, server: PostgresServer | None = None) -> Report:
    with staged(ground) as stage:
        assert all(told.ok for told in stage.shopper(WARM).do_all(READS).values())
        with fault.fails(stage, server):
            under_way = at_once({"shops": partial(_shop_around, stage), "health": partial(_health, stage)})
            seconds_until(lambda: len(lines_of(stage.server)) >= len(fault.lines), SLACK)
        recovered = seconds_until(partial(_is_well, stage), BACK_WITHIN + SLACK)
        afterwards, repeated = _shop_around(stage), _shop_around(stage)
        seconds_until(lambda: len(lines_of(stage.server)) >= 2 * len(fault.lines), SLACK)
        variants = stage.platform.standin.shop.products[PAIR_PRODUCT].variants
        lines = stage.end()
    return Report(
        under_way["shops"],
        under_way["health"],
        recovered,
        afterwards,
        repeated,
        len(variants) - 1,
        lines,
        ground.configured(),
    )


def _health(stage: Stage) -> tuple[int, int]:
    return stage.server.get("/healthz").status, stage.server.get("/readyz").status


def _shop_around(stage: Stage) -> Mapping[str, Mapping[str, Told]]:
    return at_once({handle: shopper.do_all for handle, shopper in stage.shoppers.items()})


def _is_well(stage: Stage) -> bool:
    told = [answer for answers in _shop_around(stage).values() for answer in answers.values()]
    return all(answer.ok for answer in told) and stage.server.get("/readyz").status == 200


@pytest.fixture(scope="module")
def reports(postgres: PostgresServer, tmp_path_factory: pytest.TempPathFactory) -> Mapping[str, Report]:
    """Of all faults, which take place at the same time, each at a database of its own."""
    with ExitStack() as stack:

        def at_server(server: PostgresServer) -> tuple[Ground, PostgresServer]:
            address = stack.enter_context(server.lent(server.new_database()))
            return Ground.laid_out((WARM, COLD), tmp_path_factory.mktemp("postgresql"), address), server

        def in_a_file() -> tuple[Ground, None]:
            return Ground.laid_out((WARM, COLD), tmp_path_factory.mktemp("sqlite")), None

        places = {
            "locked": in_a_file(),
            "full": in_a_file(),
            "gone": at_server(postgres),
            "hung": at_server(stack.enter_context(postgres_server())),
        }
        return at_once({name: partial(suffer, fault, *places[name]) for name, fault in FAULTS.items()})


@pytest.fixture(params=FAULTS)
def name(request: pytest.FixtureRequest) -> str:
    """Of a fault."""
    return str(request.param)


def test_what_is_known_can_be_read(reports: Mapping[str, Report], name: str) -> None:
    for action in READS:
        told = reports[name].during[WARM][action]
        assert (told.status, told.age) == (200, None)
        assert told.seconds < SLACK


def test_what_is_not_known_can_be_read_where_the_database_can(reports: Mapping[str, Report], name: str) -> None:
    """Also of a live platform: its token is in the database."""
    for action in READS:
        told = reports[name].during[COLD][action]
        assert told.ok == FAULTS[name].reads
        if not FAULTS[name].reads:
            check_refusal(told)


def test_nothing_is_configured(reports: Mapping[str, Report], name: str) -> None:
    for shop in (WARM, COLD):
        for action in WRITES:
            check_refusal(reports[name].during[shop][action])


def check_refusal(told: Told) -> None:
    assert (told.status, told.code, told.retry_after) == (REFUSAL.status, REFUSAL.code, REFUSAL.retry_after), told.body


def test_nobody_waits_long(reports: Mapping[str, Report], name: str) -> None:
    seconds = [answer.seconds for told in reports[name].during.values() for answer in told.values()]
    assert max(seconds) < FAULTS[name].seconds + SLACK


def test_health(reports: Mapping[str, Report], name: str) -> None:
    """Whether the process lives, and whether it is ready."""
    assert reports[name].health == (200, FAULTS[name].ready)


def test_it_is_well_again_by_itself(reports: Mapping[str, Report], name: str) -> None:
    assert reports[name].recovered < BACK_WITHIN


def test_nothing_is_lost_and_nothing_is_there_twice(reports: Mapping[str, Report], name: str) -> None:
    report = reports[name]
    for shop in (WARM, COLD):
        for action in WRITES:
            first, again = report.afterwards[shop][action], report.repeated[shop][action]
            assert first.ok
            assert again.replayed
            assert again.body == first.body
        assert len(report.configured[shop]) == len(WRITES)
    assert report.ghosts == 1, "what was made before the database failed is used"


def test_the_log_has_a_line_when_it_goes_and_one_when_it_is_back(reports: Mapping[str, Report], name: str) -> None:
    """Of each of the tasks that ask the database once a second."""
    lines, expected = reports[name].lines, FAULTS[name].lines
    lines = [
        line for line in lines if not line.event.startswith("writing last-used times")
    ]  # these are told of as often as tried
    gone = [line.event.partition(":")[0] for line in lines if line.level == "warning"]
    back = [line.event.partition(" works again")[0] for line in lines if line.level == "info"]
    assert sorted(gone) == sorted(back) == sorted(expected)
    assert len(gone) + len(back) == len(lines)


def test_a_lock_that_is_short_is_waited_for(tmp_path: Path) -> None:
    ground = Ground.laid_out([WARM], tmp_path)
    with staged(ground) as stage:
        shopper = stage.shopper(WARM)
        assert all(told.ok for told in shopper.do_all(READS).values())

        def hold() -> None:
            with another_process_writing(ground.address):
                started.append(time.monotonic())
                time.sleep(1)

        started: list[float] = []

        def configure() -> Mapping[str, Told]:
            seconds_until(lambda: started, BACK_WITHIN)
            return shopper.do_all(WRITES)

        told = at_once({"fault": hold, "shopper": configure})["shopper"]
        assert all(answer.ok for answer in told.values())
        assert stage.end() == []
    assert len(ground.configured()[WARM]) == len(WRITES)


def test_connections_that_are_broken_off_are_not_noticed(postgres: PostgresServer, tmp_path: Path) -> None:
    """By anyone: they are made anew."""
    with postgres.lent(postgres.new_database()) as address:
        ground = Ground.laid_out([WARM], tmp_path, address)
        with staged(ground) as stage:
            shopper = stage.shopper(WARM)
            for _ in range(10):
                postgres.break_off(address.rpartition("/")[2])
                told = shopper.do_all()
                assert {action: answer.status for action, answer in told.items()} == dict.fromkeys(ACTIONS, 200)
                assert stage.server.get("/readyz").status == 200
            assert stage.end() == []
        assert len(ground.configured()[WARM]) == len(WRITES)

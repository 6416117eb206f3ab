"""What fails at Redis: clients notice nothing, the platform hardly anything, and the log has a line when it goes and one when
it is back."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial

import pytest

from tests.failures.log import Line
from tests.failures.redis_faults import FAULTS, RedisFault
from tests.failures.shopping import ACTIONS, CONFIGURE, GHOST, Told, at_once, seconds_until
from tests.failures.stage import Ground, Stage, staged
from tests.process.serving import BASE
from tests.process.storm import Rows
from tests.redis_server import redis_server
from tests.standin.faults import Held

SLACK = 3.0
BACK_WITHIN = 10.0
ROUNDS = 2
CALLERS = 10

WARM, COLD, LATER, LIMITED = "warm", "cold", "later", "limited"
RATE_LIMIT = 5

OF_GHOSTS = {"GhostProduct", "NewestVariants", "CreateVariants"}
"""Operations that no cache is asked about."""


@dataclass(frozen=True)
class Report:
    """What became of a service whose Redis failed. `asked`: how often the platform was asked meanwhile, for two shops."""

    during: Sequence[Mapping[str, Told]]
    asked: Mapping[str, int]
    limited: Sequence[int]
    recovered: float
    repeated: Sequence[Mapping[str, Told]]
    shared_again: bool
    lines: Sequence[Line]
    configured: Mapping[str, Rows]


def suffer(fault: RedisFault, ground: Ground) -> Report:
    """Requests of many callers while Redis fails, and when it is back."""
    with redis_server() as redis:
        if fault.before_the_start:
            fault.begin(redis)
        with staged(ground, {"REDIS_URL": redis.url}, fault.program) as stage:
            if not fault.before_the_start:
                assert all(told.ok for told in stage.shopper(WARM).do_all().values())
                fault.begin(redis)
            stage.platform.forget()
            during = [told for _ in range(ROUNDS) for told in _shop_around(stage)]
            asked = stage.platform.asked
            limited = [stage.server.get(f"{BASE}/bundles", ground.shops[LIMITED].key).status for _ in range(7)]
            fault.end(redis)
            recovered = seconds_until(partial(_is_up, stage), BACK_WITHIN + SLACK)
            repeated = [stage.shopper(handle).do_all() for handle in (WARM, COLD, LATER)]
            shared_again = redis.keys(f"bundlesvc:*:{ground.shops[LATER].id}:*:product:*") != []
            lines = stage.end()
    return Report(during, asked, limited, recovered, repeated, shared_again, lines, ground.configured())


def _shop_around(stage: Stage) -> Sequence[Mapping[str, Told]]:
    """Many callers at once, in a shop that was there before and in one that nobody has seen."""
    callers = {number: stage.shopper((WARM, COLD)[number % 2]) for number in range(CALLERS)}
    return list(at_once({number: each.do_all for number, each in callers.items()}).values())


def _is_up(stage: Stage) -> bool:
    return stage.metrics()["bundlesvc_redis_up"] == 1


@pytest.fixture(scope="module")
def reports(tmp_path_factory: pytest.TempPathFactory) -> Mapping[str, Report]:
    """Of all faults: that which time tells of by itself, then the others, which take place at the same time."""
    grounds = {
        name: Ground.laid_out(
            (WARM, COLD, LATER, LIMITED), tmp_path_factory.mktemp("redis"), limits={LIMITED: RATE_LIMIT}
        )
        for name in FAULTS
    }
    timed = {name: suffer(fault, grounds[name]) for name, fault in FAULTS.items() if fault.seconds}
    return timed | at_once(
        {name: partial(suffer, fault, grounds[name]) for name, fault in FAULTS.items() if name not in timed}
    )


@pytest.fixture(params=FAULTS)
def name(request: pytest.FixtureRequest) -> str:
    """Of a fault."""
    return str(request.param)


def test_clients_notice_nothing(reports: Mapping[str, Report], name: str) -> None:
    for told in reports[name].during:
        assert {action: answer.status for action, answer in told.items()} == dict.fromkeys(ACTIONS, 200)
        assert all(answer.age is None for answer in told.values())


def test_nobody_waits_long(reports: Mapping[str, Report], name: str) -> None:
    seconds = [answer.seconds for told in reports[name].during for answer in told.values()]
    assert max(seconds) < FAULTS[name].seconds + SLACK


def test_the_platform_is_asked_once_for_each_shop(reports: Mapping[str, Report], name: str) -> None:
    asked = {operation: times for operation, times in reports[name].asked.items() if operation not in OF_GHOSTS}
    assert asked["ProductsById"] >= 1
    assert max(asked.values()) <= len((WARM, COLD)), asked


def test_limits_hold(reports: Mapping[str, Report], name: str) -> None:
    assert reports[name].limited == [200] * RATE_LIMIT + [429] * 2


def test_it_is_used_again_by_itself(reports: Mapping[str, Report], name: str) -> None:
    assert reports[name].recovered < BACK_WITHIN
    assert reports[name].shared_again


def test_nothing_is_lost_and_nothing_is_there_twice(reports: Mapping[str, Report], name: str) -> None:
    report = reports[name]
    for told in report.repeated:
        assert all(answer.ok for answer in told.values())
    for told, place in ((told, number % 2) for number, told in enumerate(report.during)):
        for action in (CONFIGURE, GHOST):
            assert told[action].body == report.repeated[place][action].body
    assert {handle: len(rows) for handle, rows in report.configured.items()} == {WARM: 2, COLD: 2, LATER: 2, LIMITED: 0}


def test_the_log_has_a_line_when_it_goes_and_one_when_it_is_back(reports: Mapping[str, Report], name: str) -> None:
    said = [(line.level, line.event) for line in reports[name].lines]
    if not FAULTS[name].noticed:
        assert said == []
        return
    (gone, reason), (back, sentence) = said
    assert (gone, back) == ("warning", "info")
    assert "rate limits and the cache are local to this process until it can" in reason
    assert sentence.endswith("can be used again.")


def test_killed_while_the_platform_is_asked(tmp_path_factory: pytest.TempPathFactory) -> None:
    """Whoever waits for the answer gets it."""
    ground = Ground.laid_out([COLD], tmp_path_factory.mktemp("midway"))
    held = Held()
    with redis_server() as redis, staged(ground, {"REDIS_URL": redis.url}) as stage:
        stage.platform.fail({ground.shops[COLD].token: held})

        def kill() -> None:
            seconds_until(lambda: stage.platform.asked, BACK_WITHIN)
            redis.kill()
            stage.platform.heal()

        told = at_once({"callers": partial(_shop_around_in, stage), "fault": kill})["callers"]
        assert all(answer.ok for each in told for answer in each.values())
        assert stage.platform.asked["ProductsById"] == 1
        stage.end()


def _shop_around_in(stage: Stage) -> Sequence[Mapping[str, Told]]:
    callers = {number: stage.shopper(COLD) for number in range(CALLERS)}
    return list(at_once({number: each.do_all for number, each in callers.items()}).values())

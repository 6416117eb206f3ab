"""Redis failures: clients do not notice, the platform gets few calls, and failure and recovery are logged once."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial

import pytest

from tests.failures.log import Line
from tests.failures.redis.redis_faults import FAULTS, RedisFault
from tests.failures.service import Service, Setup, started
from tests.failures.shopping import ACTIONS, CONFIGURE, GHOST, Observed, at_once, seconds_until
from tests.process.serving import BASE
from tests.process.storm import Rows
from tests.servers.redis_server import redis_server
from tests.standin.faults import Held

SLACK = 6.0
RECOVERED_WITHIN = 10.0
ROUNDS = 2
CALLERS = 10

WARM, COLD, LATER, LIMITED = "warm", "cold", "later", "limited"
RATE_LIMIT = 5

OF_GHOSTS = {"GhostProduct", "NewestVariants", "CreateVariants"}
"""Operations that are not cached."""


@dataclass(frozen=True)
class Report:
    """What was observed in a service whose Redis failed. `calls` contains the number of platform calls for two shops during the
    failure, by operation."""

    during: Sequence[Mapping[str, Observed]]
    calls: Mapping[str, int]
    limited: Sequence[int]
    recovered: float
    repeated: Sequence[Mapping[str, Observed]]
    shared_again: bool
    lines: Sequence[Line]
    configured: Mapping[str, Rows]


def run_with_fault(fault: RedisFault, setup: Setup) -> Report:
    """Run the service with a Redis fault: send requests from many callers while Redis fails and after it has recovered."""
    with redis_server() as redis:
        if fault.before_the_start:
            fault.begin(redis)
        with started(setup, {"REDIS_URL": redis.url}, fault.program) as service:
            if not fault.before_the_start:
                assert all(observed.ok for observed in service.shopper(WARM).do_all().values())
                fault.begin(redis)
            service.platform.forget()
            during = [observed for _ in range(ROUNDS) for observed in _send_all_requests(service)]
            calls = service.platform.calls
            limited = [service.server.get(f"{BASE}/bundles", setup.shops[LIMITED].key).status for _ in range(7)]
            fault.end(redis)
            recovered = seconds_until(partial(_is_up, service), RECOVERED_WITHIN + SLACK)
            repeated = [service.shopper(handle).do_all() for handle in (WARM, COLD, LATER)]
            shared_again = redis.keys(f"bundlesvc:*:{{shop:{setup.shops[LATER].id}}}:*:product:*") != []
            lines = service.end()
    return Report(during, calls, limited, recovered, repeated, shared_again, lines, setup.configured())


def _send_all_requests(service: Service) -> Sequence[Mapping[str, Observed]]:
    """Send requests from many callers concurrently: half to a shop with cached data, half to a shop without."""
    callers = {number: service.shopper((WARM, COLD)[number % 2]) for number in range(CALLERS)}
    return list(at_once({number: each.do_all for number, each in callers.items()}).values())


def _is_up(service: Service) -> bool:
    return service.metrics()["bundlesvc_redis_up"] == 1


@pytest.fixture(scope="module")
def reports(tmp_path_factory: pytest.TempPathFactory) -> Mapping[str, Report]:
    """The reports on runs with each Redis fault, by fault name. Faults that depend on timing run first, one at a time; the others
    then run concurrently."""
    setups = {
        name: Setup.prepared(
            (WARM, COLD, LATER, LIMITED), tmp_path_factory.mktemp("redis"), limits={LIMITED: RATE_LIMIT}
        )
        for name in FAULTS
    }
    timed = {name: run_with_fault(fault, setups[name]) for name, fault in FAULTS.items() if fault.seconds}
    return timed | at_once(
        {name: partial(run_with_fault, fault, setups[name]) for name, fault in FAULTS.items() if name not in timed}
    )


@pytest.fixture(params=FAULTS)
def name(request: pytest.FixtureRequest) -> str:
    """The name of a fault."""
    return str(request.param)


def test_clients_notice_nothing(reports: Mapping[str, Report], name: str) -> None:
    for observed in reports[name].during:
        assert {action: response.status for action, response in observed.items()} == dict.fromkeys(ACTIONS, 200)
        assert all(response.age is None for response in observed.values())


def test_waits_are_bounded(reports: Mapping[str, Report], name: str) -> None:
    seconds = [response.seconds for observed in reports[name].during for response in observed.values()]
    assert max(seconds) < FAULTS[name].seconds + SLACK


def test_data_is_fetched_once_for_each_shop(reports: Mapping[str, Report], name: str) -> None:
    calls = {operation: times for operation, times in reports[name].calls.items() if operation not in OF_GHOSTS}
    assert calls["ProductsById"] >= 1
    assert max(calls.values()) <= len((WARM, COLD)), calls


def test_rate_limits_still_apply(reports: Mapping[str, Report], name: str) -> None:
    assert reports[name].limited == [200] * RATE_LIMIT + [429] * 2


def test_redis_is_used_again_by_itself(reports: Mapping[str, Report], name: str) -> None:
    assert reports[name].recovered < RECOVERED_WITHIN
    assert reports[name].shared_again


def test_nothing_is_lost_or_stored_twice(reports: Mapping[str, Report], name: str) -> None:
    report = reports[name]
    for observed in report.repeated:
        assert all(response.ok for response in observed.values())
    for observed, index in ((observed, number % 2) for number, observed in enumerate(report.during)):
        for action in (CONFIGURE, GHOST):
            assert observed[action].body == report.repeated[index][action].body
    assert {handle: len(rows) for handle, rows in report.configured.items()} == {WARM: 2, COLD: 2, LATER: 2, LIMITED: 0}


def test_failure_and_recovery_are_logged_once(reports: Mapping[str, Report], name: str) -> None:
    lines = [(line.level, line.event) for line in reports[name].lines]
    if not FAULTS[name].noticed and not lines:
        return  # the usual case, but on a busy machine a restart may take long enough to be noticed
    (gone, reason), (back, sentence) = lines
    assert (gone, back) == ("warning", "info")
    assert "rate limits and the cache are local to this process until it can" in reason
    assert sentence.endswith("can be used again.")


def test_redis_killed_during_a_fetch(tmp_path_factory: pytest.TempPathFactory) -> None:
    """Requests that wait for a shared fetch get its result even when Redis is killed during the fetch."""
    setup = Setup.prepared([COLD], tmp_path_factory.mktemp("midway"))
    held = Held()
    with redis_server() as redis, started(setup, {"REDIS_URL": redis.url}) as service:
        service.platform.fail({setup.shops[COLD].token: held})

        def kill() -> None:
            seconds_until(lambda: service.platform.calls, RECOVERED_WITHIN)
            redis.kill()
            service.platform.heal()

        observed = at_once({"callers": partial(_send_requests_of_many, service), "fault": kill})["callers"]
        assert all(response.ok for each in observed for response in each.values())
        assert service.platform.calls["ProductsById"] == 1
        service.end()


def _send_requests_of_many(service: Service) -> Sequence[Mapping[str, Observed]]:
    callers = {number: service.shopper(COLD) for number in range(CALLERS)}
    return list(at_once({number: each.do_all for number, each in callers.items()}).values())

"""Platform failures in each state of the cache: the responses to clients, and the recovery."""

from collections.abc import Mapping
from functools import partial

import pytest

from tests.failures.live_platform.drill import PLATFORM_SECONDS, ROUNDS, Cell, Report, drill, handle_of, set_up
from tests.failures.shopping import ACTIONS, CONFIGURE, GHOST, READ, Observed, at_once
from tests.failures.table import CACHE_STATES, FAULTS, VANISHED, Refusal, refusals
from tests.servers.postgres_server import PostgresServer

SLACK = 3.0
"""Extra seconds for a busy machine."""

RECOVERED_WITHIN = 10.0

CELLS = [(fault, state) for fault in FAULTS for state in CACHE_STATES]
RECOVERED = "the platform responds again."


Reports = Mapping[str, Report]


@pytest.fixture(scope="module")
def reports(postgres: PostgresServer, tmp_path_factory: pytest.TempPathFactory) -> Reports:
    """The reports for all combinations of a fault and a cache state. A platform that is down is tested with PostgreSQL; at the
    same time, all other faults are tested with SQLite."""
    others = [fault for fault in FAULTS if fault != VANISHED]
    with postgres.lent(postgres.new_database()) as address:
        setups = [
            set_up(others, tmp_path_factory.mktemp("others")),
            set_up([VANISHED], tmp_path_factory.mktemp(VANISHED), address),
        ]
        found = at_once({setup.address: partial(drill, setup) for setup in setups})
    return {handle: report for reports in found.values() for handle, report in reports.items()}


@pytest.fixture(params=CELLS, ids="-".join)
def cell(request: pytest.FixtureRequest) -> Cell:
    fault, state = request.param
    return fault, state


def test_responses_to_clients(reports: Reports, cell: Cell) -> None:
    fault, state = FAULTS[cell[0]], CACHE_STATES[cell[1]]
    assert len(reports[handle_of(cell)].during) == ROUNDS
    for observed in reports[handle_of(cell)].during:
        for action in ACTIONS:
            allowed = refusals(fault, state, action)
            check(observed[action], allowed)
            aged = action in state.aged
            assert (observed[action].age is not None) == aged
            assert not aged or (observed[action].age or 0) >= (state.age or 0)


def check(observed: Observed, allowed: set[Refusal]) -> None:
    if not allowed:
        assert (observed.status, observed.retry_after) == (200, None), observed.body
        return
    expected = [each.retry_afters for each in allowed if (each.status, each.code) == (observed.status, observed.code)]
    assert expected, observed.body
    assert any(observed.retry_after in seconds for seconds in expected)


def test_waits_are_bounded(reports: Reports, cell: Cell) -> None:
    """Fresh and stale data is returned immediately. Other data arrives within the platform timeout, which covers all fetches of a
    request together."""
    state = CACHE_STATES[cell[1]]
    for observed in reports[handle_of(cell)].during:
        for action in ACTIONS:
            at_once = action in state.served and state.name != "old"
            longest = 0.0 if at_once else PLATFORM_SECONDS
            assert observed[action].seconds < longest + SLACK, action


def test_service_recovers_by_itself(reports: Reports, cell: Cell) -> None:
    assert reports[handle_of(cell)].recovered < RECOVERED_WITHIN
    assert all(observed.ok for observed in reports[handle_of(cell)].afterwards.values())


def test_nothing_is_lost_or_stored_twice(reports: Reports, cell: Cell) -> None:
    """All responses for one idempotency key are identical, and each key has exactly one configured bundle."""
    report = reports[handle_of(cell)]
    for action in (CONFIGURE, GHOST):
        responses = [
            observed[action] for observed in (*report.during, report.afterwards, report.repeated) if observed[action].ok
        ]
        assert len({observed.body for observed in responses}) == 1
        assert report.repeated[action].replayed
    assert len(report.configured) == len((CONFIGURE, GHOST))
    assert report.repeated[READ].body == report.afterwards[READ].body


def test_failure_and_recovery_are_logged_once(reports: Reports, cell: Cell) -> None:
    """One line is logged when the failure begins and one when it ends, however many requests there are."""
    fault, lines = FAULTS[cell[0]], reports[handle_of(cell)].lines
    warnings = [line.event for line in lines if line.level == "warning"]
    endings = [line.event.partition(": ")[2] for line in lines if line.level == "info"]
    assert endings == [RECOVERED] * len(warnings) * fault.ends_at_once
    assert len(warnings) + len(endings) == len(lines)
    assert len(warnings) <= 1
    if fault.line is not None:
        assert [fault.line in line for line in warnings] == [True]

"""What fails at the platform, by what is kept of its answers: what clients are told, and that all is well again soon."""

from collections.abc import Mapping
from functools import partial

import pytest

from tests.failures.drill import PLATFORM_SECONDS, ROUNDS, Cell, Report, drill, handle_of, lay_out
from tests.failures.shopping import ACTIONS, CONFIGURE, GHOST, READ, Told, at_once
from tests.failures.table import FAULTS, KEPT, VANISHED, Refusal, refusals
from tests.postgres_server import PostgresServer

SLACK = 3.0
"""Seconds, for a busy machine."""

BACK_WITHIN = 10.0

CELLS = [(fault, kept) for fault in FAULTS for kept in KEPT]
AGAIN = "the platform answers again."


Reports = Mapping[str, Report]


@pytest.fixture(scope="module")
def reports(postgres: PostgresServer, tmp_path_factory: pytest.TempPathFactory) -> Reports:
    """Of every cell: over SQLite; and, at the same time, over PostgreSQL those of a platform that is not even there."""
    others = [fault for fault in FAULTS if fault != VANISHED]
    with postgres.lent(postgres.new_database()) as address:
        grounds = [
            lay_out(others, tmp_path_factory.mktemp("others")),
            lay_out([VANISHED], tmp_path_factory.mktemp(VANISHED), address),
        ]
        found = at_once({ground.address: partial(drill, ground) for ground in grounds})
    return {handle: report for reports in found.values() for handle, report in reports.items()}


@pytest.fixture(params=CELLS, ids="-".join)
def cell(request: pytest.FixtureRequest) -> Cell:
    fault, kept = request.param
    return fault, kept


def test_what_clients_are_told(reports: Reports, cell: Cell) -> None:
    fault, kept = FAULTS[cell[0]], KEPT[cell[1]]
    assert len(reports[handle_of(cell)].during) == ROUNDS
    for told in reports[handle_of(cell)].during:
        for action in ACTIONS:
            allowed = refusals(fault, kept, action)
            check(told[action], allowed)
            aged = action in kept.aged
            assert (told[action].age is not None) == aged
            assert not aged or (told[action].age or 0) >= (kept.age or 0)


def check(told: Told, allowed: set[Refusal]) -> None:
    if not allowed:
        assert (told.status, told.retry_after) == (200, None), told.body
        return
    expected = [each.retry_afters for each in allowed if (each.status, each.code) == (told.status, told.code)]
    assert expected, told.body
    assert any(told.retry_after in seconds for seconds in expected)


def test_nobody_waits_long(reports: Reports, cell: Cell) -> None:
    """What is fresh or stale is there at once; the rest within the platform's time, for all questions together."""
    kept = KEPT[cell[1]]
    for told in reports[handle_of(cell)].during:
        for action in ACTIONS:
            at_once = action in kept.served and kept.name != "old"
            longest = 0.0 if at_once else PLATFORM_SECONDS
            assert told[action].seconds < longest + SLACK, action


def test_it_is_well_again_by_itself(reports: Reports, cell: Cell) -> None:
    assert reports[handle_of(cell)].recovered < BACK_WITHIN
    assert all(told.ok for told in reports[handle_of(cell)].afterwards.values())


def test_nothing_is_lost_and_nothing_is_there_twice(reports: Reports, cell: Cell) -> None:
    """Every answer under one key is the same, and of each key one configured bundle is there."""
    report = reports[handle_of(cell)]
    for action in (CONFIGURE, GHOST):
        answers = [told[action] for told in (*report.during, report.afterwards, report.repeated) if told[action].ok]
        assert len({told.body for told in answers}) == 1
        assert report.repeated[action].replayed
    assert len(report.configured) == len((CONFIGURE, GHOST))
    assert report.repeated[READ].body == report.afterwards[READ].body


def test_the_log_says_what_changed_and_not_more(reports: Reports, cell: Cell) -> None:
    """One line when it begins, one when it ends, however many requests there were; no more of them are there than of those."""
    fault, lines = FAULTS[cell[0]], reports[handle_of(cell)].lines
    warnings = [line.event for line in lines if line.level == "warning"]
    endings = [line.event.partition(": ")[2] for line in lines if line.level == "info"]
    assert endings == [AGAIN] * len(warnings) * fault.ends_at_once
    assert len(warnings) + len(endings) == len(lines)
    assert len(warnings) <= 1
    if fault.line is not None:
        assert [fault.line in line for line in warnings] == [True]

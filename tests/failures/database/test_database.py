"""Database failures: reads continue, every confirmed configure call is stored, and the service recovers soon."""

import re
import time
from collections.abc import Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from functools import partial
from pathlib import Path

import pytest

from tests.failures.database.database_faults import FAULTS, REFUSAL, DatabaseFault
from tests.failures.log import Line, lines_of
from tests.failures.service import Service, Setup, started
from tests.failures.shopping import ACTIONS, BUNDLE, CONFIGURE, GHOST, PRICE, READ, Observed, at_once, seconds_until
from tests.process.shop import PAIR_PRODUCT
from tests.process.storm import Rows
from tests.servers.postgres_server import PostgresServer, postgres_server
from tests.storage.locking import another_process_writing

WARM, COLD = "warm", "cold"
READS = (READ, BUNDLE, PRICE)
WRITES = (CONFIGURE, GHOST)

SLACK = 8.0
FROM_MEMORY = 4.0
RECOVERED_WITHIN = 10.0

RARE_TASKS = (
    "writing last-used times",
    "the check of ghost variants",
    "the count of ghost variants",
    "the measurement of standby servers",
    "the measurement of the database",
    "storing the usage of keys",
    "the expiry of stored responses",
)
"""Tasks that may or may not run during a fault."""


@dataclass(frozen=True)
class Report:
    during: Mapping[str, Mapping[str, Observed]]
    health: tuple[int, int]
    metrics: Mapping[str, float]
    recovered: float
    afterwards: Mapping[str, Mapping[str, Observed]]
    repeated: Mapping[str, Mapping[str, Observed]]
    ghosts: int
    lines: Sequence[Line]
    configured: Mapping[str, Rows]


def run_with_fault(fault: DatabaseFault, setup: Setup, server: PostgresServer | None = None) -> Report:
    with started(setup) as service:
        assert all(observed.ok for observed in service.shopper(WARM).do_all(READS).values())
        with fault.fails(service, server):
            observed = _send_all_requests(service)
            seconds_until(lambda: len(_frequent_lines(service)) >= len(fault.lines), SLACK)
            health, metrics = _health(service), service.metrics()
        recovered = seconds_until(partial(_has_recovered, service), RECOVERED_WITHIN + SLACK)
        afterwards, repeated = _send_all_requests(service), _send_all_requests(service)
        seconds_until(lambda: len(_frequent_lines(service)) >= 2 * len(fault.lines), SLACK)
        variants = service.platform.standin.shop.products[PAIR_PRODUCT].variants
        lines = _without_rare_tasks(service.end())
    return Report(
        observed,
        health,
        metrics,
        recovered,
        afterwards,
        repeated,
        len(variants) - 1,
        lines,
        setup.configured(),
    )


def _frequent_lines(service: Service) -> Sequence[Line]:
    return _without_rare_tasks(lines_of(service.server))


def _without_rare_tasks(lines: Sequence[Line]) -> Sequence[Line]:
    return [line for line in lines if not line.event.startswith(RARE_TASKS)]


def _health(service: Service) -> tuple[int, int]:
    return service.server.get("/healthz").status, service.server.get("/readyz").status


def _send_all_requests(service: Service) -> Mapping[str, Mapping[str, Observed]]:
    return at_once({handle: shopper.do_all for handle, shopper in service.shoppers.items()})


def _has_recovered(service: Service) -> bool:
    observed = [response for responses in _send_all_requests(service).values() for response in responses.values()]
    return all(response.ok for response in observed) and service.server.get("/readyz").status == 200


@pytest.fixture(scope="module")
def reports(postgres: PostgresServer, tmp_path_factory: pytest.TempPathFactory) -> Mapping[str, Report]:
    """The report on each fault, by the fault's name. All faults are caused at the same time, each in its own database."""
    with ExitStack() as stack:

        def at_server(server: PostgresServer) -> tuple[Setup, PostgresServer]:
            address = stack.enter_context(server.lent(server.new_database()))
            return Setup.prepared((WARM, COLD), tmp_path_factory.mktemp("postgresql"), address), server

        def in_a_file() -> tuple[Setup, None]:
            return Setup.prepared((WARM, COLD), tmp_path_factory.mktemp("sqlite")), None

        places = {
            "locked": in_a_file(),
            "full": in_a_file(),
            "read-only": at_server(postgres),
            "gone": at_server(stack.enter_context(postgres_server())),
            "hung": at_server(stack.enter_context(postgres_server())),
        }
        return at_once({name: partial(run_with_fault, fault, *places[name]) for name, fault in FAULTS.items()})


@pytest.fixture(params=FAULTS)
def name(request: pytest.FixtureRequest) -> str:
    """The name of a fault."""
    return str(request.param)


def test_data_in_memory_can_be_read(reports: Mapping[str, Report], name: str) -> None:
    for action in READS:
        observed = reports[name].during[WARM][action]
        assert (observed.status, observed.age) == (200, None)
        assert observed.seconds < FROM_MEMORY


def test_other_data_can_be_read_if_the_database_can(reports: Mapping[str, Report], name: str) -> None:
    """During a fault, data that is not in memory can still be read, provided that the database can be read. This also applies to
    data from a live platform, whose access token is stored in the database."""
    for action in READS:
        observed = reports[name].during[COLD][action]
        assert observed.ok == FAULTS[name].reads
        if not FAULTS[name].reads:
            check_refusal(observed)


def test_configure_is_refused(reports: Mapping[str, Report], name: str) -> None:
    for shop in (WARM, COLD):
        for action in WRITES:
            observed = reports[name].during[shop][action]
            check_refusal(observed)
            assert FAULTS[name].sentence in observed.body.decode()


def check_refusal(observed: Observed) -> None:
    assert (observed.status, observed.code, observed.retry_after) == (
        REFUSAL.status,
        REFUSAL.code,
        REFUSAL.retry_after,
    ), observed.body


def test_waits_are_bounded(reports: Mapping[str, Report], name: str) -> None:
    seconds = [response.seconds for observed in reports[name].during.values() for response in observed.values()]
    assert max(seconds) < FAULTS[name].seconds + SLACK


def test_health(reports: Mapping[str, Report], name: str) -> None:
    """During a fault, /healthz responds with 200, and /readyz responds with the status expected for that fault."""
    assert reports[name].health == (200, FAULTS[name].ready)


def test_failures_are_counted_by_reason(reports: Mapping[str, Report], name: str) -> None:
    metrics = reports[name].metrics
    assert metrics["bundlesvc_storage_up"] == 0
    assert metrics[f'bundlesvc_storage_failures_total{{reason="{FAULTS[name].reason}"}}'] > 0


def test_service_recovers_by_itself(reports: Mapping[str, Report], name: str) -> None:
    assert reports[name].recovered < RECOVERED_WITHIN


def test_nothing_is_lost_or_stored_twice(reports: Mapping[str, Report], name: str) -> None:
    report = reports[name]
    for shop in (WARM, COLD):
        for action in WRITES:
            first, again = report.afterwards[shop][action], report.repeated[shop][action]
            assert first.ok
            assert again.replayed
            assert again.body == first.body
        assert len(report.configured[shop]) == len(WRITES)
    assert report.ghosts == 1, "the ghost created before the failure is used"


def test_failure_and_recovery_are_logged_once(reports: Mapping[str, Report], name: str) -> None:
    """Failure and recovery are logged once for the database and, if it cannot be read, once for each task that polls it every
    second. Rare tasks are ignored."""
    lines, expected = reports[name].lines, FAULTS[name].lines
    begin = f" failed:| fails \\({FAULTS[name].reason}\\):"
    gone = [re.split(begin, line.event)[0] for line in lines if line.level == "warning"]
    back = [line.event.partition(" works again")[0] for line in lines if line.level == "info"]
    assert (sorted(gone), sorted(back)) == (sorted(expected), sorted(expected))
    assert len(gone) + len(back) == len(lines)


def test_short_lock_is_waited_for(tmp_path: Path) -> None:
    setup = Setup.prepared([WARM], tmp_path)
    with started(setup) as service:
        shopper = service.shopper(WARM)
        assert all(observed.ok for observed in shopper.do_all(READS).values())

        def hold() -> None:
            with another_process_writing(setup.address):
                locked.append(time.monotonic())
                time.sleep(1)

        locked: list[float] = []

        def configure() -> Mapping[str, Observed]:
            seconds_until(lambda: locked, RECOVERED_WITHIN)
            return shopper.do_all(WRITES)

        observed = at_once({"fault": hold, "shopper": configure})["shopper"]
        assert all(response.ok for response in observed.values())
        assert service.end() == []
    assert len(setup.configured()[WARM]) == len(WRITES)


def test_broken_connections_are_not_noticed(postgres: PostgresServer, tmp_path: Path) -> None:
    """The service reconnects after its connections are broken, and clients notice nothing."""
    with postgres.lent(postgres.new_database()) as address:
        setup = Setup.prepared([WARM], tmp_path, address)
        with started(setup) as service:
            shopper = service.shopper(WARM)
            for _ in range(10):
                postgres.break_off(address.rpartition("/")[2])
                observed = shopper.do_all()
                assert {action: response.status for action, response in observed.items()} == dict.fromkeys(ACTIONS, 200)
                assert service.server.get("/readyz").status == 200
            assert service.end() == []
        assert len(setup.configured()[WARM]) == len(WRITES)

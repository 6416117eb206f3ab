"""The promises that the service must keep during a soak test, each described in one line."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from tests.process.serving import Server
from tests.process.storm import Stored, Storm, check_keys, check_nothing_is_incomplete, check_responses
from tests.soak.disturbances import Report
from tests.soak.watch import Life

MEMORY_GROWTH, DESCRIPTOR_GROWTH = 1.1, 1.05
P99_SECONDS = 2.0
REPLAYS = 500
"""The number of stored responses that are replayed at the end."""


@dataclass(frozen=True)
class Promise:
    """A promise and whether it was kept. `timed` says whether the outcome also depends on the speed of the machine."""

    name: str
    measured: str
    kept: bool
    timed: bool = False


@dataclass(frozen=True)
class Result:
    """Everything observed during a soak test. `flood` is the summary of `tests.soak.flood.Flood`."""

    lives: Sequence[Life]
    flood: dict[str, Any]
    storm: Storm
    report: Report
    errors: Sequence[str]
    """Lines of the log with errors, and everything written to standard error."""


def promises(result: Result, stored: Stored, server: Server) -> Iterator[Promise]:
    yield from _steady(result.lives)
    yield from _refusals(result)
    yield _checked(
        "every write with a response is stored",
        f"{len(result.storm.responses)} writes",
        lambda: check_responses(stored, result.storm),
    )
    yield _checked(
        "nothing is stored incompletely",
        f"{len(stored.configured)} configured bundles",
        lambda: check_nothing_is_incomplete(stored),
    )
    yield _replays(result.storm, server)
    yield Promise("no errors in the log", _first(result.errors) or "none", not result.errors)


def table(rows: Sequence[Promise]) -> Iterator[str]:
    width = max(len(row.name) for row in rows)
    for row in rows:
        yield f"{'kept  ' if row.kept else 'BROKEN'}  {row.name:{width}}  {row.measured}"


def _steady(lives: Sequence[Life]) -> Iterator[Promise]:
    """Check that memory use and the number of open descriptors do not grow in the process life with the most samples, and that
    the event loop is never blocked in any life. Growth in shorter lives is not checked, because their caches are still
    filling."""
    life = max(lives, key=lambda life: len(life.samples))
    before, after = life.memory
    yield Promise(
        "memory is flat after the warm-up",
        f"{before:.0f} to {after:.0f} MiB",
        after <= before * MEMORY_GROWTH,
        timed=True,
    )
    before, after = life.descriptors
    yield Promise(
        "open descriptors are flat", f"{before:.0f} to {after:.0f}", after <= before * DESCRIPTOR_GROWTH, timed=True
    )
    lags, long, held = (sum(getattr(life, name) for life in lives) for name in ("lags", "long_lags", "held"))
    yield Promise(
        "the service never holds up its event loop over 100 ms",
        f"{held} of {lags} measurements, and {long} with the time it waited for a core, which its clients share",
        not held,
        timed=True,
    )


def _refusals(result: Result) -> Iterator[Promise]:
    flood = result.flood
    p99 = float(flood["seconds"])
    yield Promise(
        "accepted requests: 99% in time", f"{p99:.2f} s, limit {P99_SECONDS:.0f} s", p99 <= P99_SECONDS, timed=True
    )
    others = set(flood["statuses"]) - {"200", "429", "503"}
    explained = not flood["unexplained"] and not others
    yield Promise("refusals are 429 or 503 with Retry-After", _counts(flood["statuses"]), explained)
    faults = result.report.faults
    yield Promise("live shops fail only with their platform", _first(faults) or _counts(result.report.done), not faults)


def _replays(storm: Storm, server: Server) -> Promise:
    def check() -> None:
        for call, body in list(check_keys(storm).values())[-REPLAYS:]:
            response = server.post(call.path, storm.key, call.body, call.headers)
            assert (response.status, response.body) == (200, body), call
            assert response.headers["Idempotent-Replayed"] == "true", call

    replayed = sum(replay for *_, replay in storm.responses)
    return _checked(
        "a retry gets the same bytes", f"{replayed} retries during the soak, up to {REPLAYS} after it", check
    )


def _checked(name: str, measured: str, check: Callable[[], None]) -> Promise:
    try:
        check()
    except AssertionError as error:
        return Promise(name, str(error).splitlines()[0][:200] if str(error) else "failed", kept=False)
    return Promise(name, measured, kept=True)


def _first(faults: Sequence[str]) -> str:
    return f"{len(faults)}, the first: {faults[0][:300]}" if faults else ""


def _counts(numbers: dict[str, int]) -> str:
    return ", ".join(f"{name} {number}" for name, number in sorted(numbers.items()))

"""The responses to clients while the platform fails, by fault and by state of the cache (docs/contract.md#live-data).

Also generates the tables of these responses in docs/failures.md.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from tests.failures.shopping import ACTIONS, BUNDLE, CONFIGURE, GHOST, PRICE, READ
from tests.standin.faults import Fault, HalfBody, Held, out_of_points, refused, server_error


@dataclass(frozen=True)
class Refusal:
    """An error response. `retry_after` is in seconds; with `counts_down`, a smaller value is also allowed."""

    status: int
    code: str
    retry_after: int
    counts_down: bool = False

    @property
    def retry_afters(self) -> range:
        """The allowed values of `Retry-After`."""
        return range(1 if self.counts_down else self.retry_after, self.retry_after + 1)

    def __str__(self) -> str:
        return f"{self.status} `{self.code}`"


CALLS_PAUSED = Refusal(503, "platform_unavailable", 5, counts_down=True)
"""The response after five failures in a row."""


@dataclass(frozen=True)
class PlatformFault:
    """One way in which the platform can fail. `fault`: the fault that the stand-in simulates, or None if the stand-in does not
    listen at all. `line`: the log line that must appear once, or None if it depends on the number of failures. `ends_at_once`:
    whether the end of the failure is logged immediately."""

    name: str
    words: str
    refusal: Refusal
    fault: Callable[[], Fault] | None
    line: str | None = None
    may_pause_calls: bool = True
    ends_at_once: bool = True

    @property
    def too_old(self) -> Refusal:
        """The response to price and configure requests for which the cached data is too old."""
        return self.refusal if self.refusal.code == "platform_not_connected" else CALLS_PAUSED


VANISHED = "vanished"
FAULTS = {
    fault.name: fault
    for fault in (
        PlatformFault("broken", "responds with 500", Refusal(502, "platform_error", 5), server_error),
        PlatformFault("half", "breaks off its responses", Refusal(502, "platform_error", 5), HalfBody),
        PlatformFault("hung", "does not respond", Refusal(504, "platform_timeout", 5), Held),
        PlatformFault(VANISHED, "cannot be connected to", Refusal(503, "platform_unavailable", 5), None),
        PlatformFault(
            "throttled",
            "throttles for longer than a request may wait",
            Refusal(503, "platform_unavailable", 1),
            out_of_points,
            line="the platform throttles",
            may_pause_calls=False,
            ends_at_once=False,
        ),
        PlatformFault(
            "refused",
            "refuses the token (401)",
            Refusal(503, "platform_not_connected", 5, counts_down=True),
            lambda: refused(401),
            line="the access token is refused",
            may_pause_calls=False,
        ),
    )
}


@dataclass(frozen=True)
class CacheState:
    """A state of the cache. `age`: the age of the entries in seconds, or None for an empty cache. `served`: the actions that
    succeed; `aged`: the actions whose response has an `Age` header."""

    name: str
    words: str
    age: int | None
    served: frozenset[str]
    aged: frozenset[str] = frozenset()
    refused_for_age: frozenset[str] = frozenset()


CACHE_STATES = {
    state.name: state
    for state in (
        CacheState("cold", "nothing", None, frozenset()),
        CacheState("warm", "fresh", 0, frozenset(ACTIONS) - {GHOST}),
        CacheState(
            "stale", "up to `BUNDLESVC_PRICE_MAX_AGE` old", 120, frozenset(ACTIONS) - {GHOST}, frozenset({READ})
        ),
        CacheState(
            "old",
            "older, up to a day",
            3600,
            frozenset({READ, BUNDLE}),
            frozenset({READ}),
            frozenset({PRICE, CONFIGURE, GHOST}),
        ),
    )
}


def refusals(fault: PlatformFault, state: CacheState, action: str) -> set[Refusal]:
    """Return the error responses that an action may get; the set is empty if the action must succeed."""
    if action in state.served:
        return set()
    own = fault.too_old if action in state.refused_for_age else fault.refusal
    return {own, CALLS_PAUSED} if fault.may_pause_calls else {own}


def table_of_faults() -> Iterator[str]:
    """Generate the table of platform failures in docs/failures.md, line by line."""
    yield "| the platform | the error | `Retry-After` |"
    yield "|---|---|---|"
    for fault in FAULTS.values():
        yield f"| {fault.words} | {fault.refusal} | {fault.refusal.retry_after} |"


_KINDS_OF_REQUESTS = {
    "reads": READ,
    "price, configure": PRICE,
    "configure that makes a ghost variant": GHOST,
}


def table_of_cache_states() -> Iterator[str]:
    """Generate the table of responses by cache state in docs/failures.md, line by line."""
    yield f"| what is cached | {' | '.join(_KINDS_OF_REQUESTS)} |"
    yield "|---|---|---|---|"
    for state in CACHE_STATES.values():
        yield f"| {state.words} | {' | '.join(_words(state, action) for action in _KINDS_OF_REQUESTS.values())} |"


def _words(state: CacheState, action: str) -> str:
    if action in state.refused_for_age:
        return str(CALLS_PAUSED)
    if action not in state.served:
        return "the error"
    return "200, with `Age`" if action in state.aged else "200"

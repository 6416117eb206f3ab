"""What clients must see while the platform fails, by what fails and by what is kept of its answers (design 4, 9 and 13).

docs/operations.md has the same facts as tables, which are made here.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from tests.failures.shopping import ACTIONS, BUNDLE, CONFIGURE, GHOST, PRICE, READ
from tests.standin.faults import Fault, HalfBody, Held, out_of_points, refused, server_error


@dataclass(frozen=True)
class Refusal:
    """An error answer; `retry_after` in seconds, or what is left of them where it `counts_down`."""

    status: int
    code: str
    retry_after: int
    counts_down: bool = False

    @property
    def retry_afters(self) -> range:
        """Those that may be told."""
        return range(1 if self.counts_down else self.retry_after, self.retry_after + 1)

    def __str__(self) -> str:
        return f"{self.status} `{self.code}`"


LEFT_ALONE = Refusal(503, "platform_unavailable", 5, counts_down=True)
"""What follows five failures in a row."""


@dataclass(frozen=True)
class PlatformFault:
    """One way to fail. `fault` is how the stand-in does it; none where it does not even listen. `line` is what the log must
    say, once; none where that depends on how many failures there were. `ends_at_once`: the log says so when it is over."""

    name: str
    words: str
    refusal: Refusal
    fault: Callable[[], Fault] | None
    line: str | None = None
    may_leave_alone: bool = True
    ends_at_once: bool = True

    @property
    def too_old(self) -> Refusal:
        """The answer where money depends on what is too old."""
        return self.refusal if self.refusal.code == "platform_not_connected" else LEFT_ALONE


VANISHED = "vanished"
FAULTS = {
    fault.name: fault
    for fault in (
        PlatformFault("broken", "answers 500", Refusal(502, "platform_error", 5), server_error),
        PlatformFault("half", "breaks off in the middle of its answers", Refusal(502, "platform_error", 5), HalfBody),
        PlatformFault("hung", "does not answer", Refusal(504, "platform_timeout", 5), Held),
        PlatformFault(VANISHED, "cannot be connected to", Refusal(503, "platform_unavailable", 5), None),
        PlatformFault(
            "throttled",
            "throttles for longer than there is time",
            Refusal(503, "platform_unavailable", 1),
            out_of_points,
            line="the platform throttles",
            may_leave_alone=False,
            ends_at_once=False,
        ),
        PlatformFault(
            "refused",
            "refuses the token (401)",
            Refusal(503, "platform_not_connected", 5, counts_down=True),
            lambda: refused(401),
            line="the access token is refused",
            may_leave_alone=False,
        ),
    )
}


@dataclass(frozen=True)
class Kept:
    """What is kept of the platform's answers: nothing where `age` (seconds) is None. `served` are the actions that succeed,
    `aged` those whose answer says how old it is."""

    name: str
    words: str
    age: int | None
    served: frozenset[str]
    aged: frozenset[str] = frozenset()
    refused_for_age: frozenset[str] = frozenset()


KEPT = {
    kept.name: kept
    for kept in (
        Kept("cold", "nothing", None, frozenset()),
        Kept("warm", "fresh", 0, frozenset(ACTIONS) - {GHOST}),
        Kept("stale", "up to `BUNDLESVC_PRICE_MAX_AGE` old", 120, frozenset(ACTIONS) - {GHOST}, frozenset({READ})),
        Kept(
            "old",
            "older, up to a day",
            3600,
            frozenset({READ, BUNDLE}),
            frozenset({READ}),
            frozenset({PRICE, CONFIGURE, GHOST}),
        ),
    )
}


def refusals(fault: PlatformFault, kept: Kept, action: str) -> set[Refusal]:
    """The answers that an action may get instead of success; none where it must succeed."""
    if action in kept.served:
        return set()
    own = fault.too_old if action in kept.refused_for_age else fault.refusal
    return {own, LEFT_ALONE} if fault.may_leave_alone else {own}


def table_of_faults() -> Iterator[str]:
    """As the guide has it."""
    yield "| the platform | the error | `Retry-After` |"
    yield "|---|---|---|"
    for fault in FAULTS.values():
        yield f"| {fault.words} | {fault.refusal} | {fault.refusal.retry_after} |"


_KINDS_OF_REQUESTS = {
    "reads": READ,
    "price, configure": PRICE,
    "configure that makes a ghost variant": GHOST,
}


def table_of_kept() -> Iterator[str]:
    """As the guide has it."""
    yield f"| what is cached | {' | '.join(_KINDS_OF_REQUESTS)} |"
    yield "|---|---|---|---|"
    for kept in KEPT.values():
        yield f"| {kept.words} | {' | '.join(_words(kept, action) for action in _KINDS_OF_REQUESTS.values())} |"


def _words(kept: Kept, action: str) -> str:
    if action in kept.refused_for_age:
        return str(LEFT_ALONE)
    if action not in kept.served:
        return "the error"
    return "200, with `Age`" if action in kept.aged else "200"

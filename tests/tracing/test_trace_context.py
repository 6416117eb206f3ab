"""The headers of W3C Trace Context."""

import pytest
from multidict import CIMultiDict

from bundlesvc.tracing.trace_context import parent_of

TRACE, SPAN = "4bf92f3577b34da6a3ce929d0e0e4736", "00f067aa0ba902b7"
PARENT = f"00-{TRACE}-{SPAN}-01"


def passed_on(*sent: tuple[str, str]) -> dict[str, str] | None:
    parent = parent_of(CIMultiDict(sent))
    return None if parent is None else dict(parent.headers)


@pytest.mark.parametrize("sent", [PARENT, f"00-{TRACE}-{SPAN}-00", f"00-{TRACE}-{SPAN}-ff"])
def test_trace_is_passed_on_unchanged(sent: str) -> None:
    assert passed_on(("Traceparent", sent)) == {"traceparent": sent}


@pytest.mark.parametrize("sent", [f"cc-{TRACE}-{SPAN}-01", f"01-{TRACE}-{SPAN}-01-what-the-future-brings"])
def test_later_version_is_read_as_this_one(sent: str) -> None:
    assert passed_on(("traceparent", sent)) == {"traceparent": PARENT}


@pytest.mark.parametrize(
    "sent",
    [
        "",
        "hunter2",
        f"00-{TRACE}-{SPAN}",
        f"00-{TRACE}-{SPAN}-01-more",
        f"00-{TRACE.upper()}-{SPAN}-01",
        f"00-{'0' * 32}-{SPAN}-01",
        f"00-{TRACE}-{'0' * 16}-01",
        f"ff-{TRACE}-{SPAN}-01",
        f"01-{TRACE}-{SPAN}-01more",
        f" {PARENT}",
        f"{PARENT}\n",
        f"{PARENT}, {PARENT}",
        PARENT.replace("4", "\N{ARABIC-INDIC DIGIT FOUR}"),
    ],
)
def test_invalid_trace_is_ignored(sent: str) -> None:
    assert passed_on(("traceparent", sent), ("tracestate", "vendor=1")) is None


def test_two_traces_are_none() -> None:
    assert passed_on(("traceparent", PARENT), ("traceparent", PARENT)) is None


def test_states_are_joined() -> None:
    sent = passed_on(("traceparent", PARENT), ("tracestate", "a=1"), ("tracestate", "b=2,c=3"))
    assert sent == {"traceparent": PARENT, "tracestate": "a=1,b=2,c=3"}


@pytest.mark.parametrize("state", ["", "a=1\r\nX-Other: 1", "a=\N{LATIN SMALL LETTER E WITH ACUTE}", "a" * 513])
def test_invalid_state_is_left_out(state: str) -> None:
    assert passed_on(("traceparent", PARENT), ("tracestate", state)) == {"traceparent": PARENT}

"""The headers of W3C Trace Context, which identify the trace that a request belongs to."""

import re
from collections.abc import Mapping
from typing import NamedTuple

from multidict import MultiMapping, istr

TRACEPARENT, TRACESTATE = istr("traceparent"), istr("tracestate")

_PARENT = re.compile(
    r"(?!ff)([0-9a-f]{2})-(?!0{32})([0-9a-f]{32})-(?!0{16})([0-9a-f]{16})-([0-9a-f]{2})(-.*)?", re.ASCII
)
_STATE = re.compile(r"[\x20-\x7e]{1,512}", re.ASCII)


class Parent(NamedTuple):
    """The parent span named in the headers of a request."""

    trace_id: str
    span_id: str
    flags: str
    state: str

    @property
    def headers(self) -> Mapping[str, str]:
        """The request headers that propagate the trace."""
        passed = {"traceparent": f"00-{self.trace_id}-{self.span_id}-{self.flags}"}
        return {**passed, "tracestate": self.state} if self.state else passed


def parent_of(headers: MultiMapping[str]) -> Parent | None:
    """Parse the trace in the headers of a request. Returns None when it is absent or invalid; invalid trace headers are ignored,
    as the standard requires."""
    sent = headers.getall(TRACEPARENT, ())
    found = _PARENT.fullmatch(sent[0]) if len(sent) == 1 else None
    if found is None or (found[1] == "00" and found[5]):
        return None
    state = ",".join(headers.getall(TRACESTATE, ()))
    return Parent(found[2], found[3], found[4], state if _STATE.fullmatch(state) else "")

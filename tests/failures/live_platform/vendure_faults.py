"""The ways in which Vendure can fail, and what clients see. Also generates the table of these failures in
docs/connecting-vendure.md."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from tests.failures.table import CALLS_PAUSED, Refusal
from tests.standin.faults import Answered, Fault, HalfBody, Held, server_error

PART_OF_THE_DATA: Mapping[str, Any] = {"activeChannel": None, "products": {"items": []}, "globalSettings": None}


def graphql_error(code: str, status: int = 200, data: Mapping[str, Any] | None = None) -> Answered:
    """Build a response of the Admin API that contains an error with this code."""
    return Answered(status, {"errors": [{"message": "No.", "extensions": {"code": code}}], "data": data})


@dataclass(frozen=True)
class VendureFault:
    """One way in which Vendure can fail. `line` is text that is expected in the log; it is set only for faults that are not
    retried. Faults that are retried may also pause all calls."""

    words: str
    refusal: Refusal
    fault: Callable[[], Fault]
    line: str = ""

    @property
    def refusals(self) -> set[Refusal]:
        """The error responses that a client may get when Vendure fails in this way."""
        return {self.refusal} if self.line else {self.refusal, CALLS_PAUSED}


ERROR = Refusal(502, "platform_error", 5)
UNAVAILABLE = Refusal(503, "platform_unavailable", 5, counts_down=True)

FAULTS = {
    "forbidden": VendureFault(
        "refuses the key, or the key lacks a permission (200 with `FORBIDDEN`)",
        Refusal(503, "platform_not_connected", 5),
        lambda: graphql_error("FORBIDDEN"),
        line="the key is refused, or lacks the permission ReadCatalog",
    ),
    "invalid": VendureFault(
        "refuses a query (400): its version has another schema",
        ERROR,
        lambda: graphql_error("GRAPHQL_VALIDATION_FAILED", 400),
        line="the platform refuses a query of this service: GRAPHQL_VALIDATION_FAILED",
    ),
    "channel": VendureFault(
        "has no channel with the token in the shop file",
        ERROR,
        lambda: graphql_error("CHANNEL_NOT_FOUND"),
        line="there is no channel with the token",
    ),
    "null": VendureFault(
        "sends null where data is required",
        ERROR,
        lambda: Answered(200, {"data": PART_OF_THE_DATA}),
        line="a response does not match the schema",
    ),
    "part": VendureFault(
        "sends part of the data with an error",
        ERROR,
        lambda: graphql_error("INTERNAL_SERVER_ERROR", data=PART_OF_THE_DATA),
    ),
    "broken": VendureFault("responds with 500", ERROR, server_error),
    "half": VendureFault("breaks off its responses", ERROR, HalfBody),
    "gateway": VendureFault("is unreachable (no connection, 502, 503)", UNAVAILABLE, lambda: Answered(502)),
    "hung": VendureFault("does not respond in time (or 504)", Refusal(504, "platform_timeout", 5), Held),
    "busy": VendureFault("is behind a proxy that refuses calls (429)", UNAVAILABLE, lambda: Answered(429)),
}


def table_of_vendure() -> Iterator[str]:
    """Generate the table of Vendure failures in docs/connecting-vendure.md, line by line."""
    yield "| Vendure | the error | `Retry-After` |"
    yield "|---|---|---|"
    for fault in FAULTS.values():
        yield f"| {fault.words} | {fault.refusal} | {fault.refusal.retry_after} |"

"""Reports the open requests about shoppers' data that platforms have sent, and whether they are overdue."""

from collections.abc import Iterable, Iterator
from datetime import UTC, date, datetime
from shlex import quote

from bundlesvc.domain.shopper import ERASE, EXPORT, GRACE, ReceivedRequest
from bundlesvc.services.diagnosis.check_result import FAULT, NOTE, CheckResult


def request_results(requests: Iterable[ReceivedRequest], now: float) -> Iterator[CheckResult]:
    """Yield a result for each open request. An overdue request is a fault."""
    for received in requests:
        status = FAULT if now > received.due_at else NOTE
        sentence, remedy = _described(received)
        code = "shopper_requests"
        yield CheckResult(status, code, f"{sentence}; due on {_date(received.due_at)}.", remedy, received.shop)


def _described(received: ReceivedRequest) -> tuple[str, str]:
    kind, subject = received.request.kind, received.request.subject
    if kind == EXPORT:
        return f"the platform requests the data of {subject}", f"Send it: bundlesvc shoppers export {quote(subject)}"
    if kind == ERASE:
        return "the platform requests to erase a shopper", "A running service does so within a minute."
    return (
        "the platform requests to delete this shop, because its app was uninstalled",
        f"A running service does so on {_date(received.received_at + GRACE)}, unless the app is installed again.",
    )


def _date(seconds: int) -> date:
    return datetime.fromtimestamp(seconds, UTC).date()

"""The result of a check."""

from dataclasses import dataclass

OK, NOTE, FAULT = "ok", "note", "fault"


@dataclass(frozen=True, slots=True)
class CheckResult:
    """The result of one check. `status`: OK, NOTE (may be intended) or FAULT. `code` names the check, `shop` the shop that it
    is about; `remedy` says how to fix a fault."""

    status: str
    code: str
    sentence: str
    remedy: str = ""
    shop: str | None = None

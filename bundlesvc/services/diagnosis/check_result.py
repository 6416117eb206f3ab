"""The result of one check of the diagnosis."""

from dataclasses import dataclass

OK, NOTE, FAULT = "ok", "note", "fault"


@dataclass(frozen=True, slots=True)
class CheckResult:
    """The result of one check. `status` is OK, NOTE (may be intended) or FAULT. `code` identifies the check; `shop` is the shop
    concerned, if any; `remedy` says how to fix a fault."""

    status: str
    code: str
    sentence: str
    remedy: str = ""
    shop: str | None = None

"""The audit log: who changed what, when, and from where."""

from collections.abc import Iterable
from dataclasses import dataclass
from itertools import islice
from typing import NamedTuple

from bundlesvc.domain.revisions.difference import Change
from bundlesvc.domain.revisions.plain import ABSENT, Plain, dotted

CREATE, EDIT, PUBLISH, SCHEDULE, UNSCHEDULE, DISCARD, REVERT = (
    "create",
    "edit",
    "publish",
    "schedule",
    "unschedule",
    "discard",
    "revert",
)
LOAD, PRICES, STOCK = "load", "prices", "stock"
ENABLE, DISABLE = "enable", "disable"
SHARE, UNSHARE = "share", "unshare"
KEYS, WEBHOOKS = "keys", "webhooks"
OF_REVISIONS = (CREATE, EDIT, PUBLISH, SCHEDULE, UNSCHEDULE, DISCARD, REVERT, SHARE, UNSHARE)
ACTIONS = (*OF_REVISIONS, LOAD, PRICES, STOCK, ENABLE, DISABLE, KEYS, WEBHOOKS)

MAX_CHANGES = 200
"""The maximum number of changes that an entry lists. The difference of a revision contains all its changes."""


class LoggedChange(NamedTuple):
    """A change as the audit log stores it: the dotted path, and the values before and after; None where no value exists."""

    path: str
    before: Plain
    after: Plain


@dataclass(frozen=True, slots=True)
class AuditEntry:
    """An entry in the audit log. `actor` is the label of a key or a command, `origin` an address or a host name. `complete` is
    false when the entry lists only some of its changes."""

    number: int
    at: int
    actor: str
    origin: str
    action: str
    revision: int | None
    changes: tuple[LoggedChange, ...]
    complete: bool = True


@dataclass(frozen=True, slots=True)
class AuditFilter:
    """The filter for a list of audit entries, newest first: only entries created at `since` or later, with numbers below
    `before`."""

    since: int | None = None
    before: int | None = None
    limit: int = 100


def logged(changes: Iterable[Change]) -> tuple[tuple[LoggedChange, ...], bool]:
    """Return the changes that an audit entry lists, and whether these are all of the changes."""
    first = [*islice(changes, MAX_CHANGES + 1)]
    named = tuple(
        LoggedChange(dotted(change.path), _or_none(change.before), _or_none(change.after))
        for change in first[:MAX_CHANGES]
    )
    return named, len(first) <= MAX_CHANGES


def _or_none(value: Plain) -> Plain:
    return None if value is ABSENT else value

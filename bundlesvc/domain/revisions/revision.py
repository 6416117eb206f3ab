"""The revisions of a shop's content, numbered from 1: what they are, and who made them."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from enum import Enum
from typing import Any, NamedTuple

from bundlesvc.domain.idempotency import IdempotencyKey

DRAFT, SCHEDULED, LIVE, PAST, DISCARDED = STATES = ("draft", "scheduled", "live", "past", "discarded")
PUBLISHED = (LIVE, PAST)
"""The states of revisions that never change."""
OPEN = (DRAFT, SCHEDULED)
"""The states of revisions that may still be published."""

API, STUDIO, PLATFORM, UPGRADE = "api", "studio", "platform", "upgrade"
"""The sources of a revision other than a file: an API key, the studio, new prices from the platform, or the upgrade of an older
version."""

MAX_LISTED = 100


def file_source(name: str) -> str:
    """The source of a revision that a file made."""
    return f"file:{name}"


@dataclass(frozen=True, slots=True)
class Revision:
    """A revision. Times are seconds since 1970, UTC. `base` is the revision that it was made from, `version` the number of
    its changes so far, `problem` the reason why a scheduled revision could not be published at its time."""

    number: int
    state: str
    base: int | None
    author: str
    source: str
    message: str
    created_at: int
    version: int
    published_at: int | None = None
    publish_at: int | None = None
    problem: str | None = None

    @property
    def tag(self) -> str:
        """A text that is another one after each change, for `ETag` and `If-Match`."""
        return f"{self.number}-{self.version}"


class AnyTag(Enum):
    """Stands for the tag of whatever there is."""

    ANY = "any"


ANY = AnyTag.ANY

Seen = frozenset[str] | AnyTag | None
"""The tags of the revision that the caller has seen; None when the caller sends none."""


@dataclass(frozen=True, slots=True)
class Actor:
    """Who changes something (the label of a key, or a command), and from where (an address, or the name of a host)."""

    name: str
    origin: str
    source: str


class Response(NamedTuple):
    """A stored response to a request with an idempotency key."""

    status: int
    etag: str | None
    body: bytes


@dataclass(frozen=True, slots=True)
class IdempotentRequest:
    """A request with an idempotency key of an API key (its prefix), and how its response is rendered."""

    api_key: str
    key: IdempotencyKey
    render: Callable[[Any], Response]


@dataclass(frozen=True, slots=True)
class Act:
    """A change that an actor makes at a time. A `dry_run` does everything but store it."""

    actor: Actor
    now: int
    dry_run: bool = False
    idempotent_request: IdempotentRequest | None = None

    def about(self, document: Any) -> "Act":
        """The change, with a response that is also about a document in the revision."""
        request = self.idempotent_request
        if request is None:
            return self
        render = request.render
        return replace(self, idempotent_request=replace(request, render=lambda made: render((made, document))))


@dataclass(frozen=True, slots=True)
class RevisionFilter:
    """The revisions to list, newest first: of these states (none: of all), with numbers below `before`."""

    states: tuple[str, ...] = ()
    before: int | None = None
    limit: int = MAX_LISTED

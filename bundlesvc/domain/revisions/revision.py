"""The revisions of a shop's content, numbered from 1: their states, and who created them."""

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
"""The sources of a revision other than a file: an API key, the studio, new prices from the platform, or an upgrade from an older
version of the service."""

MAX_LISTED = 100


def file_source(name: str) -> str:
    """Return the source of a revision that was created from a file."""
    return f"file:{name}"


@dataclass(frozen=True, slots=True)
class Revision:
    """A revision of a shop's content. Times are seconds since 1970, UTC. `base` is the revision from which it was created,
    `version` the number of its changes so far, and `problem` the reason why a scheduled revision could not be published on
    time."""

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
        """The revision's version tag for `ETag` and `If-Match`. Every edit of the revision changes the tag."""
        return f"{self.number}-{self.version}"


class AnyTag(Enum):
    """The wildcard tag, which matches any state."""

    ANY = "any"


ANY = AnyTag.ANY

Seen = frozenset[str] | AnyTag | None
"""The tags of the revision that the caller has seen; None when the caller sends none."""


@dataclass(frozen=True, slots=True)
class Actor:
    """Who makes a change (the label of a key, or a command), and from where (an address or a host name)."""

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
    """What is needed to handle a request with an idempotency key: `api_key` is the prefix of the API key that sent it, `key` is
    the idempotency key, and `render` renders the response."""

    api_key: str
    key: IdempotencyKey
    render: Callable[[Any], Response]


@dataclass(frozen=True, slots=True)
class Act:
    """The context of a change: who makes it, and when. With `dry_run`, everything is done except storing the change."""

    actor: Actor
    now: int
    dry_run: bool = False
    idempotent_request: IdempotentRequest | None = None

    def about(self, document: Any) -> "Act":
        """Return a copy of this context in which the response to the request also includes this document of the revision."""
        request = self.idempotent_request
        if request is None:
            return self
        render = request.render
        return replace(self, idempotent_request=replace(request, render=lambda made: render((made, document))))


@dataclass(frozen=True, slots=True)
class RevisionFilter:
    """The filter for a list of revisions, newest first: only revisions in one of `states` (any state if empty) and with numbers
    below `before`."""

    states: tuple[str, ...] = ()
    before: int | None = None
    limit: int = MAX_LISTED

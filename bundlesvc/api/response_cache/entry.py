"""An entry of the response cache: the body of a response to a GET in each content coding, with the ETag of each."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import NamedTuple

from aiohttp import hdrs, web
from multidict import CIMultiDict

from bundlesvc.api.negotiation.compression import preferred_coding

ENTRY_OVERHEAD, FORM_OVERHEAD = 1024, 1024
"""Approximate memory of an entry with its key but without bodies, and of the headers of each form, in bytes."""

_TAG = re.compile(r'(?:W/)?"([^"]*)"')
_CODING = re.compile(r"-(?:gzip|br)\Z")


class Html(NamedTuple):
    """A rendered value that is HTML instead of JSON."""

    text: bytes


class RenderKey(NamedTuple):
    """Everything that the rendered response to a GET request depends on, besides the shop and its version."""

    route: str
    bundle_id: int = 0
    country: str | None = None
    test: bool = False
    language: str = ""
    template: str = ""
    served_arm: str = ""
    listed: tuple[int, ...] = ()
    origin: str = ""


@dataclass(frozen=True, slots=True)
class Form:
    """The bytes of an entry in one content coding, with the matching headers."""

    body: bytes
    headers: CIMultiDict[str]


@dataclass(frozen=True, slots=True)
class Entry:
    """A rendered response: `forms` contains it uncompressed (key "") and in each useful content coding."""

    tag: str
    forms: Mapping[str, Form]
    made_at: float
    age: float
    lifetime: float | None

    @property
    def size(self) -> int:
        """The memory that the entry takes up, in bytes."""
        return ENTRY_OVERHEAD + sum(len(form.body) + FORM_OVERHEAD for form in self.forms.values())

    def response(self, request: web.Request, now: float) -> web.Response:
        form = self.forms[preferred_coding(request.headers.get(hdrs.ACCEPT_ENCODING), self.forms)]
        if_none_match = request.headers.get(hdrs.IF_NONE_MATCH)
        if if_none_match is not None and names_tag(if_none_match, self.tag):
            response = web.Response(status=304, headers=form.headers)
            del response.headers[hdrs.CONTENT_TYPE]
            response.headers.pop(hdrs.CONTENT_ENCODING, None)
        else:
            response = web.Response(body=form.body, headers=form.headers)
        if self.age:
            response.headers[hdrs.AGE] = self.age_at(now)
        return response

    def age_at(self, now: float) -> str:
        """Return the value of the `Age` header at a given time. Responses carry the header only when `age` is not 0."""
        return str(int(self.age + now - self.made_at))

    def fresh(self, now: float) -> bool:
        return self.lifetime is None or now - self.made_at < self.lifetime


EntryKey = tuple[int, tuple[int, int], RenderKey]

SOURCE = web.RequestKey("source", tuple[EntryKey, Entry])
"""The entry that a response was made from, with its key. Absent when the response depends on more than the key."""


@lru_cache(maxsize=256)
def names_tag(if_none_match: str, tag: str) -> bool:
    """Whether `If-None-Match` contains `tag`, for any content coding of the response body (weak comparison)."""
    if if_none_match.strip() == "*":
        return True
    return any(_CODING.sub("", named) == tag for named in _TAG.findall(if_none_match))

"""The query parameters and `Accept-Language` of the embed API; every fault at once (design 4 and 12)."""

import re
from collections.abc import Callable, Iterator, Sequence
from typing import TypeVar

from aiohttp import web

from bundlesvc.api.parsing import NO_COUNTRY, NO_ID
from bundlesvc.domain.countries import parse_country
from bundlesvc.domain.errors import Fault, InvalidRequest
from bundlesvc.domain.identifiers import parse_id, parse_uuid
from bundlesvc.services.embed_bundles import BundleRequest

T = TypeVar("T")

_WEIGHT = re.compile(r"(?:0(?:\.[0-9]{0,3})?|1(?:\.0{0,3})?)\Z", re.ASCII)
_FLAGS = {"true": True, "1": True, "false": False, "0": False}


def bundle_request(request: web.Request, templates: Sequence[str]) -> tuple[BundleRequest, str | None]:
    """What the component asks for of a shop with these templates, and the country. Raises InvalidRequest."""
    query = _Query(request)
    bundle_id = query.take("id", parse_id, NO_ID)
    handle = query.text("productHandle")
    if "id" not in request.query and not handle:
        query.faults.append(Fault("id", "required", "Name a bundle by id, or by productHandle."))
    visitor_id = query.take("visitor_id", parse_uuid, "Must be a UUID.")
    ab_bypass = query.take("ab_bypass", lambda text: _FLAGS.get(text.lower()), "Must be true or false.")
    template = query.text("forceTemplate")
    if template is not None and template not in templates:
        message = f"The shop's templates are: {', '.join(templates) or 'none'}."
        query.faults.append(Fault("forceTemplate", "unknown_template", message))
    country = query.take("countryCode", parse_country, NO_COUNTRY)
    if query.faults:
        raise InvalidRequest(query.faults)
    asked = BundleRequest(bundle_id, handle, languages(request), template, visitor_id, bool(ab_bypass))
    return asked, country


def languages(request: web.Request) -> tuple[str, ...]:
    """The languages asked for, best first: `lang`, or else those of Accept-Language."""
    lang = request.query.get("lang")
    if lang:
        return (lang,)
    weighed = sorted(_weighed(request.headers.get("Accept-Language", "")), key=lambda pair: -pair[0])
    return tuple(tag for weight, tag in weighed if weight > 0)


def _weighed(accept_language: str) -> Iterator[tuple[float, str]]:
    """Language ranges with their weights (RFC 9110, 12.5.4); what is malformed is left out, `*` names none."""
    for part in accept_language.split(","):
        tag, *parameters = (piece.strip() for piece in part.split(";"))
        quality = next((value[2:] for value in parameters if value.lower().startswith("q=")), "1")
        if tag and tag != "*" and _WEIGHT.match(quality):
            yield float(quality), tag


class _Query:
    """Takes parameters one by one, and collects what is wrong with them."""

    def __init__(self, request: web.Request) -> None:
        self._query = request.query
        self.faults: list[Fault] = []

    def text(self, name: str) -> str | None:
        return self._query.get(name) or None

    def take(self, name: str, parse: Callable[[str], T | None], fault: str) -> T | None:
        """The parsed value; None when it is absent, or at fault."""
        sent = self._query.get(name)
        if sent is None:
            return None
        value = parse(sent)
        if value is None:
            self.faults.append(Fault(name, "invalid", fault))
        return value

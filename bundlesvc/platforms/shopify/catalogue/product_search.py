"""Implements the `ProductSearch` port with the Admin GraphQL API."""

import re

from bundlesvc.domain.identifiers import parse_id
from bundlesvc.domain.product_search import CursorUnknown
from bundlesvc.domain.shop import Tenant
from bundlesvc.platforms.shopify.client.call_errors import CursorRefused
from bundlesvc.platforms.shopify.client.graphql import next_cursor, number_of
from bundlesvc.platforms.shopify.client.sessions import AdminSessions
from bundlesvc.ports.product_search import FoundProducts

NOT_ARCHIVED = "-status:archived"
BY_RELEVANCE, BY_TITLE = "RELEVANCE", "TITLE"
"""The sort keys of a search. The platform can sort by relevance only when there are search words."""

_SPECIAL = re.compile(r"[:\\()]")
_NOT_IN_WORDS = re.compile(r"""["'*]""")


class ShopifyProductSearch:
    """Searches the products of the shops that `AdminSessions` serves. Raises the same errors as `AdminSessions`."""

    def __init__(self, sessions: AdminSessions) -> None:
        self._sessions = sessions

    async def find(self, tenant: Tenant, text: str, limit: int, after: str | None) -> FoundProducts:
        terms = search_terms(text)
        session = await self._sessions.open(tenant)
        try:
            data = await session.run(
                "product_search",
                first=limit,
                after=after,
                query=" ".join([*terms, NOT_ARCHIVED]),
                sortKey=BY_RELEVANCE if terms else BY_TITLE,
            )
        except CursorRefused as refusal:
            raise CursorUnknown from refusal
        with session.reading():
            found = data["products"]
            return FoundProducts(tuple(number_of(node["id"]) for node in found["nodes"]), next_cursor(found))


def search_terms(text: str) -> list[str]:
    """Return one term in the platform's search language for each word of the query. A term matches products that contain a word
    beginning with the query word, and the product whose id is the query word."""
    return [_term(word) for word in map(_plain, text.split()) if word]


def _plain(word: str) -> str:
    """Remove from a word the characters that would begin a phrase, a negation or a pattern."""
    return _NOT_IN_WORDS.sub("", word).lstrip("-")


def _term(word: str) -> str:
    prefix = _SPECIAL.sub(r"\\\g<0>", word) + "*"
    return prefix if parse_id(word) is None else f"({prefix} OR id:{word})"

"""Searches the guides for sections that contain every word of a query, and lists matches in headings first."""

import asyncio
import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING

from aiohttp import web

from bundlesvc.api.documentation.guide_files import FOLDER, names
from bundlesvc.api.documentation.pages import DOCS_PATH, page

if TYPE_CHECKING:
    from markdown_it.token import Token

SEARCH_PATH = f"{DOCS_PATH}/search"
MAX_RESULTS = 30
MAX_QUERY_LENGTH = 100

_EXCERPT_LENGTH = 180
_WORD = re.compile(r"[^\s]+")


@dataclass(frozen=True, slots=True)
class Section:
    """A section of a guide: its URL within the guides, the titles of the guide and of the section, and the text."""

    address: str
    guide: str
    heading: str
    text: str

    def rank(self, words: list[str]) -> int | None:
        """Rank the section for a search: 0 when every word is in its headings, 1 when some are, 2 when none are. Returns None
        when the section does not contain every word."""
        heading, text = f"{self.guide} {self.heading}".lower(), self.text.lower()
        if not all(word in heading or word in text for word in words):
            return None
        in_heading = sum(word in heading for word in words)
        return 0 if in_heading == len(words) else 1 if in_heading else 2

    def excerpt(self, words: list[str]) -> str:
        """Return the text around the earliest occurrence of any of the words."""
        offsets = [offset for word in words if (offset := self.text.lower().find(word)) >= 0]
        start = max(min(offsets, default=0) - _EXCERPT_LENGTH // 3, 0)
        start = self.text.rfind(" ", 0, start) + 1
        end = self.text.find(" ", start + _EXCERPT_LENGTH)
        return ("… " if start else "") + (self.text[start:] if end < 0 else f"{self.text[start:end]} …")


def add_search(app: web.Application) -> None:
    """Add the route for the search page."""
    app.router.add_get(SEARCH_PATH, search)


async def search(request: web.Request) -> web.Response:
    """Respond with a page that lists the sections containing every word in the `q` parameter."""
    query = request.query.get("q", "").strip()[:MAX_QUERY_LENGTH]
    words = _WORD.findall(query.lower())
    found = await asyncio.to_thread(find, words) if words else []  # the first search reads every guide
    results = [
        {"address": each.address, "guide": each.guide, "heading": each.heading, "excerpt": each.excerpt(words)}
        for each in found[:MAX_RESULTS]
    ]
    return page("search.html.j2", current="search", query=query, results=results, found=len(found))


def find(words: list[str]) -> list[Section]:
    """Return all sections that contain every word, the best matches first."""
    ranked = [(rank, section) for section in _sections() if (rank := section.rank(words)) is not None]
    return [section for _, section in sorted(ranked, key=lambda each: each[0])]


@cache
def _sections() -> tuple[Section, ...]:
    """Return every section of every guide, with the decision records last. The files are read once per process."""
    in_order = sorted(names(), key=lambda name: ("/" in name, name))
    return tuple(section for name in in_order for section in _sections_of(name))


def _sections_of(name: str) -> Iterator[Section]:
    from bundlesvc.api.documentation.markdown import headed_parts  # noqa: PLC0415 - Markdown takes a tenth of the start-up time

    guide = ""
    for anchor, heading, tokens in headed_parts((FOLDER / name).read_text("utf-8")):
        guide = guide or heading
        address = name if heading == guide else f"{name}#{anchor}"
        yield Section(address, guide, "" if heading == guide else heading, _plain(tokens))


def _plain(tokens: list["Token"]) -> str:
    """Return the text of a part of a guide, without Markdown markup."""
    texts = (_words_of(token) for token in tokens)
    return " ".join(" ".join(texts).split())


def _words_of(token: "Token") -> str:
    if token.children:
        return "".join(" " if child.type.endswith("break") else child.content for child in token.children)
    return token.content if token.type in ("fence", "code_block") else ""

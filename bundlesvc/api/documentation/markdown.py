"""Converts the Markdown of the guides to HTML."""

import re
from collections.abc import Iterator, Sequence
from itertools import pairwise
from pathlib import Path

from markdown_it import MarkdownIt
from markdown_it.token import Token
from mdit_py_plugins.anchors import anchors_plugin

from bundlesvc.api.documentation.guide_files import FOLDER, is_served

_SCROLLING = {
    "<pre>": '<pre tabindex="0">',
    "<table>": '<div class="table" tabindex="0"><table>',
    "</table>": "</table></div>",
}
"""Replacements for the tags of elements that may be wider than a phone's screen. They let these elements scroll on their own,
also with the keyboard. (Such tags in the text of a guide are escaped.)"""

_NOT_IN_ANCHORS = re.compile(r"[^\w\- ]")


def render(text: str, folder: Path) -> tuple[str, str]:
    """Render a guide and return its title and HTML. `folder` is its folder within the guides. A link to a file that is not
    published becomes plain text."""
    markdown = _parser()
    tokens = markdown.parse(text)
    for token in tokens:
        if token.children:
            token.children = _served_links(token.children, folder)
    body = markdown.renderer.render(tokens, markdown.options, {})
    for tag, scrolling in _SCROLLING.items():
        body = body.replace(tag, scrolling)
    return _title(tokens), body


def headed_parts(text: str) -> Iterator[tuple[str, str, list[Token]]]:
    """Yield the anchor, heading and tokens of each section of a guide, in order. Text before the first heading is left out."""
    tokens = _parser().parse(text)
    starts = [index for index, token in enumerate(tokens) if token.type == "heading_open"]
    for start, end in pairwise([*starts, len(tokens)]):
        heading = tokens[start + 1].content.replace("`", "")
        yield str(tokens[start].attrs.get("id", "")), heading, tokens[start + 3 : end]


def _parser() -> MarkdownIt:
    return MarkdownIt("commonmark", {"html": True}).enable("table").use(anchors_plugin, max_level=4, slug_func=_slug)


def _served_links(tokens: Sequence[Token], folder: Path) -> list[Token]:
    served: list[Token] = []
    dropped = 0
    for token in tokens:
        if token.type == "link_open" and not _leads_somewhere(str(token.attrs["href"]), folder):
            dropped += 1
        elif token.type == "link_close" and dropped:
            dropped -= 1
        else:
            served.append(token)
    return served


def _leads_somewhere(address: str, folder: Path) -> bool:
    name = address.partition("#")[0]
    if not name or "://" in address:
        return True
    return is_served(FOLDER / folder / name)


def _title(tokens: Sequence[Token]) -> str:
    headings = (after.content for token, after in pairwise(tokens) if token.type == "heading_open")
    return next(headings, "").replace("`", "")


def _slug(heading: str) -> str:
    """Return the anchor of a heading, formed in the same way as on code hosting sites."""
    return _NOT_IN_ANCHORS.sub("", heading).strip().lower().replace(" ", "-")

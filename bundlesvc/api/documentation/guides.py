"""The guides of `docs/` as pages, read from their Markdown files at each request."""

import re
from collections.abc import Sequence
from functools import cache
from importlib.resources import files
from itertools import pairwise
from pathlib import Path

from aiohttp import web
from markdown_it import MarkdownIt
from markdown_it.token import Token
from mdit_py_plugins.anchors import anchors_plugin

from bundlesvc.api.documentation.pages import GUIDES_PATH, file, page
from bundlesvc.domain.errors import NotFound

FOLDER = Path(str(files("bundlesvc") / "guides"))
_SERVED = ("*.md", "*.json", "decisions/*.md", "images/*.png")
_NOT_IN_ANCHORS = re.compile(r"[^\w\- ]")


def add_guides(app: web.Application) -> None:
    """Serve the guides, and the pictures in them."""
    for path in sorted(path for path in _served() if path.suffix != ".md"):
        app.router.add_get(f"{GUIDES_PATH}/{path.relative_to(FOLDER).as_posix()}", file(path))
    app.router.add_get(f"{GUIDES_PATH}/{{name:.+\\.md}}", guide)


async def guide(request: web.Request) -> web.Response:
    """The page of a guide. Raises NotFound."""
    name = request.match_info["name"]
    if name not in _names():
        raise NotFound
    title, body = render((FOLDER / name).read_text("utf-8"), Path(name).parent)
    return page("guide.html.j2", current=name, title=title, body=body)


def render(text: str, folder: Path) -> tuple[str, str]:
    """Title and HTML of a guide in this folder of the guides. A link to a file that is not served becomes plain text."""
    markdown = (
        MarkdownIt("commonmark", {"html": True}).enable("table").use(anchors_plugin, max_level=4, slug_func=_slug)
    )
    tokens = markdown.parse(text)
    for token in tokens:
        if token.children:
            token.children = _served_links(token.children, folder)
    return _title(tokens), markdown.renderer.render(tokens, markdown.options, {})


@cache
def _served() -> frozenset[Path]:
    """The files that are served, looked up once in a process."""
    return frozenset(path for pattern in _SERVED for path in FOLDER.glob(pattern))


@cache
def _names() -> frozenset[str]:
    return frozenset(path.relative_to(FOLDER).as_posix() for path in _served() if path.suffix == ".md")


@cache
def _resolved() -> frozenset[Path]:
    return frozenset(path.resolve() for path in _served())


def _served_links(tokens: Sequence[Token], folder: Path) -> list[Token]:
    served: list[Token] = []
    dropped = 0
    for token in tokens:
        if token.type == "link_open" and not _is_served(str(token.attrs["href"]), folder):
            dropped += 1
        elif token.type == "link_close" and dropped:
            dropped -= 1
        else:
            served.append(token)
    return served


def _is_served(address: str, folder: Path) -> bool:
    name = address.partition("#")[0]
    if not name or "://" in address:
        return True
    return (FOLDER / folder / name).resolve() in _resolved()


def _title(tokens: Sequence[Token]) -> str:
    headings = (after.content for token, after in pairwise(tokens) if token.type == "heading_open")
    return next(headings, "").replace("`", "")


def _slug(heading: str) -> str:
    """The anchor of a heading, as code hosts make it."""
    return _NOT_IN_ANCHORS.sub("", heading).strip().lower().replace(" ", "-")

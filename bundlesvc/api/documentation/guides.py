"""The guides of `docs/` as pages, read from their Markdown files at each request."""

from functools import cache
from importlib.resources import files
from pathlib import Path

from aiohttp import web

from bundlesvc.api.documentation.pages import GUIDES_PATH, file, page
from bundlesvc.domain.errors import NotFound

FOLDER = Path(str(files("bundlesvc") / "guides"))
_SERVED = ("*.md", "*.json", "decisions/*.md", "images/*.png")


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
    from bundlesvc.api.documentation.markdown import render  # noqa: PLC0415 - importing Markdown takes a tenth of a start

    title, body = render((FOLDER / name).read_text("utf-8"), Path(name).parent)
    return page("guide.html.j2", current=name, title=title, body=body)


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


def is_served(path: Path) -> bool:
    """Whether this file in the folder of the guides is served."""
    return path.resolve() in _resolved()

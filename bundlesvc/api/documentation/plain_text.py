"""The documentation as plain text: `/llms.txt`, an index for language models, and each guide as Markdown."""

import re
from functools import cache

from aiohttp import web

from bundlesvc.api.documentation.guide_files import FOLDER, pictures, text_of
from bundlesvc.api.documentation.pages import DOCS_PATH, GUIDES, MANAGEMENT_PATH, file

LLMS_PATH = "/llms.txt"
MARKDOWN_PATH = f"{DOCS_PATH}/markdown"

_ABOUT = (
    "A self-hosted, headless API for product bundles: shops describe bundles with rules, tiers and conditions; storefronts read "
    "them, price a selection to the cent, and configure it, which returns cart lines and an encrypted discount for the checkout."
)
_MARKUP = re.compile(r"\[([^\]]*)\]\([^)]*\)|[*`]")


def add_plain_text(app: web.Application) -> None:
    """Add the routes for `/llms.txt`, for the guides as Markdown, and for the pictures in the guides."""
    app.router.add_get(LLMS_PATH, contents)
    for path in pictures():
        app.router.add_get(f"{MARKDOWN_PATH}/{path}", file(FOLDER / path))
    app.router.add_get(f"{MARKDOWN_PATH}/{{name:.+\\.md}}", markdown)


async def contents(_: web.Request) -> web.Response:
    """Respond with the index of the documentation, which describes each guide in a sentence (https://llmstxt.org)."""
    return web.Response(text=_contents(), content_type="text/plain", charset="utf-8")


async def markdown(request: web.Request) -> web.Response:
    """Respond with the Markdown source of a guide. Raises NotFound."""
    return web.Response(text=text_of(request.match_info["name"]), content_type="text/markdown", charset="utf-8")


@cache
def _contents() -> str:
    guides = [
        f"- [{title}]({MARKDOWN_PATH}/{name}): {_first_sentence(text_of(name))}" for name, title in GUIDES.items()
    ]
    return "\n".join(
        [
            "# bundlesvc",
            "",
            f"> {_ABOUT}",
            "",
            "## API",
            "",
            "- [OpenAPI document](/openapi.json): every endpoint, parameter, response and error code",
            f"- [Reference]({DOCS_PATH}): that document as a page, where every endpoint can be tried",
            f"- [Management API]({MANAGEMENT_PATH}): drafts, publication, orders and reports, as a page like that",
            "",
            "## Guides",
            "",
            *guides,
            "",
        ]
    )


def _first_sentence(text: str) -> str:
    """Return the first sentence below a guide's title, without markup."""
    paragraphs = (part.strip() for part in text.split("\n\n")[1:])
    prose = next(part for part in paragraphs if part[:1].isalpha() or part.startswith(("`", "[", "*")))
    plain = _MARKUP.sub(lambda match: match[1] or "", " ".join(prose.split()))
    return re.split(r"(?<=\.)\s", plain)[0].rstrip(":.") + "."

"""The studio's routes."""

from importlib.resources import files
from pathlib import Path

from aiohttp import web
from aiohttp.typedefs import Handler

from bundlesvc.studio import handlers
from bundlesvc.studio.handlers import STUDIO_PATH, StudioServices

PAGE = Path(str(files("bundlesvc") / "studio" / "page"))

POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' https: data:; connect-src 'self'; "
    "base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
)
"""The page loads scripts and styles and sends requests to its own origin only, with nothing inline. A shop's pictures may be on
another host."""

_HEADERS = {
    "Content-Security-Policy": POLICY,
    "Cache-Control": "no-cache",
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "same-origin",
    "Cross-Origin-Opener-Policy": "same-origin",
}

DRAFT = f"{STUDIO_PATH}/preview/{{number:[0-9]{{1,15}}}}/{{tag:[A-Za-z0-9_-]{{1,64}}}}/{{rest:.+}}"
"""The API over a draft: `tag` names what the draft contains, so that no process shows an older one."""


def add_studio(app: web.Application, services: StudioServices) -> None:
    """Serve the studio from an application that has a management API."""
    app[handlers.SERVICES] = services
    router = app.router
    router.add_get(STUDIO_PATH, _file(PAGE / "index.html"))
    for path in PAGE.rglob("*.*"):
        router.add_get(f"{STUDIO_PATH}/page/{path.relative_to(PAGE).as_posix()}", _file(path))
    router.add_get(f"{STUDIO_PATH}/session", handlers.read_session)
    router.add_post(f"{STUDIO_PATH}/session", handlers.open_session)
    router.add_delete(f"{STUDIO_PATH}/session", handlers.close_session)
    router.add_route("*", f"{STUDIO_PATH}/api/{{rest:.+}}", handlers.manage)
    router.add_route("*", DRAFT, handlers.preview)


def open_to_everybody(app: web.Application, key: str) -> None:
    """Let everybody open a session with this key, which is the demo's."""
    app[handlers.DEMO_KEY] = key
    app.router.add_post(f"{STUDIO_PATH}/demo-session", handlers.open_demo_session)


def _file(path: Path) -> Handler:
    """A handler that serves a file of the page."""

    async def serve(request: web.Request) -> web.StreamResponse:
        return web.FileResponse(path, headers=_HEADERS)

    return serve

"""The studio's routes."""

from aiohttp import web

from bundlesvc.studio import handlers
from bundlesvc.studio.handlers import STUDIO_PATH, StudioServices
from bundlesvc.studio.open_pages import forget_page, note_page
from bundlesvc.studio.page_files import PAGE, page_file

DRAFT = f"{STUDIO_PATH}/preview/{{number:[0-9]{{1,15}}}}/{{tag:[A-Za-z0-9_-]{{1,64}}}}/{{time}}/{{rest:.+}}"
"""The API for a draft. `tag` identifies the content of the draft, so that no process shows older content. `time` is `now`, or a
local time of the shop as of which the draft is shown."""


def add_studio(app: web.Application, services: StudioServices) -> None:
    """Add the studio to an application that has a management API."""
    app[handlers.SERVICES] = services
    router = app.router
    router.add_get(STUDIO_PATH, page_file(PAGE / "index.html"))
    for path in PAGE.rglob("*.*"):
        router.add_get(f"{STUDIO_PATH}/page/{path.relative_to(PAGE).as_posix()}", page_file(path))
    router.add_get(f"{STUDIO_PATH}/session", handlers.read_session)
    router.add_post(f"{STUDIO_PATH}/session", handlers.open_session)
    router.add_delete(f"{STUDIO_PATH}/session", handlers.close_session)
    router.add_put(f"{STUDIO_PATH}/open-page", note_page)
    router.add_delete(f"{STUDIO_PATH}/open-page", forget_page)
    router.add_route("*", f"{STUDIO_PATH}/api/{{rest:.+}}", handlers.manage)
    router.add_route("*", DRAFT, handlers.preview)


def open_to_everybody(app: web.Application, key: str) -> None:
    """Let anybody open a session without entering a key. The session uses `key`, the demo's key."""
    app[handlers.DEMO_KEY] = key
    app.router.add_post(f"{STUDIO_PATH}/demo-session", handlers.open_demo_session)

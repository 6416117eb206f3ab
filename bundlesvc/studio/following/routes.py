"""The routes by which the studio follows a watched shop file."""

from aiohttp import web

from bundlesvc.studio.following.followed_file import FollowedFile
from bundlesvc.studio.following.handlers import FOLLOWED, KEY, SECRET, events, open_file_session
from bundlesvc.studio.following.one_time_secret import OneTimeSecret
from bundlesvc.studio.following.own_names import only_own_names
from bundlesvc.studio.handlers import FILE, STUDIO_PATH


def add_followed_file(app: web.Application, followed: FollowedFile, key: str) -> OneTimeSecret:
    """Make an application's studio show a file, with the scopes of `key`. From then on, the application responds only to this
    computer's own host names. Returns the secret that opens the session."""
    secret = app[SECRET] = OneTimeSecret()
    app[FOLLOWED], app[KEY], app[FILE] = followed, key, followed.path.name
    app.middlewares.insert(1, only_own_names)  # inside the first, which logs the request and completes its response
    app.router.add_post(f"{STUDIO_PATH}/file/session", open_file_session)
    app.router.add_get(f"{STUDIO_PATH}/file/events", events)
    return secret

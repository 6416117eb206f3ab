"""The cookie that contains a session.

Browsers send the cookies of a host to all of its ports. The cookie's name therefore includes the port, so that two services on
one computer do not end each other's sessions.
"""

from aiohttp import web

from bundlesvc.studio.sessions import LIFETIME

NAME = "bundlesvc_studio"

MOST_PORTS = 8
"""The maximum number of sessions that a browser keeps per host, one per port. The preview often gets another port, and the
browser sends all cookies of the host with every request."""


def token_of(request: web.Request) -> str | None:
    """Return the session token in the cookie for the request's port; None if there is no such cookie."""
    return request.cookies.get(_name(request))


def store_token(request: web.Request, response: web.Response, token: str, path: str, *, secure: bool) -> None:
    """Make the browser store a token in the cookie of the request's port. If there are cookies for too many ports, delete the
    oldest ones."""
    name = _name(request)
    response.set_cookie(name, token, max_age=LIFETIME, path=path, secure=secure, httponly=True, samesite="Strict")
    others = [each for each in request.cookies if each.startswith(f"{NAME}_") and each != name]
    for oldest in others[: -(MOST_PORTS - 1)]:  # browsers send the oldest cookies first (RFC 6265, 5.4)
        response.del_cookie(oldest, path=path)


def forget_token(request: web.Request, response: web.Response, path: str) -> None:
    """Make the browser delete the session token that it stores for the request's port."""
    response.del_cookie(_name(request), path=path)


def _name(request: web.Request) -> str:
    _, _, port = request.host.rpartition(":")
    return f"{NAME}_{port}" if port.isascii() and port.isdigit() else NAME

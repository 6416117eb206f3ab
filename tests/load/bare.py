"""A bare aiohttp handler, to measure the service against: what the web library itself costs on this machine."""

import sys

import uvloop
from aiohttp import web

BODY = b'{"id":101,"text":"' + b"x" * 4000 + b'"}'


async def read(_: web.Request) -> web.Response:
    return web.Response(body=BODY, content_type="application/json")


async def write(request: web.Request) -> web.Response:
    await request.read()
    return web.Response(body=BODY[:200], content_type="application/json")


if __name__ == "__main__":
    app = web.Application()
    app.router.add_get("/bundles/{id}", read)
    app.router.add_post("/bundles/{id}", write)
    web.run_app(app, port=int(sys.argv[1]), access_log=None, print=None, loop=uvloop.new_event_loop())

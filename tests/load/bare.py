"""A bare aiohttp handler as a baseline for the service: it shows what the web library itself costs on this machine.

`python -m tests.load.bare FOLDER PORT` serves `/case/NAME` with the bytes of the file NAME, or with 304 when the file is empty,
and every other path with the bytes of the file `case`. With a PostgreSQL database in `DATABASE_URL`, `/stored` first inserts the
body of the request as a row and commits it.
"""

import os
import sys
from collections.abc import AsyncIterator
from pathlib import Path

import asyncpg
import uvloop
from aiohttp import web

CONNECTIONS = 5
"""Connections to the database: as many as the service uses for writes."""


def bare(folder: Path) -> web.Application:
    bodies = {file.name: file.read_bytes() for file in folder.iterdir()}

    async def answer(request: web.Request) -> web.Response:
        body = bodies[request.match_info["name"]]
        if request.can_read_body:
            await request.read()
        return web.Response(body=body, content_type="application/json") if body else web.Response(status=304)

    async def any_path(request: web.Request) -> web.Response:
        if request.can_read_body:
            await request.read()
        return web.Response(body=bodies["case"], content_type="application/json")

    app = web.Application()
    app.router.add_route("*", "/case/{name}", answer)
    address = os.environ.get("DATABASE_URL", "")
    if address.startswith("postgresql:"):
        _add_stored(app, address, bodies)
    app.router.add_route("*", "/{any:.*}", any_path)
    return app


def _add_stored(app: web.Application, address: str, bodies: dict[str, bytes]) -> None:
    pool = web.AppKey("pool", asyncpg.Pool)

    async def connected(app: web.Application) -> AsyncIterator[None]:
        async with asyncpg.create_pool(address, min_size=CONNECTIONS, max_size=CONNECTIONS) as opened:
            await opened.execute("CREATE TABLE IF NOT EXISTS bare (id BIGSERIAL PRIMARY KEY, body BYTEA NOT NULL)")
            app[pool] = opened
            yield

    async def stored(request: web.Request) -> web.Response:
        await request.app[pool].execute("INSERT INTO bare (body) VALUES ($1)", await request.read())
        return web.Response(body=bodies["case"], content_type="application/json")

    app.cleanup_ctx.append(connected)
    app.router.add_post("/stored", stored)


if __name__ == "__main__":
    web.run_app(
        bare(Path(sys.argv[1])), port=int(sys.argv[2]), access_log=None, print=None, loop=uvloop.new_event_loop()
    )

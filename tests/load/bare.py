"""A bare aiohttp handler to compare the service with: the cost of the web library itself on this machine.

`python -m tests.load.bare FOLDER PORT` serves `/case/NAME` with the bytes of the file NAME, or with 304 when it is empty, and
every other path with those of the file `case`.
"""

import sys
from pathlib import Path

import uvloop
from aiohttp import web


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
    app.router.add_route("*", "/{any:.*}", any_path)
    return app


if __name__ == "__main__":
    web.run_app(
        bare(Path(sys.argv[1])), port=int(sys.argv[2]), access_log=None, print=None, loop=uvloop.new_event_loop()
    )

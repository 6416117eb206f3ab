"""The response to a POST request."""

from aiohttp import web
from multidict import CIMultiDict

from bundlesvc.api.errors import NO_STORE

HEADERS = CIMultiDict({"Content-Type": "application/json; charset=utf-8", "Cache-Control": NO_STORE})


class PostResponse(web.Response):
    """The response to a POST, which no cache may store. All responses of this class have the same headers."""

    def __init__(self, body: bytes) -> None:
        super().__init__(body=body, headers=HEADERS)
        self.content = body

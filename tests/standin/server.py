"""The stand-in as a server: `async with Standin(shop).serve() as standin: standin.url …`"""

import asyncio
from collections import Counter
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import Any, Self
from uuid import uuid4

import orjson
from aiohttp import web
from graphql import GraphQLSchema

from bundlesvc.ports import Clock
from bundlesvc.system import SystemClock
from tests.platform_schema import admin_schema
from tests.standin.answers import Asked, answer
from tests.standin.apps import App
from tests.standin.bucket import Bucket
from tests.standin.documents import operation_name
from tests.standin.execution import Context
from tests.standin.faults import REFUSALS, Fault, FaultQueue
from tests.standin.shop import Shop
from tests.standin.versions import SUPPORTED, answering

TOKEN = "standin-token"
"""The access token that is good unless others are named."""
ACCESS_TOKEN = "AccessToken"
"""What a request for an access token is called, where it is counted and where it is to fail."""
HOST = "127.0.0.1"


@dataclass(frozen=True)
class Request:
    """One request as it came in, whatever became of it. Its access token is not kept."""

    operation: str
    document: str
    variables: Mapping[str, Any]
    version: str


@dataclass
class Standin:
    """The platform of one shop. Everything may be changed while it runs, the shop's data too.

    Costs are points; `bucket_size` and `restore_rate` (points a second) are those of each token's bucket.
    """

    shop: Shop = field(default_factory=Shop)
    clock: Clock = field(default_factory=SystemClock)
    tokens: set[str] = field(default_factory=lambda: {TOKEN})
    bucket_size: int = 2000
    restore_rate: int = 100
    throttled_status: int = 200
    missing_scopes: set[str] = field(default_factory=set)
    versions: tuple[str, ...] = SUPPORTED
    schema: GraphQLSchema = field(default_factory=admin_schema)
    app: App = field(init=False)
    """Given tokens of its own, beside `tokens`."""

    url: str = field(init=False, default="")
    requests: list[Request] = field(init=False, default_factory=list)
    calls: Counter[str] = field(init=False, default_factory=Counter)
    """How often each operation was asked for, by its name; failed and refused ones count too."""

    _faults: FaultQueue = field(init=False, default_factory=FaultQueue)
    _buckets: dict[str, Bucket] = field(init=False, default_factory=dict)
    _own_faults: list[Exception] = field(init=False, default_factory=list)
    _news: asyncio.Condition = field(init=False, default_factory=asyncio.Condition)

    def __post_init__(self) -> None:
        self.app = App(self.clock)

    @asynccontextmanager
    async def serve(self, port: int = 0) -> AsyncIterator[Self]:
        """Listens on this machine while the context lasts; port 0 takes a free one. What the stand-in itself could not do
        is raised at the end."""
        app = web.Application(client_max_size=16 * 2**20)
        app.router.add_post("/admin/api/{version}/graphql.json", self._handle)
        app.router.add_post("/admin/oauth/access_token", self._give_token)
        runner = web.AppRunner(app, access_log=None, shutdown_timeout=1)
        await runner.setup()
        try:
            await web.TCPSite(runner, HOST, port).start()
            self.url = f"http://{HOST}:{runner.addresses[0][1]}"
            yield self
        finally:
            self.heal()
            await runner.cleanup()
        if self._own_faults:
            raise ExceptionGroup("the stand-in could not do what it was asked for", self._own_faults)

    def fail_next(self, fault: Fault, operation: str | None = None, times: int | None = 1) -> None:
        """Replace the next answers, of one operation or of any; `times` None: until `heal`."""
        self._faults.put(fault, operation, times)

    def heal(self) -> None:
        """Nothing goes wrong any more, and what hangs goes on."""
        self._faults.clear()

    def bucket(self, token: str = TOKEN) -> Bucket:
        """The bucket of one token, full at first; those that the app was given share one, of its client id."""
        if token not in self._buckets:
            self._buckets[token] = Bucket(self.clock, self.bucket_size, self.restore_rate)
        return self._buckets[token]

    async def arrived(self, count: int = 1, operation: str | None = None) -> None:
        """Returns once so many requests have come in since the start, of one operation or of any."""
        async with self._news:
            await self._news.wait_for(lambda: self._count(operation) >= count)

    def _count(self, operation: str | None) -> int:
        return len(self.requests) if operation is None else self.calls[operation]

    async def _handle(self, request: web.Request) -> web.StreamResponse:
        asked = _asked(await request.read())
        operation = operation_name(asked.document, asked.operation)
        await self._record(Request(operation, asked.document, asked.variables, request.match_info["version"]))

        async def true_answer() -> web.Response:
            return self._answer(request, asked)

        fault = self._faults.take(operation)
        return await (fault.answer(request, true_answer) if fault else true_answer())

    async def _give_token(self, request: web.Request) -> web.StreamResponse:
        await self._record(Request(ACCESS_TOKEN, "", {}, ""))

        async def true_answer() -> web.Response:
            return await self.app.answer(request)

        fault = self._faults.take(ACCESS_TOKEN)
        return await (fault.answer(request, true_answer) if fault else true_answer())

    async def _record(self, request: Request) -> None:
        async with self._news:
            self.requests.append(request)
            self.calls[request.operation] += 1
            self._news.notify_all()

    def _answer(self, request: web.Request, asked: Asked) -> web.Response:
        version = answering(request.match_info["version"], self.versions)
        token = request.headers.get("X-Shopify-Access-Token", "")
        if version is None:
            return _json(404, {"errors": REFUSALS[404]})
        if token not in self.tokens and not self.app.knows(token):
            return _json(401, {"errors": REFUSALS[401]})
        if not asked.document:
            return _json(400, {"errors": {"query": "Required parameter missing or invalid"}})
        return self._execute(asked, version, self.bucket(token if token in self.tokens else self.app.client_id))

    def _execute(self, asked: Asked, version: str, bucket: Bucket) -> web.Response:
        context = Context(self.shop, frozenset(self.missing_scopes))
        try:
            given = answer(asked, self.schema, context, bucket)
        except Exception as fault:  # noqa: BLE001  # kept for the end of `serve`, where the test sees it
            self._own_faults.append(fault)
            return _json(500, {"errors": "The stand-in failed"})
        return _json(self.throttled_status if given.throttled else 200, given.body, {"X-Shopify-API-Version": version})


def _asked(body: bytes) -> Asked:
    """Without a document when the body is not what the platform reads."""
    try:
        plain = orjson.loads(body)
    except orjson.JSONDecodeError:
        plain = None
    if not isinstance(plain, dict) or not isinstance(plain.get("query"), str):
        return Asked("", {})
    variables = plain.get("variables")
    return Asked(plain["query"], variables if isinstance(variables, dict) else {}, plain.get("operationName"))


def _json(status: int, body: Any, headers: Mapping[str, str] = {}) -> web.Response:
    own = {"Content-Type": "application/json; charset=utf-8", "X-Request-Id": str(uuid4())}
    return web.Response(status=status, body=orjson.dumps(body), headers={**own, **headers})

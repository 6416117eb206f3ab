"""The stand-in as a server: `async with Standin(shop).serve() as standin: standin.url …`"""

import asyncio
from collections import Counter
from collections.abc import AsyncIterator, Callable, Mapping
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
from tests.standin.app.apps import App
from tests.standin.data.shop import Shop
from tests.standin.faults import REFUSALS, Fault, FaultQueue
from tests.standin.operations.bucket import Bucket
from tests.standin.operations.documents import operation_name
from tests.standin.operations.execution import Context
from tests.standin.operations.responses import GraphQLRequest, respond
from tests.standin.operations.versions import SUPPORTED, responding_version
from tests.standin.storefront.api import Storefront

TOKEN = "standin-token"
"""The access token that is valid by default."""
ACCESS_TOKEN = "AccessToken"
"""The operation name of token requests, for counts and faults."""
HOST = "127.0.0.1"


@dataclass(frozen=True)
class Request:
    """A request as it arrived, whatever response it got. The access token is not included."""

    operation: str
    document: str
    variables: Mapping[str, Any]
    version: str
    trace: Mapping[str, str] = field(default_factory=dict)
    """The headers of W3C Trace Context."""


@dataclass
class Standin:
    """A stand-in for the platform, with one shop. Everything can be changed while it runs, including the shop's data.

    Costs are in points. Each token has a bucket with `bucket_size` and `restore_rate` (points per second).
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
    """The app, which has tokens of its own in addition to `tokens`."""

    storefront: Storefront = field(init=False)
    """The shop's carts and checkouts."""

    deploy_new: Callable[[], None] | None = field(init=False, default=None)
    """Called before each request, to deploy changes to the app."""

    url: str = field(init=False, default="")
    requests: list[Request] = field(init=False, default_factory=list)
    calls: Counter[str] = field(init=False, default_factory=Counter)
    """The number of requests per operation name, including failed and refused ones."""

    _faults: FaultQueue = field(init=False, default_factory=FaultQueue)
    _buckets: dict[str, Bucket] = field(init=False, default_factory=dict)
    _own_faults: list[Exception] = field(init=False, default_factory=list)
    _news: asyncio.Condition = field(init=False, default_factory=asyncio.Condition)

    def __post_init__(self) -> None:
        self.app = App(self.clock)
        self.storefront = Storefront(self.shop, self.clock)

    @asynccontextmanager
    async def serve(self, port: int = 0) -> AsyncIterator[Self]:
        """Listen on a local port within this context; 0 selects any free port. The stand-in's own errors are raised on exit."""
        app = web.Application(client_max_size=16 * 2**20)
        app.router.add_post("/admin/api/{version}/graphql.json", self._handle)
        app.router.add_post("/admin/oauth/access_token", self._give_token)
        self.storefront.add_routes(app)
        runner = web.AppRunner(app, access_log=None, shutdown_timeout=1)
        await runner.setup()
        try:
            await web.TCPSite(runner, HOST, port).start()
            self.url = self.storefront.url = f"http://{HOST}:{runner.addresses[0][1]}"
            yield self
        finally:
            self.heal()
            await runner.cleanup()
        faults = [*self._own_faults, *self.storefront.own_faults]
        if faults:
            raise ExceptionGroup("the stand-in failed to execute requests", faults)

    def fail_next(self, fault: Fault, operation: str | None = None, times: int | None = 1) -> None:
        """Replace the next `times` responses, to one operation or to any, with a fault. When `times` is None, replace all
        responses until `heal` is called."""
        self._faults.put(fault, operation, times)

    def heal(self) -> None:
        """Remove all faults, and let hanging requests finish."""
        self._faults.clear()

    def bucket(self, token: str = TOKEN) -> Bucket:
        """Return the bucket of a token, which is full at first. All tokens of the app share a bucket, which is stored under the
        client ID."""
        if token not in self._buckets:
            self._buckets[token] = Bucket(self.clock, self.bucket_size, self.restore_rate)
        return self._buckets[token]

    async def arrived(self, count: int = 1, operation: str | None = None) -> None:
        """Wait until this number of requests, for one operation or for any, has arrived since the start."""
        async with self._news:
            await self._news.wait_for(lambda: self._count(operation) >= count)

    def _count(self, operation: str | None) -> int:
        return len(self.requests) if operation is None else self.calls[operation]

    async def _handle(self, request: web.Request) -> web.StreamResponse:
        query = _parsed(await request.read())
        operation = operation_name(query.document, query.operation)
        trace = {name: request.headers[name] for name in ("traceparent", "tracestate") if name in request.headers}
        await self._record(Request(operation, query.document, query.variables, request.match_info["version"], trace))

        async def real_response() -> web.Response:
            return self._respond(request, query)

        fault = self._faults.take(operation)
        return await (fault.respond(request, real_response) if fault else real_response())

    async def _give_token(self, request: web.Request) -> web.StreamResponse:
        await self._record(Request(ACCESS_TOKEN, "", {}, ""))

        async def real_response() -> web.Response:
            return await self.app.respond(request)

        fault = self._faults.take(ACCESS_TOKEN)
        return await (fault.respond(request, real_response) if fault else real_response())

    async def _record(self, request: Request) -> None:
        async with self._news:
            self.requests.append(request)
            self.calls[request.operation] += 1
            self._news.notify_all()

    def _respond(self, request: web.Request, query: GraphQLRequest) -> web.Response:
        version = responding_version(request.match_info["version"], self.versions)
        token = request.headers.get("X-Shopify-Access-Token", "")
        if version is None:
            return _json(404, {"errors": REFUSALS[404]})
        if token not in self.tokens and not self.app.knows(token):
            return _json(401, {"errors": REFUSALS[401]})
        if not query.document:
            return _json(400, {"errors": {"query": "Required parameter missing or invalid"}})
        return self._execute(query, version, self.bucket(token if token in self.tokens else self.app.client_id))

    def _execute(self, query: GraphQLRequest, version: str, bucket: Bucket) -> web.Response:
        if self.deploy_new:
            self.deploy_new()
        context = Context(self.shop, frozenset(self.missing_scopes))
        try:
            given = respond(query, self.schema, context, bucket)
        except Exception as fault:  # noqa: BLE001  # raised at the end of `serve`, where the test sees it
            self._own_faults.append(fault)
            return _json(500, {"errors": "The stand-in failed"})
        return _json(self.throttled_status if given.throttled else 200, given.body, {"X-Shopify-API-Version": version})


def _parsed(body: bytes) -> GraphQLRequest:
    """Parse the body of a request. The document is empty if the platform could not parse the body."""
    try:
        plain = orjson.loads(body)
    except orjson.JSONDecodeError:
        plain = None
    if not isinstance(plain, dict) or not isinstance(plain.get("query"), str):
        return GraphQLRequest("", {})
    variables = plain.get("variables")
    return GraphQLRequest(plain["query"], variables if isinstance(variables, dict) else {}, plain.get("operationName"))


def _json(status: int, body: Any, headers: Mapping[str, str] = {}) -> web.Response:
    own = {"Content-Type": "application/json; charset=utf-8", "X-Request-Id": str(uuid4())}
    return web.Response(status=status, body=orjson.dumps(body), headers={**own, **headers})

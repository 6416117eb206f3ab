"""A collector of spans and error reports, which stores every byte that it receives."""

import gzip
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import orjson
from aiohttp import web
from opentelemetry.proto.collector.trace.v1.trace_service_pb2 import ExportTraceServiceRequest
from opentelemetry.proto.trace.v1.trace_pb2 import Span

TRACES = "/v1/traces"


class Collector:
    """A collector of traces and error reports, which listens at `url`. `received` contains the path, the head and the body of
    each request."""

    def __init__(self) -> None:
        self.url = ""
        self.received: list[tuple[str, str, bytes]] = []

    @property
    def dsn(self) -> str:
        return self.url.replace("http://", "http://public@") + "/1"

    @property
    def text(self) -> str:
        """All received data as text."""
        return "".join(f"{path}\n{head}\n{body.decode('latin-1')}" for path, head, body in self.received)

    @property
    def spans(self) -> dict[str, Span]:
        """The received spans by name, the last one per name."""
        found = (ExportTraceServiceRequest.FromString(body) for path, _, body in self.received if path == TRACES)
        return {
            span.name: span
            for export in found
            for resource in export.resource_spans
            for scope in resource.scope_spans
            for span in scope.spans
        }

    @property
    def reports(self) -> list[dict[str, Any]]:
        """The events in the received Sentry envelopes."""
        envelopes = [body for path, _, body in self.received if path != TRACES]
        return [orjson.loads(envelope.splitlines()[2]) for envelope in envelopes]

    async def _handle(self, request: web.Request) -> web.Response:
        body = await request.read()
        body = gzip.decompress(body) if body.startswith(b"\x1f\x8b") else body
        self.received.append((request.path_qs, str(request.headers), body))
        return web.Response()


@asynccontextmanager
async def collecting() -> AsyncIterator[Collector]:
    collector, app = Collector(), web.Application()
    app.router.add_post("/{path:.*}", collector._handle)
    runner = web.AppRunner(app, access_log=None, shutdown_timeout=1)
    await runner.setup()
    try:
        await web.TCPSite(runner, "127.0.0.1", 0).start()
        collector.url = f"http://127.0.0.1:{runner.addresses[0][1]}"
        yield collector
    finally:
        await runner.cleanup()


def attributes(span: Span) -> dict[str, str | int]:
    return {each.key: each.value.string_value or each.value.int_value for each in span.attributes}

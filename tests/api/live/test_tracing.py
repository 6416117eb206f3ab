"""Traces and error reports (docs/metrics.md#tracing-and-errors)."""

import asyncio
import logging
import socket
import threading
from collections.abc import AsyncIterator, Iterator, Mapping
from dataclasses import replace
from typing import Any

import pytest
from opentelemetry.proto.trace.v1.trace_pb2 import Span, Status

from bundlesvc.settings.environment import Settings
from tests.api.conftest import Api, Serve
from tests.api.live.collector import Collector, attributes, collecting
from tests.api.loaded import RATE_LIMIT
from tests.api.logs import logs
from tests.api.selection import price_body
from tests.cli.live_shop import SHIRT
from tests.conftest import MakeKey
from tests.servers.free_port import free_port
from tests.standin.app.webhooks import SECRET
from tests.standin.faults import refused
from tests.standin.server import TOKEN, Standin

TRACE, CALLER = "4bf92f3577b34da6a3ce929d0e0e4736", "00f067aa0ba902b7"
PARENT = f"00-{TRACE}-{CALLER}-01"
SECRETS = ("mira@mail.example", "Miriam", "uniquely-mine", "visitor-name", "198.51.100.7")
"""Private data of shoppers and shops that, like keys and tokens, must not be sent in spans or error reports."""

BUNDLE = "/api/headless/v1/bundles/{id}"


class LeakyCipher:
    """A cipher that fails with an error message containing all data that it was given."""

    def seal(self, claims: Mapping[str, object], now: int) -> str:
        try:
            self.unseal(f"{claims} {SECRETS}")
        except KeyError as error:
            raise RuntimeError(f"{error} {TOKEN}") from error
        return ""

    def unseal(self, token: str) -> dict[str, object]:
        raise KeyError(token)


@pytest.fixture
async def collector() -> AsyncIterator[Collector]:
    async with collecting() as collector:
        yield collector


async def start(serve: Serve, settings: Settings, make_key: MakeKey, **overrides: Any) -> Api:
    api = Api(await serve(settings=settings, **overrides), await make_key("live", rate_limit=RATE_LIMIT))
    await api.refresh()
    return api


async def test_trace_is_passed_on_to_the_platform_and_logged(
    live_settings: Settings, serve: Serve, make_key: MakeKey, standin: Standin
) -> None:
    """A trace is passed on to the platform and logged, even when the fast path responds and no tracing endpoint is set."""
    api = await start(serve, live_settings, make_key)
    sent = {"traceparent": PARENT, "tracestate": "vendor=1,other=2"}
    with logs() as written:
        for _ in range(3):
            (await api.get("/bundles/42/products", sent)).held()
        passed = [dict(request.trace) for request in standin.requests]
        (await api.get("/bundles/42/products?countryCode=US")).held()
        (await api.post("/bundles/42/price", price_body("1@1"), sent)).held(400)
    assert passed
    assert all(trace == sent for trace in passed)
    assert not any(request.trace for request in standin.requests[len(passed) :])
    lines = [line.get("traceId") for line in written.lines if line["event"] == "request"]
    assert lines == [TRACE, TRACE, TRACE, None, TRACE]


async def test_spans_of_a_request(
    live_settings: Settings, serve: Serve, make_key: MakeKey, standin: Standin, collector: Collector
) -> None:
    api = await start(serve, replace(live_settings, traces_endpoint=f"{collector.url}/v1/traces"), make_key)
    (await api.post("/bundles/42/configure", configured(), {"traceparent": PARENT})).held()
    platform_trace = standin.requests[-1].trace["traceparent"]
    for _ in range(3):
        (await api.get("/bundles/42")).held()
    (await api.get("/bundles/99", {"traceparent": PARENT})).held(404)
    await api.client.close()  # type: ignore[union-attr]

    spans = collector.spans
    request = spans["POST /api/headless/v1/bundles/{id}/configure"]
    assert (request.trace_id.hex(), request.parent_span_id.hex()) == (TRACE, CALLER)
    assert request.kind == Span.SPAN_KIND_SERVER
    assert attributes(request) == {
        "http.request.method": "POST",
        "http.route": "/api/headless/v1/bundles/{id}/configure",
        "http.response.status_code": 200,
    }
    calls = [span for name, span in spans.items() if name.startswith("platform ")]
    assert calls
    for call in [*calls, spans["commit"]]:
        assert (call.trace_id, call.parent_span_id) == (request.trace_id, request.span_id)
        assert request.start_time_unix_nano <= call.start_time_unix_nano <= call.end_time_unix_nano
    assert platform_trace[:36] == f"00-{TRACE}-"
    assert platform_trace[36:52] in {call.span_id.hex() for call in calls}


async def test_probes_have_no_spans(
    live_settings: Settings, serve: Serve, make_key: MakeKey, standin: Standin, collector: Collector
) -> None:
    api = await start(serve, replace(live_settings, traces_endpoint=f"{collector.url}/v1/traces"), make_key)
    for path in ("/healthz", "/readyz", "/metrics"):
        for headers in ({}, {"traceparent": PARENT}):
            async with api.client.get(path, headers=headers) as response:
                assert response.status == 200
    (await api.get("/bundles/42")).held()
    await api.client.close()  # type: ignore[union-attr]
    assert [name for name in collector.spans if not name.startswith(("platform ", "commit"))] == [f"GET {BUNDLE}"]


async def test_error_of_a_request_is_in_its_span(
    live_settings: Settings, serve: Serve, make_key: MakeKey, standin: Standin, collector: Collector
) -> None:
    api = await start(serve, replace(live_settings, traces_endpoint=f"{collector.url}/v1/traces"), make_key)
    standin.fail_next(refused(403), times=None)
    (await api.get("/bundles/42/products")).held(502)
    (await api.get("/bundles/99")).held(404)
    await api.client.close()  # type: ignore[union-attr]

    failed, missing = collector.spans[f"GET {BUNDLE}/products"], collector.spans[f"GET {BUNDLE}"]
    assert (attributes(failed)["error.type"], failed.status.code) == ("platform_error", Status.STATUS_CODE_ERROR)
    assert (attributes(missing)["error.type"], missing.status.code) == ("not_found", Status.STATUS_CODE_UNSET)
    calls = [span for name, span in collector.spans.items() if name.startswith("platform ")]
    assert {(attributes(call)["error.type"], call.status.code) for call in calls} == {
        ("PlatformFailed", Status.STATUS_CODE_ERROR)
    }


async def test_nothing_of_shops_and_shoppers_is_sent(
    live_settings: Settings, serve: Serve, make_key: MakeKey, standin: Standin, collector: Collector
) -> None:
    """Spans and error reports contain no data about shops or shoppers, even after an internal error or a platform error.

    Every byte that is sent is checked."""
    settings = replace(live_settings, traces_endpoint=f"{collector.url}/v1/traces", sentry_dsn=collector.dsn)
    api = await start(serve, settings, make_key, discounts=LeakyCipher())
    headers = {
        "traceparent": PARENT,
        "X-Request-Id": "visitor-name",
        "X-Forwarded-For": "198.51.100.7",
        "Cookie": "session=uniquely-mine",
        "User-Agent": "visitor-name",
        "Referer": "https://shop.example/?email=mira@mail.example",
        "Idempotency-Key": "uniquely-mine",
    }
    query = "?unique=uniquely-mine&email=mira@mail.example"
    (await api.post(f"/bundles/42/configure{query}", configured(engraving="Miriam"), headers)).held(400)
    (await api.post(f"/bundles/42/configure{query}", configured(), headers)).held(500)
    (await api.get(f"/mira@mail.example/uniquely-mine{query}", headers)).held(404)
    (await api.with_key("bnd_live_hunter2").get(f"/settings{query}", headers)).held(403)
    standin.fail_next(refused(403), times=None)
    (await api.get(f"/bundles/42/products{query}&countryCode=JP", headers)).held(502)
    await api.client.close()  # type: ignore[union-attr]

    report, sent = collector.reports[0], collector.text
    for secret in (
        *SECRETS,
        str(api.key),
        str(api.key)[9:],
        "bnd_live_",
        "hunter2",
        TOKEN,
        SECRET,
        *settings.secret_keys,
    ):
        assert secret not in sent
    assert {"GET unmatched", f"GET {BUNDLE}/products"} <= collector.spans.keys()
    assert len(collector.reports) == 1
    assert report["transaction"] == f"{BUNDLE}/configure"
    assert report["tags"] == {"trace_id": TRACE}
    errors = report["exception"]["values"]
    assert [error["type"] for error in errors] == ["KeyError", "RuntimeError"]
    assert not any("value" in error for error in errors)
    frames = errors[-1]["stacktrace"]["frames"]
    assert {"module", "function", "filename", "lineno", "in_app"} == set(frames[-1])
    assert frames[-1]["function"].endswith("seal")
    assert any(frame["in_app"] for frame in frames)


async def test_failure_of_a_background_task_is_reported(
    live_settings: Settings, serve: Serve, make_key: MakeKey, collector: Collector
) -> None:
    api = await start(serve, replace(live_settings, sentry_dsn=collector.dsn), make_key)
    try:
        LeakyCipher().unseal("mira@mail.example")
    except KeyError:
        logging.getLogger("bundlesvc.serving.background").exception("%s failed", "the expiry")
    logging.getLogger("bundlesvc.serving.background").error("mira@mail.example")
    await api.client.close()  # type: ignore[union-attr]
    (report,) = collector.reports
    assert (report["transaction"], report["exception"]["values"][0]["type"]) == (
        "bundlesvc.serving.background",
        "KeyError",
    )
    assert "mira" not in collector.text


@pytest.fixture
def threads_end(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Wait after the test until threads that are still sending spans or error reports have ended. The service itself waits only
    briefly when it closes; OpenTelemetry gives up after ten seconds."""
    monkeypatch.setattr("bundlesvc.tracing.requests.CLOSE_SECONDS", 0.1)
    yield
    for thread in threading.enumerate():
        if thread.name.startswith(("OtelBatch", "sentry", "last spans")):
            thread.join(60)
            assert not thread.is_alive()


@pytest.mark.usefixtures("threads_end")
async def test_unreachable_collector_changes_no_response(
    live_settings: Settings, serve: Serve, make_key: MakeKey
) -> None:
    gone = f"http://127.0.0.1:{free_port()}"
    settings = replace(live_settings, traces_endpoint=f"{gone}/v1/traces", sentry_dsn=f"{gone.replace('//', '//k@')}/1")
    api = await start(serve, settings, make_key, discounts=LeakyCipher())
    for _ in range(200):
        (await api.get("/bundles/42")).held()
    (await api.post("/bundles/42/configure", configured())).held(500)
    async with asyncio.timeout(30):  # OpenTelemetry itself would delay shutdown by half a minute
        await api.client.close()  # type: ignore[union-attr]


@pytest.mark.usefixtures("threads_end")
async def test_hanging_collector_changes_no_response(live_settings: Settings, serve: Serve, make_key: MakeKey) -> None:
    """A collector that accepts connections but never answers does not change any response."""
    with socket.create_server(("127.0.0.1", 0)) as silent:
        address = f"http://k@127.0.0.1:{silent.getsockname()[1]}"
        settings = replace(live_settings, traces_endpoint=f"{address}/v1/traces", sentry_dsn=f"{address}/1")
        api = await start(serve, settings, make_key, discounts=LeakyCipher())
        (await api.post("/bundles/42/configure", configured())).held(500)
        for _ in range(20):
            (await api.get("/bundles/42")).held()
        async with asyncio.timeout(30):
            await api.client.close()  # type: ignore[union-attr]


def configured(**answers: str) -> dict[str, object]:
    chosen = [{"variant": variant, "product": str(SHIRT), "section": 1} for variant in ("10001", "10002")]
    if answers:
        chosen[1] = {**chosen[1], "personalisation": answers}  # type: ignore[dict-item]
    return {"type": "native", "products": chosen, "email": "mira@mail.example"}

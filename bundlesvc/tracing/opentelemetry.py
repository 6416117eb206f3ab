"""Spans for OpenTelemetry, sent with OTLP over HTTP. OpenTelemetry's environment variables configure sampling, batching and
headers."""

import logging
import time
from collections.abc import Mapping, Sequence
from threading import Thread

from opentelemetry import trace
from opentelemetry.exporter.otlp.proto.http.trace_exporter import OTLPSpanExporter
from opentelemetry.sdk.resources import OTELResourceDetector, Resource
from opentelemetry.sdk.trace import ReadableSpan, TracerProvider
from opentelemetry.sdk.trace.export import BatchSpanProcessor, SpanExportResult
from opentelemetry.trace.propagation.tracecontext import TraceContextTextMapPropagator

from bundlesvc import __version__
from bundlesvc.tracing.spans import Attributes, Span
from bundlesvc.tracing.trace_context import Parent

logger = logging.getLogger("bundlesvc")

_W3C = TraceContextTextMapPropagator()


class _Exporter(OTLPSpanExporter):
    """Logs when spans can no longer be sent, and when they can be sent again. By default, OpenTelemetry would log every failed
    attempt."""

    def __init__(self, address: str) -> None:
        super().__init__(address)
        self._failing = self._closed = False
        self._reason = ""
        logging.getLogger(OTLPSpanExporter.__module__).addFilter(self._note)

    def export(self, spans: Sequence[ReadableSpan]) -> SpanExportResult:
        result = super().export(spans)
        failing = result is not SpanExportResult.SUCCESS
        if failing and not self._failing and not self._closed:
            logger.warning("spans cannot be sent to the collector, and are dropped: %s", self._reason)
        elif self._failing and not failing:
            logger.info("spans can be sent to the collector again.")
        self._failing = failing
        return result

    def shutdown(self) -> None:
        self._closed = True
        super().shutdown()  # type: ignore[no-untyped-call]

    def _note(self, record: logging.LogRecord) -> bool:
        self._reason = record.getMessage()
        return False


class OtelTracer:
    """Records spans with OpenTelemetry. A thread sends the spans, and drops them when the collector cannot be reached."""

    def __init__(self, address: str) -> None:
        described = Resource({"service.name": "bundlesvc", "service.version": __version__})
        provider = TracerProvider(resource=described.merge(OTELResourceDetector().detect()), shutdown_on_exit=False)
        self._exporter = _Exporter(address)
        self._processor = BatchSpanProcessor(self._exporter)
        provider.add_span_processor(self._processor)
        self._tracer = provider.get_tracer("bundlesvc", __version__)

    def begin(self, parent: Parent | None, started: float | None) -> Span:
        context = None if parent is None else _W3C.extract(parent.headers)
        at = None if started is None else time.time_ns() - round((time.perf_counter() - started) * 1e9)
        span = self._tracer.start_span("request", context, trace.SpanKind.SERVER, start_time=at)
        return _OtelSpan(self._tracer, span)

    def close(self, seconds: float) -> None:
        # Shut down in a thread, because this can wait half a minute for a collector.
        closing = Thread(target=self._processor.shutdown, name="last spans", daemon=True)
        closing.start()
        closing.join(seconds)
        if closing.is_alive():
            self._exporter.shutdown()  # prevents further attempts


class _OtelSpan:
    def __init__(self, tracer: trace.Tracer, span: trace.Span) -> None:
        self._tracer = tracer
        self._span = span

    @property
    def trace_id(self) -> str:
        return trace.format_trace_id(self._span.get_span_context().trace_id)

    @property
    def headers(self) -> Mapping[str, str]:
        carrier: dict[str, str] = {}
        _W3C.inject(carrier, trace.set_span_in_context(self._span))
        return carrier

    def child(self, name: str, attributes: Attributes) -> Span:
        within = trace.set_span_in_context(self._span)
        return _OtelSpan(self._tracer, self._tracer.start_span(name, within, trace.SpanKind.CLIENT, attributes))

    def describe(self, name: str, attributes: Attributes) -> None:
        self._span.update_name(name)
        self._span.set_attributes(attributes)

    def set(self, attributes: Attributes) -> None:
        self._span.set_attributes(attributes)

    def fail(self) -> None:
        self._span.set_status(trace.StatusCode.ERROR)

    def end(self) -> None:
        self._span.end()

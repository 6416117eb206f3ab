"""Sets up tracing and error reports, if the settings contain an endpoint for them."""

from functools import partial

from bundlesvc.settings.environment import Settings
from bundlesvc.tracing.requests import ErrorReports, Tracer, Tracing


def build_tracing(settings: Settings) -> Tracing:
    """Set up tracing and error reporting. The libraries for them are imported only if the settings contain an endpoint for traces
    or error reports."""

    def tracer(address: str) -> Tracer:
        from bundlesvc.tracing.opentelemetry import OtelTracer  # noqa: PLC0415 - an optional dependency

        return OtelTracer(address)

    def reports(dsn: str) -> ErrorReports:
        from bundlesvc.tracing.sentry import SentryReports  # noqa: PLC0415 - an optional dependency

        return SentryReports(dsn)

    endpoint, dsn = settings.traces_endpoint, settings.sentry_dsn
    return Tracing(
        None if endpoint is None else partial(tracer, endpoint),
        None if dsn is None else partial(reports, dsn),
    )

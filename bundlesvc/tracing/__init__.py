"""Traces and error reports (docs/metrics.md#tracing-and-errors).

The `traceparent` (W3C) of a request is passed on to the platforms that the service calls while handling the request, and the log
lines of the request contain the id of its trace. Spans are recorded only if there is a `Tracer`, and errors are reported only if
there are `ErrorReports`. `Tracer` and `ErrorReports` have one adapter each, which is imported only when its setting is present.
Of a request, the adapters receive only the method, the route, the status and the error code; the adapter of `ErrorReports` also
receives the exception and the trace id."""

"""Traces and error reports (docs/metrics.md#tracing-and-errors).

A request with a W3C `traceparent` passes it on to the platforms that it calls, and its log lines have the id of its trace.
Spans are recorded only with a `Tracer`, and errors reported only with `ErrorReports`; each has one adapter, imported when its
setting is there. Neither gets anything of a request but its method, its route, its status and the code of its error.
"""

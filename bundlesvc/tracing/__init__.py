"""Traces and error reports (docs/metrics.md#tracing-and-errors).

A request with a W3C `traceparent` passes it on to the platforms that it calls, and its log lines contain the id of its trace.
Spans are recorded only with a `Tracer`, and errors reported only with `ErrorReports`. Each has one adapter, which is imported
when its setting is present. Of a request, both receive only the method, the route, the status and the code of its error.
"""

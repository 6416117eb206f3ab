"""Traces and error reports (docs/metrics.md#tracing-and-errors).

The `traceparent` (W3C) of a request is passed on to the platforms that the service calls for it, and the log lines of the request
contain the id of its trace. Spans are recorded only with a `Tracer`, and errors are reported only with `ErrorReports`. Each of
the two has one adapter, which is imported only when its setting is present. Both receive only the method, the route, the status
and the error code of a request.
"""

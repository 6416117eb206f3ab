"""The order of the layers, outermost first."""

from aiohttp.typedefs import Middleware

from bundlesvc.api.middleware.errors import answer_errors


def middlewares(observation: Middleware, gate: Middleware) -> tuple[Middleware, ...]:
    """CORS headers are no layer but a response signal (`api/cors.py`), so that whatever answers leaves with them."""
    return (
        observation,  # every answer has an id, a log line and its headers, also those of the layers below
        answer_errors,  # whatever the gate or a handler raises becomes an answer of one shape
        gate,  # key, bucket, scope, shop, origin: before any handler, so that routes are closed unless opened
    )

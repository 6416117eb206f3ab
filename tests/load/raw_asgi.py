"""A raw ASGI function that only sends bytes: the upper bound on what uvicorn and granian can achieve. It serves the file named in
`RAW_BODY`, as JSON."""

import os
from collections.abc import Awaitable, Callable, Mapping
from pathlib import Path
from typing import Any

_BODY = Path(os.environ["RAW_BODY"]).read_bytes()
_START = {
    "type": "http.response.start",
    "status": 200,
    "headers": [(b"content-type", b"application/json"), (b"content-length", str(len(_BODY)).encode())],
}
_END = {"type": "http.response.body", "body": _BODY}


async def app(scope: Mapping[str, Any], _: object, send: Callable[[Mapping[str, Any]], Awaitable[None]]) -> None:
    """Respond to every request with the content of the `RAW_BODY` file."""
    if scope["type"] == "http":
        await send(_START)
        await send(_END)

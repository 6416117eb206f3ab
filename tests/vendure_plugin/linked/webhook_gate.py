"""A gate that forwards webhooks from the engine to the service, or fails on demand."""

import http.client
import json
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

from tests.servers.free_port import free_port

OPEN, REFUSING, AWAY, DEAF = "open", "refusing", "away", "deaf"
"""The behaviour of the gate: forward webhooks; respond with 503; break connections; forward webhooks, but break the connection
before the response."""

TIMEOUT = 60.0


@dataclass(frozen=True)
class Attempt:
    """A webhook that arrived at the gate, and the status of the response, or None if none was sent."""

    id: str
    body: Any
    status: int | None


class WebhookGate:
    """A server at a fixed address, in front of the service that listens on port `target`."""

    def __init__(self) -> None:
        self.port = free_port()
        self.target: int | None = None
        self.state = OPEN
        self._attempts: list[Attempt] = []
        self._changed = threading.Condition()

    @property
    def address(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    @property
    def attempts(self) -> list[Attempt]:
        with self._changed:
            return [*self._attempts]

    @property
    def arrived(self) -> list[Attempt]:
        """The webhooks that the service has accepted and whose response has reached the sender."""
        return [one for one in self.attempts if one.status == 200]

    def clear(self) -> None:
        with self._changed:
            self._attempts.clear()

    def wait_for(self, condition: Callable[[list[Attempt]], object]) -> list[Attempt]:
        """Wait until the attempts satisfy a condition, and return them."""
        with self._changed:
            assert self._changed.wait_for(lambda: condition(self._attempts), TIMEOUT), self._attempts
            return [*self._attempts]

    def respond(self, path: str, headers: dict[str, str], body: bytes) -> tuple[int, bytes] | None:
        """Return the response to a webhook, or None to break the connection."""
        state = self.state
        response: tuple[int, bytes] | None = None
        if state == REFUSING:
            response = 503, b'{"code":"storage_unavailable"}'
        elif state != AWAY:
            response = self._passed_on(path, headers, body)
            response = None if state == DEAF else response
        with self._changed:
            status = response and response[0]
            self._attempts.append(Attempt(headers["webhook-id"], json.loads(body), status))
            self._changed.notify_all()
        return response

    def _passed_on(self, path: str, headers: dict[str, str], body: bytes) -> tuple[int, bytes] | None:
        if self.target is None:
            return None
        connection = http.client.HTTPConnection("127.0.0.1", self.target, timeout=TIMEOUT)
        try:
            connection.request("POST", path, body, headers)
            response = connection.getresponse()
            return response.status, response.read()
        except OSError:
            return None
        finally:
            connection.close()


@contextmanager
def webhook_gate() -> Iterator[WebhookGate]:
    """Run a gate, which is open at first."""
    gate = WebhookGate()

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers["Content-Length"]))
            names = ("Content-Type", "webhook-id", "webhook-timestamp", "webhook-signature")
            response = gate.respond(self.path, {name: self.headers[name] for name in names}, body)
            if response is None:
                self.close_connection = True
                return
            self.send_response(response[0])
            self.send_header("Content-Length", str(len(response[1])))
            self.end_headers()
            self.wfile.write(response[1])

        def log_message(self, *_: object) -> None:
            """Do not log anything."""

    server = ThreadingHTTPServer(("127.0.0.1", gate.port), Handler)
    serving = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.05})
    serving.start()
    try:
        yield gate
    finally:
        server.shutdown()
        serving.join()
        server.server_close()


def until(condition: Callable[[], object], seconds: float = TIMEOUT) -> Any:
    """Wait until a condition returns a true value, and return that value."""
    deadline = time.monotonic() + seconds
    while True:
        if found := condition():
            return found
        assert time.monotonic() < deadline, "it did not happen in time"
        time.sleep(0.05)

"""The log lines of a service, except those about requests, starts and stops."""

from collections.abc import Sequence
from dataclasses import dataclass

import orjson

from tests.process.serving import Server

REQUEST = "request"
STARTING_AND_STOPPING = ("listening on", "stopping:", "BUNDLESVC_PLATFORM_ENDPOINT is set")


@dataclass(frozen=True)
class Line:
    level: str
    event: str


def lines_of(server: Server) -> Sequence[Line]:
    """Return the lines logged so far, except those that every request, start and stop produces. One of these is the warning about
    the stand-in platform."""
    records = [orjson.loads(line) for line in server.out.text.splitlines()]
    lines = [Line(each["level"], each["event"]) for each in records if each["event"] != REQUEST]
    return [line for line in lines if not line.event.startswith(STARTING_AND_STOPPING)]

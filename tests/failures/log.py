"""What a service had to say, beside the line of each request."""

from collections.abc import Sequence
from dataclasses import dataclass

import orjson

from tests.process.serving import Server

REQUEST = "request"


@dataclass(frozen=True)
class Line:
    level: str
    event: str


def lines_of(server: Server) -> Sequence[Line]:
    """All that it said until now, without what every start says."""
    said = [orjson.loads(line) for line in server.out.text.splitlines()]
    lines = [Line(each["level"], each["event"]) for each in said if each["event"] != REQUEST]
    return [line for line in lines if not line.event.startswith(("listening on", "stopping:"))]

"""Drives a server's protocol over socket pairs, inside the server's process. No network is involved, and no load generator
competes for processor time. What remains is the server's own work, whose instructions `instructions.py` counts.

`python -m tests.load.socket_pairs TARGET PLANS COUNT` sends COUNT requests of each plan to a target. It needs only the standard
library and the target's packages, so it also runs on the raw servers' interpreter.
"""

import asyncio
import json
import os
import re
import socket
import subprocess
import sys
from collections.abc import AsyncIterator, Callable, Mapping, Sequence
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any, NamedTuple

CONNECTIONS = 8
WARM_UP = 200
"""The number of requests of each case before the measurement. The service serialises a response when its request arrives for the
second time, and the interpreter specialises its bytecode."""

BEGIN, END = "os_getpgid", "os_getsid"
"""C functions that have no effect here and that Callgrind recognises: a call to the first restarts the count at zero, and a call
to the second makes Callgrind write the count."""

_LENGTH = re.compile(rb"content-length: (\d+)", re.IGNORECASE)


class Plan(NamedTuple):
    """A case to measure: its name, and the requests as bytes, which are sent in turn."""

    name: str
    requests: Sequence[bytes]


def read_plans(path: Path) -> list[Plan]:
    """Read the plans that `write_plans` has written."""
    return [Plan(name, [text.encode("latin-1") for text in texts]) for name, texts in json.loads(path.read_text())]


def write_plans(path: Path, plans: Sequence[Plan]) -> None:
    """Write plans to a file for another process."""
    path.write_text(json.dumps([(name, [one.decode("latin-1") for one in requests]) for name, requests in plans]))


def request_bytes(method: str, path: str, headers: Mapping[str, str], body: bytes = b"") -> bytes:
    """Build the bytes of a request in the form in which wrk sends it."""
    lines = [
        f"{method} {path} HTTP/1.1",
        "Host: 127.0.0.1:8080",
        *(f"{name}: {value}" for name, value in headers.items()),
    ]
    if body:
        lines.append(f"Content-Length: {len(body)}")
    return "\r\n".join((*lines, "", "")).encode() + body


class Client:
    """A client in its own process. It sends one request on every connection, reads all responses, and then sends the next
    requests."""

    def __init__(self, plans: Path) -> None:
        pairs = [socket.socketpair() for _ in range(CONNECTIONS)]
        self.sockets = [ours for ours, _ in pairs]
        theirs = [other.fileno() for _, other in pairs]
        command = [sys.executable, "-m", "tests.load.socket_pairs", "client", str(plans), ",".join(map(str, theirs))]
        self._process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, pass_fds=theirs)
        for _, other in pairs:
            other.close()

    async def send(self, case: int, first: int, count: int) -> None:
        """Send `count` requests of a case, starting with the request numbered `first`."""
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._process.stdin.write(f"{case} {first} {count}\n".encode())
        self._process.stdin.flush()
        loop, done = asyncio.get_running_loop(), asyncio.Event()
        loop.add_reader(self._process.stdout, done.set)
        await done.wait()
        loop.remove_reader(self._process.stdout)
        answer = self._process.stdout.readline()
        if answer != b"done\n":
            sys.exit(f"The client got: {answer!r}")

    def close(self) -> None:
        self._process.terminate()
        self._process.wait()


def run_client(plans: Sequence[Plan], descriptors: Sequence[int]) -> None:
    """Run the client: read commands from standard input, and send requests over these sockets."""
    sockets = [socket.socket(fileno=descriptor) for descriptor in descriptors]
    for line in sys.stdin:
        case, first, count = map(int, line.split())
        requests = plans[case].requests
        for number in range(first, first + count, len(sockets)):
            for index, each in enumerate(sockets):
                each.sendall(requests[(number + index) % len(requests)])
            for each in sockets:
                status = _read_response(each)
                if status not in (b"200", b"304"):
                    sys.exit(f"status {status!r}")
        sys.stdout.write("done\n")  # in one write: the reader does not wait for a second one
        sys.stdout.flush()


def _read_response(connection: socket.socket) -> bytes:
    """Read a response, and return its status."""
    received = b""
    while (end := received.find(b"\r\n\r\n")) < 0:
        received += _part(connection)
    status, length = received[9:12], _LENGTH.search(received, 0, end)
    rest = (int(length[1]) if length and status != b"304" else 0) + end + 4 - len(received)
    while rest > 0:
        rest -= len(_part(connection))
    return status


def _part(connection: socket.socket) -> bytes:
    part = connection.recv(262144)
    if not part:
        sys.exit("The server closed a connection.")
    return part


@asynccontextmanager
async def bundle_service(_: Sequence[str]) -> AsyncIterator[Callable[[], Any]]:
    """Start the service with the settings from the environment. Yields a function that creates the protocol for a connection."""
    from bundlesvc.api.server.runner import ServiceRunner  # noqa: PLC0415 - the raw servers' interpreter lacks it
    from bundlesvc.app import create_app  # noqa: PLC0415
    from bundlesvc.serving.garbage import collected_seldom  # noqa: PLC0415
    from bundlesvc.serving.logs import set_up_logs  # noqa: PLC0415
    from bundlesvc.settings.environment import Settings  # noqa: PLC0415

    settings = Settings.from_environment()
    set_up_logs(settings.log_format, settings.log_level)
    with collected_seldom():
        runner = ServiceRunner(create_app(settings))
        await runner.setup()
    for task in asyncio.all_tasks() - {asyncio.current_task()}:
        task.cancel()  # background work depends on time, and under callgrind everything takes fifty times as long
    try:
        yield runner.server  # type: ignore[misc]
    finally:
        await runner.cleanup()


@asynccontextmanager
async def bare_handler(arguments: Sequence[str]) -> AsyncIterator[Callable[[], Any]]:
    """Start a bare aiohttp handler that sends the bytes of a file. Yields a function that creates the protocol for a
    connection."""
    from aiohttp import web  # noqa: PLC0415

    from tests.load.bare import bare  # noqa: PLC0415

    runner = web.AppRunner(bare(Path(arguments[0])), access_log=None)
    await runner.setup()
    try:
        yield runner.server  # type: ignore[misc]
    finally:
        await runner.cleanup()


@asynccontextmanager
async def raw_uvicorn(_: Sequence[str]) -> AsyncIterator[Callable[[], Any]]:
    """Run uvicorn with httptools around a raw ASGI function. Yields a function that creates the protocol object for a
    connection."""
    from uvicorn.config import Config  # type: ignore[import-not-found] # noqa: PLC0415 - only raw servers need it
    from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol  # type: ignore[import-not-found] # noqa: PLC0415
    from uvicorn.server import ServerState  # type: ignore[import-not-found] # noqa: PLC0415

    from tests.load.raw_asgi import app  # noqa: PLC0415

    config = Config(app, access_log=False, log_level="critical", lifespan="off")
    config.load()
    state = ServerState()
    yield lambda: HttpToolsProtocol(config=config, server_state=state, app_state={})


TARGETS = {"service": bundle_service, "bare": bare_handler, "uvicorn": raw_uvicorn}


async def send_all(target: str, plans: Path, count: int, arguments: Sequence[str]) -> None:
    """Send the requests of all plans, and print the name of each finished plan. Callgrind starts counting only here, because
    counting would slow down the start-up."""
    cases = read_plans(plans)
    loop, client = asyncio.get_running_loop(), Client(plans)
    async with TARGETS[target](arguments) as protocol:
        for each in client.sockets:
            await loop.connect_accepted_socket(protocol, each)
        turn_on = await asyncio.create_subprocess_exec(
            "callgrind_control", "-i", "on", str(os.getpid()), stdout=asyncio.subprocess.DEVNULL
        )
        if await turn_on.wait():
            sys.exit("callgrind_control failed: run this under callgrind")
        for number, case in enumerate(cases):
            await client.send(number, 0, WARM_UP)
            os.getpgid(0)  # see `BEGIN`
            await client.send(number, WARM_UP, count)
            os.getsid(0)
            sys.stdout.write(f"{case.name}\n")
            sys.stdout.flush()
        client.close()


def main() -> None:
    target, plans, *arguments = sys.argv[1:]
    if target == "client":
        run_client(read_plans(Path(plans)), [int(descriptor) for descriptor in arguments[0].split(",")])
        return
    import uvloop  # noqa: PLC0415 - the client does not need it

    count, *rest = arguments
    with asyncio.Runner(loop_factory=uvloop.new_event_loop) as runner:
        runner.run(send_all(target, Path(plans), int(count), rest))


if __name__ == "__main__":
    main()

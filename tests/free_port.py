"""Ports for servers that stop and start again at the same address."""

import os
import re
import secrets
import socket
from contextlib import suppress

_PORTS = range(10_000, 15_000)
"""Below every usual range for outgoing connections, one of which could take the port while its server is stopped."""
_WORKERS = 8
"""Each worker of pytest has a share of the ports, so that no two choose the same one before either listens on it."""
_ATTEMPTS = 100

_given: set[int] = set()


def free_port() -> int:
    """A free port of this computer that this process has not had before. Raises OSError when none is found."""
    worker = re.search(r"\d+", os.environ.get("PYTEST_XDIST_WORKER", ""))
    share = _PORTS[int(worker[0]) % _WORKERS if worker else 0 :: _WORKERS]
    for _ in range(_ATTEMPTS):
        port = secrets.choice(share)
        if port not in _given and _can_listen(port):
            _given.add(port)
            return port
    raise OSError(f"Not one of {_ATTEMPTS} ports between {_PORTS.start} and {_PORTS.stop} is free.")


def _can_listen(port: int) -> bool:
    """Whether a server could listen on the port at every address, as servers try it."""
    with socket.socket() as taker, suppress(OSError):
        taker.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        taker.bind(("", port))
        taker.listen()
        return True
    return False

"""Ports for servers that stop and start again at the same address."""

import secrets
import socket
from contextlib import suppress

_PORTS = range(10_000, 15_000)
"""Below every usual range for outgoing connections: one of these could otherwise take the port while its server is stopped."""
_ATTEMPTS = 100


def free_port() -> int:
    """A free port of this computer, reserved until this process ends. Raises OSError when none is found."""
    for _ in range(_ATTEMPTS):
        port = secrets.choice(_PORTS)
        if _reserved(port):
            return port
    raise OSError(f"Not one of {_ATTEMPTS} ports between {_PORTS.start} and {_PORTS.stop} is free.")


def _reserved(port: int) -> bool:
    """Bind a socket to the port for the life of this process. False if any other socket is bound to it.

    Servers, which set SO_REUSEADDR, can listen on the port all the same, because by then the socket has it set, too. A second
    reservation fails, because it binds without it: neither another thread nor another process is given the port.
    """
    with socket.socket() as taker, suppress(OSError):
        taker.bind(("", port))
        taker.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        taker.detach()
        return True
    return False

"""Ports for servers that are stopped and restarted at the same address."""

import secrets
import socket
from contextlib import suppress

_PORTS = range(10_000, 15_000)
"""Ports below every usual range for outgoing connections. Otherwise, an outgoing connection could take a port while its server is
stopped."""
_ATTEMPTS = 100


def free_port() -> int:
    """Find a free port on this machine, and reserve it until this process ends. Raises OSError if none is found."""
    for _ in range(_ATTEMPTS):
        port = secrets.choice(_PORTS)
        if _reserved(port):
            return port
    raise OSError(f"Not one of {_ATTEMPTS} ports between {_PORTS.start} and {_PORTS.stop} is free.")


def _reserved(port: int) -> bool:
    """Bind a socket to the port for the life of this process. Returns False if any other socket is bound to the port.

    Servers that set SO_REUSEADDR can nevertheless listen on the port, because this socket also sets the option, after binding. A
    second reservation binds without the option and fails, so no other thread or process can reserve the port.
    """
    with socket.socket() as taker, suppress(OSError):
        taker.bind(("", port))
        taker.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        taker.detach()
        return True
    return False

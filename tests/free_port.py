"""Ports for servers that go away and come back at their address."""

import secrets
import socket

_PORTS = range(15_000, 30_000)
"""Below those that systems give to outgoing connections: one of these could take the port while its server is away."""
_ATTEMPTS = 100


def free_port() -> int:
    """A port of this computer that nobody listens on. Raises OSError when none can be found."""
    for _ in range(_ATTEMPTS):
        port = secrets.choice(_PORTS)
        with socket.socket() as taker:
            if taker.connect_ex(("127.0.0.1", port)) != 0:
                return port
    raise OSError(f"Not one of {_ATTEMPTS} ports between {_PORTS.start} and {_PORTS.stop} is free.")

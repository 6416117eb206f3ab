"""Ports for servers that stop and start again at the same address."""

import secrets
import socket

_PORTS = range(15_000, 30_000)
"""Below the range for outgoing connections, one of which could take the port while its server is stopped."""
_ATTEMPTS = 100


def free_port() -> int:
    """A free port of this computer. Raises OSError when none is found."""
    for _ in range(_ATTEMPTS):
        port = secrets.choice(_PORTS)
        with socket.socket() as taker:
            if taker.connect_ex(("127.0.0.1", port)) != 0:
                return port
    raise OSError(f"Not one of {_ATTEMPTS} ports between {_PORTS.start} and {_PORTS.stop} is free.")

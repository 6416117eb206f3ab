"""PgBouncer in transaction mode, from the Debian package, in front of a PostgreSQL test server."""

import os
import shutil
import signal
import socket
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory

from tests.missing import missing
from tests.servers.free_port import free_port
from tests.servers.postgres_server import TIMEOUT, WHILE_THE_PIPE_IS_OPEN, PostgresServer, as_user

SERVER_CONNECTIONS = 3
"""The number of connections to the server: fewer than one process opens, so that transactions may switch connections."""


@contextmanager
def pgbouncer(server: PostgresServer) -> Iterator[int]:
    """Start PgBouncer for all databases of a server, and yield the port on which PgBouncer listens."""
    program = shutil.which("pgbouncer", path=f"{os.environ['PATH']}:/usr/sbin")
    if program is None:
        missing("needs pgbouncer: apt install pgbouncer")
    port = free_port()
    with TemporaryDirectory(prefix="pgbouncer-") as name:
        folder = Path(name)
        folder.chmod(0o755)  # readable by the server's user
        (folder / "users").write_text('"postgres" ""\n')
        (folder / "settings").write_text(
            f"[databases]\n* = host=127.0.0.1 port={server.port}\n"
            f"[pgbouncer]\npool_mode = transaction\ndefault_pool_size = {SERVER_CONNECTIONS}\n"
            f"listen_addr = 127.0.0.1\nlisten_port = {port}\nunix_socket_dir =\n"
            f"auth_type = trust\nauth_file = {folder / 'users'}\n"
        )
        process = subprocess.Popen(
            ["sh", "-c", WHILE_THE_PIPE_IS_OPEN, "sh", program, "-q", folder / "settings"],
            stdin=subprocess.PIPE,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            start_new_session=True,
            **as_user(server.user),
        )
        try:
            _wait_for(port, process)
            yield port
        finally:
            assert process.stdin is not None
            process.stdin.close()
            process.send_signal(signal.SIGTERM)  # ends it immediately, whatever it is doing
            process.wait(TIMEOUT)


def _wait_for(port: int, process: "subprocess.Popen[bytes]") -> None:
    begun = time.monotonic()
    while True:
        assert process.poll() is None, "PgBouncer ended"
        try:
            socket.create_connection(("127.0.0.1", port)).close()
        except OSError:
            assert time.monotonic() - begun < TIMEOUT
            time.sleep(0.02)
        else:
            return

"""`bundlesvc serve`: runs the service."""

from bundlesvc.serving import light_imports  # noqa: F401

# isort: split
import asyncio
import errno
import logging
import socket
import sys
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import partial

import click
import uvloop
from aiohttp import web
from yarl import URL

from bundlesvc.api.cors import embed_path
from bundlesvc.app import create_app
from bundlesvc.cli.environment.database import current_database
from bundlesvc.cli.environment.demo_secrets import demo_settings
from bundlesvc.cli.environment.upgrading import upgrade_database
from bundlesvc.cli.serve.demo import announce_demo, check_demo_sockets, demo_key, demo_studio_key
from bundlesvc.cli.terminal.output import fail
from bundlesvc.cli.terminal.whole_number import WholeNumber
from bundlesvc.domain.errors import StorageUnavailable
from bundlesvc.serving.background_output import log_in_background
from bundlesvc.serving.free_memory import give_back_large_blocks
from bundlesvc.serving.listening import Sockets, StopSignals, listen, raise_descriptor_limit, serving
from bundlesvc.serving.logs import set_up_logs
from bundlesvc.serving.start_checks import check_settings, log_warnings, with_secrets
from bundlesvc.serving.waiting import wait_for_database
from bundlesvc.settings.environment import Settings
from bundlesvc.storage.database.postgresql.failures import may_come

logger = logging.getLogger("bundlesvc")

_NOT_TO_BE_HAD = (errno.EADDRINUSE, errno.EACCES, errno.EADDRNOTAVAIL)


@click.command()
@click.option("--host", help="The address to listen on.  [default: BUNDLESVC_HOST, or 127.0.0.1]")
@click.option("--port", type=WholeNumber(0, 65535), help="The port to listen on.  [default: PORT, or 8080]")
@click.option("--demo-anywhere", is_flag=True, help="Let demo mode listen on an address that other hosts can reach.")
def serve(host: str | None, port: int | None, *, demo_anywhere: bool) -> None:
    """Serve the APIs until SIGTERM or Ctrl-C.

    A SQLite database is created if it does not exist. If its tables are outdated, the database is first backed up to a new file
    next to it, and then upgraded. WEB_CONCURRENCY sets the number of processes. The processes finish the requests in progress
    before they end.
    """
    settings = Settings.from_environment()
    settings = replace(settings, host=host or settings.host, port=settings.port if port is None else port)
    check_settings(settings)
    log_in_background()
    set_up_logs(settings.log_format, settings.log_level)
    settings = demo_settings(settings) if settings.demo else with_secrets(settings)
    ports = _Ports(settings, is_private=settings.demo and not demo_anywhere)
    sockets = Sockets(_sockets_with_database(settings, ports), ports.metrics())
    keys = (demo_key(settings), demo_studio_key(settings)) if settings.demo else (None, None)
    log_warnings(settings)

    raise_descriptor_limit()
    give_back_large_blocks()
    service = _Service(settings, *keys, sockets)
    if settings.workers > 1:
        _serve_with_workers(service)
    else:
        with asyncio.Runner(loop_factory=uvloop.new_event_loop) as runner:
            runner.run(_serve(service))


@dataclass(frozen=True)
class _Service:
    """The service to run, in one process or in several."""

    settings: Settings
    demo_key: str | None
    demo_studio_key: str | None
    sockets: Sockets

    def create(self) -> web.Application:
        app = create_app(self.settings, demo_key=self.demo_key)
        if self.demo_studio_key is not None:
            _open_studio(app, self.demo_studio_key)
        return app

    def announce(self) -> None:
        address = _address(self.settings, self.sockets.api)
        logger.info("listening on %s", address)
        if self.sockets.metrics:
            logger.info("metrics are on %s/metrics", _address(self.settings, self.sockets.metrics))
        if self.settings.demo:
            announce_demo(self.demo_key, address, self.settings, embed_path(self.settings.base_path))


def _open_studio(app: web.Application, key: str) -> None:
    from bundlesvc.studio.routes import open_to_everybody  # noqa: PLC0415 - outside the demo, everybody needs a key

    open_to_everybody(app, key)


async def _serve(service: _Service) -> None:
    """Serve until SIGTERM or SIGINT; then stop accepting requests, and finish those in progress."""
    signals = StopSignals()
    async with serving(service.create(), service.sockets, service.settings.stop_delay, signals):
        service.announce()
        await signals.stop.wait()


def _serve_with_workers(service: _Service) -> None:
    from bundlesvc.serving.workers import serve_with_workers  # noqa: PLC0415 - a single process does not need gunicorn

    service.announce()
    serve_with_workers(service.create, service.sockets, service.settings)


def _address(settings: Settings, sockets: Sequence[socket.socket]) -> str:
    return str(URL.build(scheme="http", host=settings.host, port=sockets[0].getsockname()[1]))


@dataclass(frozen=True)
class _Ports:
    """The ports to listen on. With `is_private`, only addresses that no other host can reach are allowed."""

    settings: Settings
    is_private: bool

    def api(self) -> list[socket.socket]:
        return self._listen(self.settings.port, "Choose another: PORT=8090, or --port 8090.")

    def metrics(self) -> list[socket.socket]:
        port = self.settings.metrics_port
        return [] if port is None else self._listen(port, "Choose another: BUNDLESVC_METRICS_PORT=9100.")

    def _listen(self, port: int, remedy: str) -> list[socket.socket]:
        sockets = _listen_on(self.settings.host, port, remedy)
        if self.is_private:
            check_demo_sockets(self.settings.host, sockets)
        return sockets


def _sockets_with_database(settings: Settings, ports: _Ports) -> list[socket.socket]:
    """Open the listening sockets once the database is available. Waits for a PostgreSQL server; ends the command when a signal
    arrives first."""
    try:
        asyncio.run(_bring_up_to_date(settings))
        return ports.api()
    except StorageUnavailable as error:
        if settings.database_file is not None or not may_come(error):
            raise
        failure = error
    sockets = ports.api()
    attempt = partial(_bring_up_to_date, settings)
    if not asyncio.run(wait_for_database(attempt, sockets, _address(settings, sockets), failure)):
        sys.exit(0)
    return sockets


def _listen_on(host: str, port: int, remedy: str) -> list[socket.socket]:
    try:
        return listen(host, port)
    except OSError as error:
        if error.errno not in _NOT_TO_BE_HAD and not isinstance(error, socket.gaierror):
            raise
        if isinstance(error, socket.gaierror) or error.errno == errno.EADDRNOTAVAIL:
            fail(
                f"{host or 'an empty text'} is not an address of this host. Choose another: BUNDLESVC_HOST, or --host."
            )
        reason = "is in use by another program" if error.errno == errno.EADDRINUSE else "is not available"
        fail(f"port {port} of {host} {reason}. {remedy}")


async def _bring_up_to_date(settings: Settings) -> None:
    if settings.database_file is not None:
        await upgrade_database(settings, logger.warning)
        return
    async with current_database(settings):
        pass

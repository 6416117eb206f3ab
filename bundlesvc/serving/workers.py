"""Runs several processes on one port: gunicorn starts them, replaces any that dies, and stops them."""

import asyncio
import logging
import os
import signal
import socket
from collections.abc import Callable, Sequence
from contextlib import AbstractAsyncContextManager, suppress
from itertools import count
from typing import Any

import uvloop
from aiohttp import web
from gunicorn.app.base import BaseApplication
from gunicorn.glogging import Logger
from gunicorn.workers.base import Worker

from bundlesvc.api.app_keys import METRICS
from bundlesvc.api.server.runner import STOP_SECONDS
from bundlesvc.domain.errors import Unavailable
from bundlesvc.metrics.workers import WorkerFile
from bundlesvc.serving.listening import Sockets, StopSignals, serving
from bundlesvc.serving.metrics_folder import MetricsFolder
from bundlesvc.serving.start_refused import StartRefused
from bundlesvc.settings.environment import Settings

logger = logging.getLogger("bundlesvc")

BEAT_SECONDS = 0.5
"""Seconds between two heartbeats of a worker, at which it also checks that the main process is alive."""

SILENT_SECONDS = 60
"""Seconds without a heartbeat after which a worker is replaced."""

_ENDING = (signal.SIGTERM, signal.SIGINT, signal.SIGQUIT)


def serve_with_workers(create: Callable[[], web.Application], sockets: Sockets, settings: Settings) -> None:
    """Serve with several processes, each with its own application, until SIGTERM or SIGINT. Exits this process. Raises
    StartRefused."""
    try:
        folder = MetricsFolder()
    except OSError as error:
        raise StartRefused(
            f"several processes need a folder for temporary files: {error.strerror}. Name one in TMPDIR."
        ) from error
    # While a worker is being forked, block the signals that end workers, because a new worker starts with gunicorn's handlers,
    # which would lose the signals.
    os.register_at_fork(before=_hold_signals, after_in_parent=_release_signals)
    _Service(create, sockets, settings, folder).run()


def _hold_signals() -> None:
    signal.pthread_sigmask(signal.SIG_BLOCK, _ENDING)


def _release_signals() -> None:
    signal.pthread_sigmask(signal.SIG_UNBLOCK, _ENDING)


class _Service(BaseApplication):  # type: ignore[misc]
    """The gunicorn application. `folder` contains the metrics files of the workers."""

    def __init__(
        self, create: Callable[[], web.Application], sockets: Sockets, settings: Settings, folder: MetricsFolder
    ) -> None:
        self._create = create
        self._sockets = sockets
        self._settings = settings
        self._folder = folder
        self._options = {
            "bind": [f"fd://{each.detach()}" for each in sockets.api],
            "workers": settings.workers,
            "worker_class": ServiceWorker,
            "logger_class": _OurLog,
            "timeout": SILENT_SECONDS,
            "graceful_timeout": STOP_SECONDS + 3,
            "control_socket_disable": True,
            "pre_fork": _give_number,
            "on_exit": lambda _: self._folder.remove(),
        }
        super().__init__()

    def load_config(self) -> None:
        for name, value in self._options.items():
            self.cfg.set(name, value)

    def load(self) -> Callable[[Sequence[socket.socket], int, StopSignals], AbstractAsyncContextManager[None]]:
        """Return the function that creates the application and serves it. The function is called in each worker, because some
        resources must not be opened before the fork."""

        def serve(
            listening: Sequence[socket.socket], number: int, signals: StopSignals
        ) -> AbstractAsyncContextManager[None]:
            app = self._create()
            app[METRICS].share(WorkerFile(self._folder.path, number))
            return serving(app, Sockets(listening, self._sockets.metrics), self._settings.stop_delay, signals)

        return serve


def _give_number(arbiter: Any, worker: Any) -> None:
    """Give a new worker the lowest number that no other worker has. The worker's metrics file is named after that number."""
    taken = {each.number for each in arbiter.WORKERS.values()}
    worker.number = next(number for number in count(1) if number not in taken)


class ServiceWorker(Worker):  # type: ignore[misc]
    """A worker process of the service."""

    number: int

    def init_signals(self) -> None:
        super().init_signals()
        _release_signals()

    def run(self) -> None:
        self.booted = False  # makes gunicorn give up: a worker that fails before it serves would fail every time
        with asyncio.Runner(loop_factory=uvloop.new_event_loop) as runner:
            runner.run(self._serve())

    async def _serve(self) -> None:
        signals = StopSignals()
        stop = signals.stop
        while self._goes_on(stop):
            try:
                async with self.wsgi([each.sock for each in self.sockets], self.number, signals):
                    self.booted = True
                    while self._goes_on(stop):
                        await self._beat(stop)
                    if self._is_orphan():  # while this one drains, no new process could take the port
                        signals.at_once.set()
            except Unavailable as error:  # the dependency was available when the service started, and will be again
                logger.warning("worker %d cannot start yet: %s", self.pid, error)
                await self._beat(stop)

    def _goes_on(self, stop: asyncio.Event) -> bool:
        return self.alive and not stop.is_set() and not self._is_orphan()

    def _is_orphan(self) -> bool:
        """Whether the main process has died."""
        return bool(os.getppid() != self.ppid)

    async def _beat(self, stop: asyncio.Event) -> None:
        self.notify()
        with suppress(TimeoutError):
            async with asyncio.timeout(BEAT_SECONDS):
                await stop.wait()


class _OurLog(Logger):  # type: ignore[misc]
    """Sends gunicorn's warnings to the service's log, and drops its progress reports."""

    def setup(self, cfg: Any) -> None:
        self.cfg = cfg
        self.error_log.propagate = True
        self.error_log.setLevel(logging.WARNING)

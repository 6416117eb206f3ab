"""`serve` with several processes, up to the point where it starts them."""

import errno
import tempfile

import pytest
from aiohttp import web

from bundlesvc.serving.listening import Sockets
from bundlesvc.serving.start_refused import StartRefused
from bundlesvc.serving.workers import serve_with_workers
from bundlesvc.settings.environment import Settings


def test_several_processes_need_a_folder_for_temporary_files(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(**_: str) -> str:
        raise FileNotFoundError(errno.ENOENT, "No usable temporary directory found in ['/tmp']")

    monkeypatch.setattr(tempfile, "mkdtemp", refuse)
    with pytest.raises(StartRefused) as refused:
        serve_with_workers(web.Application, Sockets(()), Settings())
    assert str(refused.value) == (
        "several processes need a folder for temporary files: "
        "No usable temporary directory found in ['/tmp']. Name one in TMPDIR."
    )

"""`serve` with several processes, before it starts them."""

import errno
import tempfile

import pytest
from aiohttp import web

from bundlesvc.cli.listening import Sockets
from bundlesvc.cli.workers import serve_with_workers
from bundlesvc.settings import Settings


def test_several_processes_need_a_folder_for_temporary_files(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def refuse(**_: str) -> str:
        raise FileNotFoundError(errno.ENOENT, "No usable temporary directory found in ['/tmp']")

    monkeypatch.setattr(tempfile, "mkdtemp", refuse)
    with pytest.raises(SystemExit) as ended:
        serve_with_workers(web.Application, Sockets(()), Settings())
    assert ended.value.code == 1
    assert capsys.readouterr().err == (
        "bundlesvc: several processes need a folder for temporary files: "
        "No usable temporary directory found in ['/tmp']. Name one in TMPDIR.\n"
    )

"""The reader of a command's output may close the pipe, as `head` does. The command then exits quietly."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.process.serving import TIMEOUT, environment, prepare

pytestmark = pytest.mark.process

COMMANDS = (["doctor"], ["shops", "list"], ["keys", "list"], ["keys", "list", "--json"], ["ghosts", "list"], ["--help"])


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a database."""
    folder = tmp_path_factory.mktemp("pipes")
    prepare(folder)
    return folder


@pytest.mark.parametrize("arguments", COMMANDS, ids=" ".join)
@pytest.mark.parametrize("buffering", [[], ["-u"]], ids=["buffered", "unbuffered"])
def test_a_reader_that_has_gone_ends_a_command_quietly(
    arguments: list[str], buffering: list[str], folder: Path
) -> None:
    reader, writer = os.pipe()
    os.close(reader)
    try:
        done = subprocess.run(
            [sys.executable, *buffering, "-m", "bundlesvc", *arguments],
            cwd=folder,
            env=environment(folder),
            stdout=writer,
            stderr=subprocess.PIPE,
            text=True,
            timeout=TIMEOUT,
            check=False,
        )
    finally:
        os.close(writer)
    assert (done.returncode, done.stderr) == (1, "")

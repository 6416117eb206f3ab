"""`bundlesvc preview` as a process: it follows the file, touches no other database, and ends clean."""

import http.client
import signal
from pathlib import Path

import orjson
import pytest

from tests.preview.conftest import SavedFile
from tests.process.previewing import previewing
from tests.process.serving import BASE, TIMEOUT, database_of

pytestmark = pytest.mark.process


@pytest.fixture
def saved(tmp_path: Path) -> SavedFile:
    return SavedFile(tmp_path / "shop.yaml")


def test_preview_follows_the_file_until_ctrl_c(saved: SavedFile) -> None:
    with previewing(saved.path) as preview:
        events = http.client.HTTPConnection("127.0.0.1", preview.port, timeout=TIMEOUT)
        events.request("GET", "/preview/events")
        stream = events.getresponse()
        state = orjson.loads(stream.readline().removeprefix(b"data: "))
        assert [bundle["name"] for bundle in state["bundles"]] == ["Breakfast", "Supper"]

        saved.change("name: Breakfast", "name: Brunch")
        assert stream.readline() == b"\n"
        changed = orjson.loads(stream.readline().removeprefix(b"data: "))
        assert [bundle["name"] for bundle in changed["bundles"]] == ["Brunch", "Supper"]

        api = http.client.HTTPConnection("127.0.0.1", preview.port, timeout=TIMEOUT)
        for bundle_id, name in ((1, "Brunch"), (2, "Supper")):  # at once, and unpublished ones too
            api.request("GET", f"{BASE}/bundles/{bundle_id}", headers={"Authorization": f"Bearer {state['apiKey']}"})
            assert orjson.loads(api.getresponse().read())["name"] == name

        preview.process.send_signal(signal.SIGINT)
        assert stream.read() == b"\n"
        assert preview.process.wait(TIMEOUT) == 0
        assert preview.err.end() == ""
        api.close()
        events.close()
    assert list((saved.path.parent / "temporary").iterdir()) == []
    assert not database_of(saved.path.parent).exists()

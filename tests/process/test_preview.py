"""`bundlesvc preview` as a process: it follows changes to the file, does not touch the service's database, and exits cleanly."""

import http.client
import signal
from contextlib import closing
from pathlib import Path
from typing import Any

import orjson
import pytest

from tests.process.previewing import PreviewProcess, previewing
from tests.process.serving import TIMEOUT, database_of
from tests.studio.following.conftest import SavedFile

pytestmark = pytest.mark.process


@pytest.fixture
def saved(tmp_path: Path) -> SavedFile:
    return SavedFile(tmp_path / "shop.yaml")


class Page:
    """A client that sends the same requests to a preview as the studio's page does."""

    def __init__(self, preview: PreviewProcess) -> None:
        self._preview = preview
        self._cookie = ""
        self._open: list[http.client.HTTPConnection] = []

    def log_in(self) -> None:
        """Open a session with the secret from the preview's address."""
        body = orjson.dumps({"secret": self._preview.secret})
        response = self.send("POST", "/file/session", body)
        assert response.status == 200, response.read()
        self._cookie = response.headers["Set-Cookie"].partition(";")[0]

    def send(self, method: str, path: str, body: bytes | None = None) -> http.client.HTTPResponse:
        connection = http.client.HTTPConnection("127.0.0.1", self._preview.port, timeout=TIMEOUT)
        self._open.append(connection)
        headers = {"Sec-Fetch-Site": "same-origin", "X-Bundlesvc-Studio": "1", "Cookie": self._cookie}
        connection.request(method, f"/studio{path}", body, headers)
        return connection.getresponse()

    def read(self, path: str) -> Any:
        response = self.send("GET", path)
        body = response.read()
        assert response.status == 200, body
        return orjson.loads(body)

    @property
    def live(self) -> tuple[int, list[str]]:
        """Return the number of the live revision, and the names of its bundles."""
        bundles = self.read("/api/revisions/live/content")["bundles"]
        return self.read("/api/shop")["live"], [bundle["name"] for bundle in bundles]

    def close(self) -> None:
        for connection in self._open:
            connection.close()


def state(stream: http.client.HTTPResponse) -> Any:
    """Read the next event about the file from the stream."""
    sent = orjson.loads(stream.readline().removeprefix(b"data: "))
    assert stream.readline() == b"\n"
    return sent


def test_preview_follows_the_file_until_ctrl_c(saved: SavedFile) -> None:
    with previewing(saved.path) as preview, closing(Page(preview)) as page:
        page.log_in()
        stream = page.send("GET", "/file/events")
        assert state(stream)["isCurrent"]
        assert page.live == (1, ["Breakfast", "Supper"])

        saved.change("name: Breakfast", "name: Brunch")
        assert state(stream)["isCurrent"]
        assert page.live == (2, ["Brunch", "Supper"])  # immediately, and including unpublished bundles
        (listed, _) = page.read("/preview/2/none/now/bundles")
        assert listed["name"] == "Brunch"
        (newest, _) = page.read("/api/revisions")
        assert (newest["message"], newest["source"]) == ("shop.yaml", "file:shop.yaml")

        saved.change("name: Breakfast", "nam: Brunch")
        assert not state(stream)["isCurrent"]
        assert page.live == (2, ["Brunch", "Supper"])

        preview.process.send_signal(signal.SIGINT)
        assert stream.read() == b""
        assert preview.process.wait(TIMEOUT) == 0
        assert preview.err.end() == ""
    assert list((saved.path.parent / "temporary").iterdir()) == []
    assert not database_of(saved.path.parent).exists()


def test_file_that_has_faults_from_the_beginning_is_followed(saved: SavedFile) -> None:
    saved.change("name: Breakfast", "nam: Breakfast")
    with previewing(saved.path) as preview, closing(Page(preview)) as page:
        page.log_in()
        stream = page.send("GET", "/file/events")
        assert not state(stream)["isCurrent"]
        assert page.live == (1, [])
        saved.change("name: Breakfast", "name: Brunch")
        assert state(stream)["isCurrent"]
        assert page.live == (2, ["Brunch", "Supper"])

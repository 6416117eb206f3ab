"""A site on another origin, with pages that contain the component."""

import threading
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from itertools import count

Page = tuple[str, Mapping[str, str]]


class Site:
    """A site that serves the pages added by tests."""

    def __init__(self, origin: str) -> None:
        self.origin = origin
        self.pages: dict[str, Page] = {}
        self._numbers = count(1)

    def put(self, html: str, headers: Mapping[str, str] = {}) -> str:
        """Add a page, and return its address."""
        path = f"/{next(self._numbers)}"
        self.pages[path] = (html, headers)
        return f"{self.origin}{path}"


@contextmanager
def running_site(port: int = 0) -> Iterator[Site]:
    """Run a site on a port of this computer, by default a free one, until the context ends."""
    pages: dict[str, Page] = {}

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            html, headers = pages.get(self.path.partition("?")[0], ("", {}))
            self.send_response(200 if html else 404)
            for name, value in {"Content-Type": "text/html; charset=utf-8", **headers}.items():
                self.send_header(name, value)
            self.end_headers()
            self.wfile.write(html.encode())

        def log_message(self, *_: object) -> None:
            """Log nothing."""

    with ThreadingHTTPServer(("127.0.0.1", port), Handler) as server:
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        site = Site(f"http://127.0.0.1:{server.server_port}")
        site.pages = pages
        try:
            yield site
        finally:
            server.shutdown()
            thread.join()

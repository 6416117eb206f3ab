"""Static files for pages from any origin: the web component, its client, and the demo's images.

Every file has two URLs. `/storefront/<digest>/…` is immutable: the digest covers all files together. A file directly below
`/storefront/` has a short lifetime, and a module there only re-exports the module at the URL with the digest. So a page never
mixes modules from two versions (docs/web-component.md#files-and-versions).
"""

import asyncio
import hashlib
import posixpath
from collections.abc import Mapping, Sequence
from functools import cache
from http import HTTPStatus
from importlib.resources import files
from pathlib import Path

from aiohttp import web

from bundlesvc.api.errors import NO_STORE
from bundlesvc.api.negotiation.compression import compressed_forms, preferred_coding
from bundlesvc.api.storefront_files.module_linker import REGISTRY, Module, exported, link, read_modules, relative_path
from bundlesvc.domain.errors import NotFound

STATIC_PATH = "/storefront"
FOLDER = Path(str(files("bundlesvc") / "storefront"))

# The MIME types are fixed, because the host's own table may differ, and browsers refuse a module that is not served as
# JavaScript.
_TYPES = {
    ".js": "text/javascript; charset=utf-8",
    ".json": "application/json; charset=utf-8",
    ".map": "application/json; charset=utf-8",
    ".svg": "image/svg+xml",
    ".ts": "text/plain; charset=utf-8",
}

# The folder is also an npm package. Pages do not need its manifest or these subfolders.
_NOT_SERVED = frozenset({"package.json", "react", "html"})

_CLIENT, _COMPONENT, _CART = "client/client.js", "bundle-builder.js", "cart/cart.js"
_COMPLETING, _STRUCTURED_DATA = "component/completing.js", "structured-data/structured-data.js"
_ANALYTICS = "analytics/analytics.js"
_TAKING_OVER, _LOADER = "component/taking-over.js", "loader.js"
_WHEN_NEEDED = (_COMPLETING, "component/cart-country.js", "component/page-tools.js", _TAKING_OVER)
_ENTRIES = (_CLIENT, _COMPONENT, _CART, *_WHEN_NEEDED, _STRUCTURED_DATA, _ANALYTICS, _LOADER)
"""The modules that pages import, and those that the component loads on demand. Each is linked into one file with those of its
dependencies that no file before it contains. Every file imports the client's file, except for those in `_ALONE`."""
_ALONE = frozenset({_CLIENT, _TAKING_OVER, _LOADER})

_DIGEST_LENGTH = 16
_IMMUTABLE = "public, max-age=31536000, immutable"
_SHORT = "public, max-age=300, stale-while-revalidate=3600"
_HEADERS = {
    "Access-Control-Allow-Origin": "*",
    "Cross-Origin-Resource-Policy": "cross-origin",
    "Vary": "Accept-Encoding",
}


class File:
    """A file's bytes and its compressed forms, which are created once."""

    def __init__(self, name: str, body: bytes) -> None:
        self.type = _TYPES[posixpath.splitext(name)[1]]
        self.tag = hashlib.sha256(body).hexdigest()[:32]
        self.body = body
        self._forms: Mapping[str, bytes] | None = None

    async def forms(self) -> Mapping[str, bytes]:
        """Return the file's bytes by content coding; "" is the uncompressed form. The forms are created once, because the best
        compression of a large file is slow."""
        if self._forms is None:
            coded = await asyncio.to_thread(compressed_forms, self.body, brotli_quality=11, gzip_level=9)
            self._forms = {"": self.body, **coded}
        return self._forms


class Version:
    """All files of one version, by name, both at their immutable URLs and at the URLs that are the same in all versions."""

    def __init__(self, sources: Mapping[str, bytes]) -> None:
        texts = {name: source.decode() for name, source in sources.items() if name.endswith(".js")}
        self._modules: dict[str, Module] = {}
        self._entries: dict[str, str] = {}
        linked: dict[str, bytes] = {}
        for entry in _ENTRIES:
            own = {name: each for name, each in read_modules(entry, texts).items() if name not in self._modules}
            self._modules |= own
            self._entries |= dict.fromkeys(own, entry)
            linked |= _linked(list(own.values()))
        reexports = {name: self._reexport(name, name) for name in self._modules}
        immutable = {**sources, **reexports, **linked}
        self.digest = _digest_of(immutable)
        versioned = {name: self._reexport(name, name, self.digest) for name in self._modules}
        self.immutable = {name: File(name, body) for name, body in immutable.items()}
        self.short_lived = {name: File(name, body) for name, body in {**sources, **versioned}.items()}

    def in_place_of(self, address: str, name: str) -> File:
        """Return the file to serve at the URL of another version of a module. It re-exports the current version of the module."""
        return File(name, self._reexport(address, name, self.digest))

    def _reexport(self, address: str, name: str, version: str = "") -> bytes:
        """Build a module for `address` that re-exports the module of this name from the linked file at `version`. The new module
        also imports what the linked file imports, so that a browser fetches that file and its imports in parallel."""
        folder, module, entry = posixpath.dirname(address), self._modules[name], self._entries[name]
        client, file = (relative_path(folder, posixpath.join(version, each)) for each in (_CLIENT, entry))
        first = "" if entry in _ALONE else f'import "{client}";\n'
        if name == entry:
            return f'{first}export {{ {", ".join(module.exports)} }} from "{file}";\n'.encode()
        return f'{first}import {{ {REGISTRY} }} from "{file}";\n{exported(module)}\n'.encode()


class StorefrontFiles:
    """Serves the files as they were when the service started, because an upgrade replaces them one by one while the service is
    still running."""

    def __init__(self, folder: Path) -> None:
        self._sources = read_files(folder)
        self._version: Version | None = None

    async def preload(self, path: str = "") -> str:
        """Return the `Link` header for a page or module that imports the component. `path` is the relative path from the page or
        module to the files."""
        version = await self._current()
        addresses = (f"{path}{version.digest}/{name}" for name in (_CLIENT, _COMPONENT))
        return ", ".join(f'<{address}>; rel="modulepreload"' for address in addresses)

    async def short_lived(self, request: web.Request) -> web.Response:
        """Respond with a file that may be cached only briefly, because its URL is the same in all versions. Raises NotFound."""
        version = await self._current()
        name = request.match_info["name"]
        headers = {"Link": await self.preload()} if name == _COMPONENT else {}
        return await _response(request, version.short_lived.get(name), {**headers, "Cache-Control": _SHORT})

    async def immutable(self, request: web.Request) -> web.Response:
        """Respond with a file below the digest of a version. Raises NotFound. The entry files of other versions re-export the
        current ones, so a browser that has cached only `bundle-builder.js` of another version still gets one complete version:
        the current one."""
        version = await self._current()
        digest, name = request.match_info["digest"], request.match_info["name"]
        if digest == version.digest:
            return await _response(request, version.immutable.get(name), {"Cache-Control": _IMMUTABLE})
        if name not in _ENTRIES:
            current = f"{STATIC_PATH}/{version.digest}/"
            raise NotFound(f"This file is of another version of the service. The current files are below {current}.")
        other = version.in_place_of(f"{digest}/{name}", name)
        return await _response(request, other, {"Cache-Control": NO_STORE})

    async def _current(self) -> Version:
        """Return the current version of the files, which is built on the first request to keep start-up fast."""
        if self._version is None:
            self._version = await asyncio.to_thread(Version, self._sources)
        return self._version


def read_files(folder: Path) -> dict[str, bytes]:
    """Read the files in a folder that should be served to clients. Returns their contents by name."""
    paths = (path.relative_to(folder) for path in folder.rglob("*") if path.suffix in _TYPES and path.is_file())
    return {path.as_posix(): (folder / path).read_bytes() for path in paths if path.parts[0] not in _NOT_SERVED}


def _linked(modules: Sequence[Module]) -> dict[str, bytes]:
    """Link modules into one file. Returns this file and its source map by name."""
    entry = modules[-1].name
    other_file = None if entry in _ALONE else relative_path(posixpath.dirname(entry), _CLIENT)
    linked = link(modules, other_file)
    return {entry: linked.code.encode(), f"{entry}.map": linked.source_map.encode()}


def _digest_of(files: Mapping[str, bytes]) -> str:
    digest = hashlib.sha256()
    for name, body in sorted(files.items()):
        digest.update(f"{name} {len(body)}\n".encode() + body)
    return digest.hexdigest()[:_DIGEST_LENGTH]


async def _response(request: web.Request, file: File | None, headers: Mapping[str, str]) -> web.Response:
    """Respond with the file in the content coding that the client prefers. Raises NotFound when `file` is None."""
    if file is None:
        raise NotFound
    forms = await file.forms()
    coding = preferred_coding(request.headers.get("Accept-Encoding"), forms)
    tag = f"{file.tag}-{coding}" if coding else file.tag
    headers = {**_HEADERS, **headers, "ETag": f'"{tag}"'}
    if any(known.value == tag for known in request.if_none_match or ()):
        return web.Response(status=HTTPStatus.NOT_MODIFIED, headers=headers)
    headers["Content-Type"] = file.type
    if coding:
        headers["Content-Encoding"] = coding
    return web.Response(body=forms[coding], headers=headers)


@cache
def storefront_files() -> StorefrontFiles:
    """Return the storefront files that the package contains, ready to be served."""
    return StorefrontFiles(FOLDER)


def add_storefront(app: web.Application) -> None:
    """Add the routes for the files below `STATIC_PATH`."""
    served = storefront_files()
    digest = f"{{digest:[0-9a-f]{{{_DIGEST_LENGTH}}}}}"
    app.router.add_get(f"{STATIC_PATH}/{digest}/{{name:.+}}", served.immutable)
    app.router.add_get(f"{STATIC_PATH}/{{name:.+}}", served.short_lived)

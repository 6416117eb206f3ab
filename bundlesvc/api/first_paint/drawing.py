"""Renders HTML with the storefront's `html/drawing.js` module, in a JavaScript engine inside the process.

The engine is an optional dependency (`bundlesvc[html]`). It is created for the first rendering, and again after a rendering that
used too much memory.
"""

import asyncio
import json
from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import cache
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING

from bundlesvc.api.storefront_files.module_linker import read_modules, script
from bundlesvc.api.storefront_files.static_files import FOLDER
from bundlesvc.domain.errors import NotFound, Overloaded

if TYPE_CHECKING:
    from py_mini_racer import MiniRacer

ENTRY = "html/drawing.js"
TIMEOUT = 5.0
MEMORY = 256 * 1024 * 1024
MAX_WAITING = 16
"""The maximum number of renderings that may run or wait in one process. Further ones are refused."""

_THREAD = ThreadPoolExecutor(1, thread_name_prefix="drawing")
"""The thread in which all engines of the process are created, run and end. On processors with memory protection keys, the process
would crash if a thread that started before the first use of the engine accessed the engine's code."""

MISSING = "This service draws no HTML. Install bundlesvc[html], then restart it."

# The browser features that rendering needs in addition to the language itself. Image URLs are absolute, or relative to the origin
# of `base`.
_GLOBALS = """
globalThis.AbortController = class { signal = {}; abort() {} };
globalThis.TextEncoder = class { encode(text) { return unescape(encodeURIComponent(text.toWellFormed())); } };
globalThis.URL = class {
  static #whole(address, base) {
    const [origin, scheme] = /^(https?:)\\/\\/[^/]+/.exec(base) ?? [];
    if (/^https?:\\/\\//i.test(address)) return address;
    return origin && (/^\\/\\//.test(address) ? scheme + address : /^\\//.test(address) ? origin + address : null);
  }
  static canParse = (address, base) => Boolean(this.#whole(address, base));
  constructor(address, base) {
    this.href = URL.#whole(address, base);
    [this.protocol] = /^\\w+:/.exec(this.href);
  }
};
"""


class Drawing:
    """Renders one bundle at a time."""

    def __init__(self, folder: Path = FOLDER) -> None:
        self._folder = folder
        self._waiting = 0
        self._is_closing = False
        self._engine: MiniRacer | None = None

    async def html(self, bundle: bytes, options: Mapping[str, object]) -> bytes:
        """Render the content of `<bundle-builder>` from the body of GET /bundle. Raises the same errors as `call`."""
        return await self.call("html", bundle.decode(), options)

    async def structured_data(self, bundle: bytes, options: Mapping[str, object]) -> bytes:
        """Render a bundle's structured data for search engines from the body of GET /bundle. Raises the same errors as `call`."""
        return await self.call("data", bundle.decode(), options)

    async def style(self) -> bytes:
        """Return the style sheet for the rendered HTML. Raises the same errors as `call`."""
        return await self.call("style")

    async def call(self, function: str, *arguments: object) -> bytes:
        """Call a function of the module and return its output. Raises NotFound when no engine is installed, and Overloaded when
        too many calls are waiting or a call takes too long."""
        if not is_installed():
            raise NotFound(MISSING)
        if self._waiting >= MAX_WAITING or self._is_closing:
            raise Overloaded
        self._waiting += 1
        try:
            return await asyncio.get_running_loop().run_in_executor(_THREAD, self._call, function, arguments)
        finally:
            self._waiting -= 1

    async def close(self) -> None:
        """Wait for the rendering in progress, then stop the engine. Renderings that are waiting fail with Overloaded."""
        self._is_closing = True
        await asyncio.get_running_loop().run_in_executor(_THREAD, self._end)

    def _call(self, function: str, arguments: Sequence[object]) -> bytes:
        from py_mini_racer import JSOOMException, JSTimeoutException  # noqa: PLC0415 - an optional dependency

        if self._is_closing:
            raise Overloaded
        if self._engine is None:
            self._engine = self._started()
        call = f"exported.{function}({', '.join(map(json.dumps, arguments))})"
        try:
            drawn = self._engine.eval(call, timeout_sec=TIMEOUT, max_memory=MEMORY)
        except JSTimeoutException as error:
            self._engine.eval("0")  # once this returns, rendering has stopped
            raise Overloaded from error
        except JSOOMException as error:
            self._end()
            raise Overloaded from error
        return str(drawn).encode()

    def _started(self) -> "MiniRacer":
        from py_mini_racer import MiniRacer  # noqa: PLC0415 - an optional dependency

        engine = MiniRacer()
        engine.eval(_GLOBALS)
        engine.eval(_script(self._folder))
        return engine

    def _end(self) -> None:
        if self._engine is not None:
            self._engine.close()
        self._engine = None


def is_installed() -> bool:
    """Whether the JavaScript engine is installed."""
    return find_spec("py_mini_racer") is not None


@cache
def _script(folder: Path) -> str:
    sources = {path.relative_to(folder).as_posix(): path.read_text("utf-8") for path in folder.rglob("*.js")}
    return script(list(read_modules(ENTRY, sources).values()))

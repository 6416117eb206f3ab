"""Runs the WebAssembly module of a checkout function within the limits that the platform sets for it."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import orjson
from wasmtime import Config, Engine, ExitTrap, Func, Linker, Module, Store, Trap, WasiConfig, WasmtimeError

INSTRUCTIONS, INPUT, OUTPUT = 11_000_000, 128_000, 20_000
"""The limits for carts of up to LINES lines. For larger carts, they grow in proportion to the number of lines."""
LINES = 200
MEMORY, STACK, LOG = 10_000_000, 512_000, 1_000


@dataclass(frozen=True)
class Run:
    """A run of a function. `error` is the reason why its output is ignored; it is empty if the output is used."""

    target: str
    input: Mapping[str, Any]
    output: Any = None
    instructions: int = 0
    log: str = ""
    error: str = ""


def run_module(module: bytes, export: str, target: str, given: Mapping[str, Any], lines: int) -> Run:
    """Run an exported function of a WebAssembly module with JSON on standard input, and read its output from standard output."""
    share = max(1, lines / LINES)
    text = orjson.dumps(given)
    if len(text) > INPUT * share:
        return Run(target, given, error=f"the input has {len(text)} bytes")
    with TemporaryDirectory() as folder:
        (Path(folder) / "input").write_bytes(text)
        store, fuel = Store(_engine()), int(INSTRUCTIONS * share)
        store.set_fuel(fuel)
        store.set_limits(memory_size=MEMORY)
        store.set_wasi(_files(Path(folder)))
        error = _call(store, module, export)
        used, log = fuel - store.get_fuel(), (Path(folder) / "log").read_bytes()[:LOG].decode("utf-8", "replace")
        store.close()
        written = (Path(folder) / "output").read_bytes()
    if error:
        return Run(target, given, None, used, log, error)
    if len(written) > OUTPUT * share:
        return Run(target, given, None, used, log, f"the output has {len(written)} bytes")
    try:
        return Run(target, given, orjson.loads(written), used, log)
    except orjson.JSONDecodeError:
        return Run(target, given, None, used, log, "the output is not JSON")


def _call(store: Store, module: bytes, export: str) -> str:
    """Call a function that the module exports. Returns the error message, or "" on success."""
    try:
        linker = Linker(_engine())
        linker.define_wasi()
        function = linker.instantiate(store, _compiled(module)).exports(store).get(export)
        if not isinstance(function, Func):
            return f"the module has no export {export}"
        function(store)
    except ExitTrap as ended:
        return "" if ended.code == 0 else f"it ended with the status {ended.code}"
    except (Trap, WasmtimeError) as error:
        return str(error).strip().splitlines()[-1].strip()
    return ""


def _files(folder: Path) -> WasiConfig:
    wasi = WasiConfig()
    wasi.stdin_file = str(folder / "input")
    wasi.stdout_file = str(folder / "output")
    wasi.stderr_file = str(folder / "log")
    return wasi


@cache
def _engine() -> Engine:
    config = Config()
    config.consume_fuel = True
    config.max_wasm_stack = STACK
    return Engine(config)


@cache
def _compiled(module: bytes) -> Module:
    return Module(_engine(), module)

"""Runs the compiled function, and counts WebAssembly instructions as the platform does, with wasmtime's fuel."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from wasmtime import Config, Engine, Func, FuncType, ImportType, Instance, Memory, Module, Store

import bundlesvc.platforms.shopify.app.function

FUNCTION = Path(bundlesvc.platforms.shopify.app.function.__file__).parent
MODULE = FUNCTION / "function.wasm"

MERGE, DISCOUNT = "cart_transform_run", "cart_lines_discounts_generate_run"
"""The exports of the module, one for each target."""

ENOUGH = 2**50
STANDARD_INPUT, STANDARD_OUTPUT, STANDARD_ERROR = 0, 1, 2


@dataclass(frozen=True)
class Run:
    """The results of a run: standard output, standard error, the number of instructions and the memory in bytes. `exited` says
    whether a failed safety check ended the run."""

    output: bytes
    log: bytes
    instructions: int
    memory: int
    exited: bool = False


class Exited(Exception):
    """The function called `proc_exit`."""


class _Host:
    """The functions that the module imports, for standard input, output and error."""

    def __init__(self, store: Store, input_: bytes) -> None:
        self._store = store
        self._left = input_
        self.memory: Memory | None = None
        self.written = {STANDARD_OUTPUT: b"", STANDARD_ERROR: b""}

    def fd_read(self, file: int, buffer: int, count: int, length: int) -> int:
        assert (file, count) == (STANDARD_INPUT, 1)
        start, size = self._slice(buffer)
        read, self._left = self._left[:size], self._left[size:]
        self._write(start, read)
        self._write(length, len(read).to_bytes(4, "little"))
        return 0

    def fd_write(self, file: int, buffer: int, count: int, length: int) -> int:
        assert count == 1
        start, size = self._slice(buffer)
        self.written[file] += self._read(start, size)
        self._write(length, size.to_bytes(4, "little"))
        return 0

    def proc_exit(self, status: int) -> None:
        raise Exited(status)

    def _slice(self, address: int) -> tuple[int, int]:
        parts = self._read(address, 8)
        return int.from_bytes(parts[:4], "little"), int.from_bytes(parts[4:], "little")

    def _read(self, address: int, size: int) -> bytes:
        assert self.memory
        return bytes(self.memory.read(self._store, address, address + size))

    def _write(self, address: int, data: bytes) -> None:
        assert self.memory
        self.memory.write(self._store, data, address)


def run_module(export: str, input_: bytes, module: Path = MODULE) -> Run:
    """Run an export of a WebAssembly module in a fresh instance. Raises when the module traps."""
    store = Store(_engine())
    try:
        return _run(store, _compiled(module), export, input_)
    finally:
        store.close()


def _run(store: Store, module: Module, export: str, input_: bytes) -> Run:
    store.set_fuel(ENOUGH)
    host = _Host(store, input_)
    exports = Instance(store, module, [_imported(store, each, host) for each in module.imports]).exports(store)
    memory, function = exports["memory"], exports[export]
    assert isinstance(memory, Memory)
    assert isinstance(function, Func)
    host.memory = memory
    exited = False
    try:
        function(store)
    except Exited:
        exited = True
    used = ENOUGH - store.get_fuel()
    return Run(host.written[STANDARD_OUTPUT], host.written[STANDARD_ERROR], used, memory.data_len(store), exited)


def module_imports(module: Path = MODULE) -> set[tuple[str, str]]:
    """The imports of the compiled function, as pairs of module and name."""
    return {(str(each.module), str(each.name)) for each in _compiled(module).imports}


def module_exports(module: Path = MODULE) -> set[str]:
    return {each.name for each in _compiled(module).exports}


def _imported(store: Store, wanted: ImportType, host: _Host) -> Func:
    functions: dict[str | None, Callable[..., Any]] = {
        "fd_read": host.fd_read,
        "fd_write": host.fd_write,
        "proc_exit": host.proc_exit,
    }
    assert isinstance(wanted.type, FuncType)
    return Func(store, wanted.type, functions[wanted.name])


@cache
def _engine() -> Engine:
    config = Config()
    config.consume_fuel = True
    return Engine(config)


@cache
def _compiled(module: Path) -> Module:
    return Module.from_file(_engine(), str(module))

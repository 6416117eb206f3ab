"""What a run of the step costs: `python -m tests.cart_transform.cost` prints the table of docs/cart-transform/README.md.

The platform counts the WebAssembly instructions that a function executes, with wasmtime. So does this: it runs the step in
QuickJS, compiled to WebAssembly, and reads wasmtime's fuel, which is the same on every machine. The time is not: the median of
some runs is told. `wasmtime` is a package of its own: `pip install wasmtime`."""

import importlib
import json
import struct
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from statistics import median
from typing import Any

import click

from tests.cart_transform.carts import Cart, Line, step_input
from tests.cart_transform.sandbox import STEP, bundled_step
from tests.cart_transform.sizes import sized_cart
from tests.npm import require_packages
from tests.storefront.node import require_node

ENOUGH = 2**60
RUNS = 5


@dataclass(frozen=True)
class Cost:
    """Of one run: instructions to load the compiled step, and to run it; and the seconds of both."""

    loading: int
    running: int
    seconds: float


class QuickJs:
    """A fresh QuickJS in wasmtime. Numbers that its functions take and return are addresses in its memory."""

    def __init__(self, wasmtime: Any, engine: Any, module: Any) -> None:
        self._store = wasmtime.Store(engine)
        self._store.set_fuel(ENOUGH)
        imports = [wasmtime.Func(self._store, each.type, _nothing(each.type)) for each in module.imports]
        self._exports = wasmtime.Instance(self._store, module, imports).exports(self._store)
        self._call("_initialize")
        self._call("qjs_init")

    @property
    def fuel(self) -> int:
        """What is left."""
        return int(self._store.get_fuel())

    def compile(self, program: str) -> bytes:
        """The program as QuickJS' own bytecode, which is what the platform's toolchain ships."""
        length = self._call("wasm_malloc", 4)
        code = self._call("qjs_compile", *self._text(program), *self._text("step.js")[:1], 0, 0, length)
        [size] = struct.unpack("<I", self._read(length, 4))
        return self._read(code, size)

    def load(self, bytecode: bytes) -> None:
        self._run("qjs_eval_bytecode", *self._text(bytecode))

    def evaluate(self, code: str) -> None:
        self._run("qjs_eval", *self._text(code), *self._text("run.js")[:1], 0)

    def _run(self, name: str, *arguments: int) -> None:
        result = self._call(name, *arguments)
        if self._call("qjs_is_exception", result):
            raise RuntimeError(f"{name} threw")

    def _call(self, name: str, *arguments: int) -> Any:
        return self._exports[name](self._store, *arguments)

    def _text(self, text: str | bytes) -> tuple[int, int]:
        """Address and length of a copy in the engine's memory, ended by a zero byte."""
        data = text.encode() if isinstance(text, str) else text
        address = self._call("wasm_malloc", len(data) + 1)
        self._exports["memory"].write(self._store, data + b"\0", address)
        return address, len(data)

    def _read(self, address: int, length: int) -> bytes:
        return bytes(self._exports["memory"].read(self._store, address, address + length))


def _nothing(type_: Any) -> Callable[..., int | None]:
    """What stands for the host: the step calls nothing of it."""
    return (lambda *_: 0) if len(type_.results) else (lambda *_: None)


def measure(start: Callable[[], QuickJs], bytecode: bytes, input_: object) -> Cost:
    """One run, as on the platform: a fresh engine loads the step, reads the input, and writes the result."""
    text = json.dumps(json.dumps(input_, separators=(",", ":")))
    engine = start()
    engine.evaluate(f"globalThis.input = {text}")
    began, full = time.perf_counter(), engine.fuel
    engine.load(bytecode)
    loaded = engine.fuel
    engine.evaluate("JSON.stringify(step.cartTransformRun(JSON.parse(input)))")
    return Cost(full - loaded, loaded - engine.fuel, time.perf_counter() - began)


def carts() -> Iterator[tuple[str, Cart]]:
    """From an ordinary cart to the largest selection."""
    yield "ten lines, no bundle", Cart([Line(str(place), place) for place in range(1, 11)], None, None)
    yield "1 variant", sized_cart(1)
    yield "3 variants", sized_cart(3)
    yield "3 bundles of 3 variants", sized_cart(3, bundles=3)
    yield "20 variants", sized_cart(20)
    yield "20 variants, 10 of each", sized_cart(20, each=10)
    yield "21 variants", sized_cart(21)
    yield "200 variants", sized_cart(200)


def rows() -> Iterator[tuple[str, Cost]]:
    """Every cart, and what it costs."""
    wasmtime = importlib.import_module("wasmtime")
    settings = wasmtime.Config()
    settings.consume_fuel = True
    engine = wasmtime.Engine(settings)
    module = wasmtime.Module.from_file(engine, str(require_packages(STEP) / "quickjs-wasi" / "quickjs.wasm"))

    def start() -> QuickJs:
        return QuickJs(wasmtime, engine, module)

    bytecode = start().compile(bundled_step(require_node()))
    for name, cart in carts():
        runs = [measure(start, bytecode, step_input(cart)) for _ in range(RUNS)]
        yield name, Cost(runs[0].loading, runs[0].running, median(run.seconds for run in runs))


def main() -> None:
    """Prints the table."""
    click.echo("| cart | instructions | time |\n|---|---|---|")
    for name, cost in rows():
        instructions = (cost.loading + cost.running) / 1e6
        click.echo(f"| {name} | {instructions:.0f} M | {cost.seconds * 1000:.0f} ms |")


if __name__ == "__main__":
    main()

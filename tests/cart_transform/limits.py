"""How much of the platform's limits the function uses: `python -m tests.cart_transform.limits` prints the tables in
docs/checkout.md#limits."""

import base64
import json
from bisect import bisect_left
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from functools import partial
from typing import cast

import click
from cryptography.fernet import Fernet

from tests.cart_transform.carts import Cart, Line, encoded, function_input
from tests.cart_transform.module import DISCOUNT, MERGE, MODULE, run_module
from tests.cart_transform.sizes import mixed_cart, sized_cart

INSTRUCTIONS, INPUT, OUTPUT, LINES = 11_000_000, 128_000, 20_000, 200
"""The platform's limits for carts of up to LINES lines. For larger carts, they grow in proportion to the number of lines."""
MEMORY, LOG, SIZE = 10_000_000, 1_000, 256_000


@dataclass(frozen=True)
class Measured:
    """A cart to measure, and the export of the WebAssembly module that runs on the cart."""

    name: str
    cart: Callable[[], Cart]
    export: str = MERGE

    def __str__(self) -> str:
        return self.name


def measure(measured: Measured) -> dict[str, float]:
    """Measure the share of each limit that a run uses; 1 is the whole limit."""
    cart = measured.cart()
    share = max(LINES, len(cart.lines)) / LINES
    given = encoded(function_input(cart, measured.export))
    run = run_module(measured.export, given)
    return {
        "instructions": run.instructions / (INSTRUCTIONS * share),
        "memory": run.memory / MEMORY,
        "input": len(given) / (INPUT * share),
        "output": len(run.output) / (OUTPUT * share),
        "log": len(run.log) / LOG,
    }


def _sized(distinct: int, bundles: int = 1, *, plan: bool = False) -> Measured:
    name = f"{distinct} variant{'s' * (distinct > 1)}"
    name = f"{bundles} bundles of {name}" if bundles > 1 else name
    return Measured(
        f"{name}, with a selling plan" if plan else name,
        lambda: sized_cart(distinct, bundles=bundles, selling_plan=plan),
        DISCOUNT if plan else MERGE,
    )


def _no_bundles(lines: int) -> Measured:
    return Measured(
        f"{lines} lines, no bundle", lambda: Cart([Line(str(n), n) for n in range(1, lines + 1)], None, None)
    )


ORDINARY = [_no_bundles(10), *(_sized(distinct, plan=plan) for plan in (False, True) for distinct in (1, 3, 20, 21))]


def with_keys(cart: Cart, keys: int) -> Cart:
    """The cart after rotations of the shop's key: the key that encrypted the discounts is the last of `keys` keys."""
    assert cart.config
    newer = [Fernet.generate_key().decode() for _ in range(keys - 1)]
    return replace(cart, config={"shop": "demo", "keys": [*newer, *cast("list[str]", cart.config["keys"])]})


def _keyed(cart: Callable[[], Cart], keys: int) -> Cart:
    return with_keys(cart(), keys)


def _mixed(distinct: int, bundles: int, keys: int, *, plan: bool = False) -> Measured:
    name = f"{bundles} mixed bundles of {distinct} variants, {keys} key{'s' * (keys > 1)}"
    return Measured(
        f"{name}, with a selling plan" if plan else name,
        lambda: with_keys(mixed_cart(distinct, bundles, selling_plan=plan), keys),
        DISCOUNT if plan else MERGE,
    )


VALID = [
    _no_bundles(200),
    _no_bundles(500),
    *(
        _sized(distinct, bundles, plan=plan)
        for plan in (False, True)
        for distinct, bundles in ((200, 1), (33, 6), (20, 10), (20, 25), (3, 57))
    ),
    *(
        _mixed(distinct, bundles, keys, plan=plan)
        for plan in (False, True)
        for keys in (1, 3)
        for distinct, bundles in ((6, 33), (20, 10))
    ),
    _mixed(6, 33, 16),
    _mixed(6, 82, 3),
]
"""Large, unchanged carts."""


def _changed(text: Callable[[Cart], str], bundles: int = 30) -> Callable[[], Cart]:
    """Return a function that builds a cart of many bundles and replaces its `_bundles` attribute."""

    def cart() -> Cart:
        whole = sized_cart(3, bundles=bundles)
        return replace(whole, bundles=text(whole))

    return cart


def _with_discounts(discount: Callable[[str], str]) -> Callable[[Cart], str]:
    def text(cart: Cart) -> str:
        entries = json.loads(cart.bundles or "")
        return json.dumps({key: {"discount": discount(entry["discount"])} for key, entry in entries.items()})

    return text


def _text(text: str) -> Callable[[Cart], str]:
    return lambda _: text


def _one_line_bundles(mark: str) -> Callable[[], Cart]:
    return lambda: Cart([Line(str(n), n, properties={"_bundle_data": f"{n}{mark}"}) for n in range(1, 201)], "{}", {})


def _property(text: str) -> Callable[[], Cart]:
    """Return a function that creates a cart with an intact bundle, and with a further line that has this `_bundle_data`."""

    def cart() -> Cart:
        whole = sized_cart(3)
        return replace(whole, lines=[*whole.lines, Line("other", 5, properties={"_bundle_data": text})])

    return cart


def _padded(padding: str) -> Callable[[], Cart]:
    """Return a function that creates a cart with many unchanged bundles, and with one additional member in its attribute
    `_bundles`."""

    def cart() -> Cart:
        whole = mixed_cart(6, 33)
        assert whole.bundles
        return replace(whole, bundles=f'{whole.bundles[:-1]},"x":{padding}}}')

    return cart


FORGED = base64.urlsafe_b64encode(b"\x80" + bytes(936)).decode()
"""A token with a valid form but a wrong signature."""

HOSTILE = [
    *(
        Measured(f"{name}, {keys} key{'s' * (keys > 1)}", partial(_keyed, cart, keys))
        for name, cart in (
            ("30 forged discount strings", _changed(_with_discounts(lambda _: FORGED))),
            ("30 changed signatures", _changed(_with_discounts(lambda token: f"{token[:-8]}AAAA{token[-4:]}"))),
            ("60 changed signatures", _changed(_with_discounts(lambda token: f"{token[:-8]}AAAA{token[-4:]}"), 60)),
        )
        for keys in (1, 3, 16)
    ),
    *(
        Measured(f"`_bundles` of {name}", _changed(_text(text), 60))
        for name, text in (
            ("40 kB of brackets", "[" * 39_999),
            ("40 kB of lists", '{"x":[' + "[]," * 13_328 + "0]}"),
            ("40 kB of numbers", '{"x":[' + "1," * 19_990 + "1]}"),
            ("40 kB of objects", '{"x":[' + '{"":1},' * 5_712 + "0]}"),
            ("40 kB of spaces", "{" + " " * 39_998 + "}"),
            ("30 kB of escapes", '{"x":"' + '\\"' * 14_990 + '"}'),
            ("30 kB of letters and escapes", '{"x":"' + "a\\n" * 9_990 + '"}'),
            ("60 kB of accents", '{"x":"' + "é" * 30_000 + '"}'),
            ("40 kB of entries", "{" + ",".join(f'"{n}":{{}}' for n in range(1_000, 5_000)) + "}"),
        )
    ),
    *(
        Measured(f"`_bundle_data` of {name}", _property(text))
        for name, text in (
            ("120 kB of quotation marks", '"' * 60_000),
            ("120 kB of letters and escapes", "a\n" * 40_000),
            ("120 kB of accents", "é" * 60_000),
            ("120 kB of digits", "9" * 120_000),
        )
    ),
    *(
        Measured(f"33 mixed bundles and {name}", _padded(padding))
        for name, padding in (
            ("18 kB of spaces", " " * 18_000 + "0"),
            ("9 kB of numbers", "[" + "1," * 4_500 + "1]"),
            ("18 kB of accents", '"' + "é" * 9_000 + '"'),
            ("8 kB of escapes", '"' + "a\\n" * 2_600 + '"'),
        )
    ),
    Measured("200 lines that cannot be read", _one_line_bundles("##")),
    Measured("200 bundles of one line", _one_line_bundles("#1#f")),
]
"""Changed carts whose input is within the platform's limit."""


SIZES = (1, 3, 6, 10, 12, 15, 20, 33, 50, 100, 150, 200)


def most_discounted(distinct: int, keys: int = 1, *, plan: bool = False) -> int:
    """The maximum number of bundles with `distinct` variants each, in a cart of up to 200 lines, that all get their discount."""

    def some_is_left(bundles: int) -> bool:
        cart = with_keys(mixed_cart(distinct, bundles, selling_plan=plan), keys)
        export = DISCOUNT if plan else MERGE
        return bool(run_module(export, encoded(function_input(cart, export))).log)

    return bisect_left(range(1, LINES // distinct + 1), x=True, key=some_is_left)


def rows_of_sizes() -> Iterator[str]:
    """Yield the rows of the table that shows how many bundles in a cart can get their discount."""
    for distinct in SIZES:
        counts = most_discounted(distinct), most_discounted(distinct, 3), most_discounted(distinct, plan=True)
        yield f"| {distinct} | {' | '.join(map(str, counts))} |"


def rows() -> Iterator[str]:
    """Yield the rows of the table that shows which share of each platform limit a cart uses."""
    for measured in [*ORDINARY, *VALID, *HOSTILE]:
        used = measure(measured)
        cart = measured.cart()
        instructions = used["instructions"] * INSTRUCTIONS * max(LINES, len(cart.lines)) / LINES / 1e6
        share = " | ".join(f"{used[name]:.0%}" for name in ("instructions", "input", "output", "memory"))
        yield f"| {measured} | {instructions:.2f} M | {share} |"


def main() -> None:
    """Print the tables."""
    click.echo(f"The module has {len(MODULE.read_bytes()):,} bytes of {SIZE:,}.\n")
    click.echo("| cart | instructions | of the limit | input | output | memory |\n|---|---|---|---|---|---|")
    for row in rows():
        click.echo(row)
    head = "variants per bundle", "bundles", "bundles, with three secret keys", "bundles, with a selling plan"
    click.echo(f"\n| {' | '.join(head)} |\n|---|---|---|---|")
    for row in rows_of_sizes():
        click.echo(row)


if __name__ == "__main__":
    main()

"""What the function takes of the platform's limits: `python -m tests.cart_transform.limits` prints docs/checkout.md#limits."""

import json
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace

import click

from tests.cart_transform.carts import Cart, Line, encoded, function_input
from tests.cart_transform.module import DISCOUNT, MERGE, MODULE, run_module
from tests.cart_transform.sizes import mixed_cart, sized_cart

INSTRUCTIONS, INPUT, OUTPUT, LINES = 11_000_000, 128_000, 20_000, 200
"""The platform's limits for carts of up to LINES lines; in proportion above."""
MEMORY, LOG, SIZE = 10_000_000, 1_000, 256_000


@dataclass(frozen=True)
class Measured:
    """A cart to measure, and the export that runs on it."""

    name: str
    cart: Callable[[], Cart]
    export: str = MERGE

    def __str__(self) -> str:
        return self.name


def measure(measured: Measured) -> dict[str, float]:
    """What a run takes of each limit; 1 is all of it."""
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

VALID = [
    _no_bundles(200),
    _no_bundles(500),
    *(
        _sized(distinct, bundles, plan=plan)
        for plan in (False, True)
        for distinct, bundles in ((200, 1), (33, 6), (20, 10), (20, 25))
    ),
]

MOST_BUNDLES = [
    Measured("33 mixed bundles of 6 variants", lambda: mixed_cart(6, 33)),
    Measured(
        "33 mixed bundles of 6 variants, with a selling plan", lambda: mixed_cart(6, 33, selling_plan=True), DISCOUNT
    ),
]
"""More bundles than are checked."""


def _changed(text: Callable[[Cart], str], bundles: int = 30) -> Callable[[], Cart]:
    """A cart of many bundles whose attribute is changed."""

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


HOSTILE = [
    Measured("60 bundles of 3 variants", lambda: sized_cart(3, bundles=60)),
    Measured(
        "60 bundles of 3 variants, with a selling plan", lambda: sized_cart(3, bundles=60, selling_plan=True), DISCOUNT
    ),
    Measured("30 forged discount strings", _changed(_with_discounts(lambda _: "gAAA" + "A" * 1_240))),
    Measured("30 changed signatures", _changed(_with_discounts(lambda token: token[:-4] + "AAA="))),
    *(
        Measured(f"`_bundles` of {name}", _changed(_text(text)))
        for name, text in (
            ("40 kB of brackets", "[" * 39_999),
            ("40 kB of lists", '{"x":[' + "[]," * 13_328 + "0]}"),
            ("40 kB of numbers", '{"x":[' + "1," * 19_990 + "1]}"),
            ("40 kB of objects", '{"x":[' + '{"":1},' * 5_712 + "0]}"),
            ("40 kB of escapes", '{"x":"' + '\\"' * 19_990 + '"}'),
            ("80 kB of accents", '{"x":"' + "é" * 40_000 + '"}'),
            ("40 kB of entries", "{" + ",".join(f'"{n}":{{}}' for n in range(1_000, 5_000)) + "}"),
        )
    ),
    Measured("200 lines that cannot be read", _one_line_bundles("##")),
    Measured("200 bundles of one line", _one_line_bundles("#1#f")),
]


def rows() -> Iterator[str]:
    """The rows of the table."""
    for measured in [*ORDINARY, *VALID, *MOST_BUNDLES, *HOSTILE]:
        used = measure(measured)
        cart = measured.cart()
        instructions = used["instructions"] * INSTRUCTIONS * max(LINES, len(cart.lines)) / LINES / 1e6
        share = " | ".join(
            f"{used[name]:.0%}".replace("%", " %") for name in ("instructions", "input", "output", "memory")
        )
        yield f"| {measured} | {instructions:.2f} M | {share} |"


def main() -> None:
    """Prints the table."""
    click.echo(f"The module has {len(MODULE.read_bytes()):,} bytes of {SIZE:,}.\n")
    click.echo("| cart | instructions | of the limit | input | output | memory |\n|---|---|---|---|---|---|")
    for row in rows():
        click.echo(row)


if __name__ == "__main__":
    main()

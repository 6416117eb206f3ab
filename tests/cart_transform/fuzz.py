"""Compares the compiled function with the checkout simulator on many random carts, when run by `scripts/fuzz-function`. Every
hundredth cart contains more bundles than the function's budget covers."""

import sys
from collections import Counter
from random import Random

import click

from tests.cart_transform.budget import INSTRUCTIONS, scaled
from tests.cart_transform.carts import encoded, function_input
from tests.cart_transform.module import DISCOUNT, MERGE, run_module
from tests.cart_transform.random_carts import random_cart
from tests.cart_transform.reference import expected

LARGE = 100
NOTHING = b'{"operations":[]}'


def compare(seed: int, outcomes: Counter[str]) -> None:
    """Run both targets of the function on the cart generated from a seed, and exit if a result differs from the simulator's."""
    cart = random_cart(Random(seed), most=None if seed % LARGE else 60)
    for export in (MERGE, DISCOUNT):
        given = function_input(cart, export)
        run = run_module(export, encoded(given))
        wanted = expected(export, given)
        if (run.output, run.log) != wanted:
            sys.exit(f"seed {seed}, {export}:\nsimulator {wanted}\nfunction  {(run.output, run.log)}\ncart      {cart}")
        if run.instructions > scaled(INSTRUCTIONS, len(cart.lines)):
            sys.exit(f"seed {seed}, {export}: {run.instructions:,} instructions for {cart}")
        outcomes[f"{export} with operations"] += run.output != NOTHING
        reasons = run.log.decode().removeprefix("no discount: ").removesuffix("\n").split(", ")
        outcomes.update(f"{export} {reason.rpartition(' ')[2]}" for reason in reasons if reason)


@click.command()
@click.argument("carts", default=100_000)
@click.argument("first_seed", default=0)
def main(carts: int, first_seed: int) -> None:
    """Compare CARTS random carts, beginning with seed FIRST_SEED."""
    outcomes: Counter[str] = Counter()
    for seed in range(first_seed, first_seed + carts):
        compare(seed, outcomes)
    click.echo(f"{carts} carts: the function and the simulator agree on every byte.")
    for outcome, count in outcomes.most_common():
        click.echo(f"{count:8} {outcome}")


if __name__ == "__main__":
    main()

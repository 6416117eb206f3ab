"""`python -m tests.orders` checks many random orders, and prints the number of each verdict by currency."""

import sys
import time

import click

from tests.orders.sales import DECIMALS
from tests.orders.trial import Tally, judge


@click.command()
@click.argument("orders", default=100_000)
@click.argument("first_seed", default=0)
@click.option("--show", default=5, help="Faults to print.")
def main(orders: int, first_seed: int, show: int) -> None:
    """Judge ORDERS random orders. FIRST_SEED is the random seed of the first order."""
    started, tally = time.monotonic(), Tally()
    for seed in range(first_seed, first_seed + orders):
        judge(seed, tally)
    currencies = sorted(DECIMALS)
    click.echo(" | ".join(("verdict".ljust(22), *(currency.rjust(7) for currency in currencies))))
    for name in sorted({name for _, name in tally.verdicts}):
        counts = [tally.verdicts[currency, name] for currency in currencies]
        click.echo(" | ".join((name.ljust(22), *(f"{count:7}" for count in counts))))
    for fault in tally.faults[:show]:
        click.echo(fault, err=True)
    click.echo(f"{tally.orders} orders, {len(tally.faults)} faults, {time.monotonic() - started:.0f} s")
    sys.exit(1 if tally.faults else 0)


if __name__ == "__main__":
    main()

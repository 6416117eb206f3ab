"""Formats the counts of a trial as a table."""

from collections.abc import Iterator

from tests.promises.shops import KINDS
from tests.promises.trial import HOMES, Tally


def lines_of(tally: Tally) -> Iterator[str]:
    """Generate the rows of the table: currency, kind, number of bundles, refusals by reason, and faults."""
    yield "| home | bundle | bundles | refused | wrong |"
    yield "|---|---|---|---|---|"
    for currency in HOMES:
        for kind in KINDS:
            refused, wrong = (_by(counts, currency, kind) for counts in (tally.refused, tally.wrong))
            yield f"| {currency} | {kind} | {tally.bundles[currency, kind]} | {refused} | {wrong} |"
    total = f"{sum(tally.bundles.values())} in {sum(tally.carts.values())} carts"
    yield f"| all | | {total} | {_all(tally.refused)} | {_all(tally.wrong)} |"


def _by(counts: dict[tuple[str, str, str], int], currency: str, kind: str) -> str:
    found = {what: count for (of, each, what), count in counts.items() if (of, each) == (currency, kind)}
    return ", ".join(f"{what} {count}" for what, count in sorted(found.items())) or "0"


def _all(counts: dict[tuple[str, str, str], int]) -> str:
    whats = sorted({what for _, _, what in counts})
    return ", ".join(f"{what} {sum(n for (_, _, each), n in counts.items() if each == what)}" for what in whats) or "0"

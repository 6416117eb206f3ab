"""The best selections of a small shop, found by trying all selections."""

from collections.abc import Iterator
from decimal import Decimal
from typing import NamedTuple

from bundlesvc.domain.completion.search import SOLUTIONS, Search
from bundlesvc.domain.completion.task import NEAREST, Task
from bundlesvc.domain.conditions.action_types import FREE_ITEM
from bundlesvc.domain.conditions.graph import of_type
from tests.domain.completion.random_tasks import MOST

Ranked = tuple[tuple[object, ...], tuple[int, ...], Decimal]


def searched(task: Task, most_work: int = 10**6) -> Search:
    """Run a search to completion, and return it."""
    search = Search(task, most_work)
    for _ in search.run():
        pass
    return search


def best(task: Task) -> list[tuple[tuple[int, ...], Decimal]]:
    """Find the best selections among all possible ones, each with its price."""
    ranked = sorted((key, counts, price) for key, counts, price in _accepted(task))
    return [(counts, price) for _, counts, price in ranked[:SOLUTIONS]]


def _accepted(task: Task) -> Iterator[Ranked]:
    wishes = task.wishes
    free = sum(int(node["quantity"]) for node in of_type(task.graph.actions, FREE_ITEM))
    for counts in _selections(task, 0, MOST + free):
        checked = task.check(counts)
        if checked.faults:
            continue
        price = checked.priced.pricing.discounted
        changes = sum(abs(count - before) for count, before in zip(counts, task.chosen, strict=True))
        liked = sum(
            count - kind.chosen
            for count, kind in zip(counts, task.kinds, strict=True)
            if kind.line.product.id in wishes.prefer
        )
        order = tuple(-count for count in counts)
        key = (changes, -liked, price, order) if wishes.aim == NEAREST else (price, changes, -liked, order)
        yield key, counts, price


def _selections(task: Task, kind: int, left: int) -> Iterator[tuple[int, ...]]:
    if kind == len(task.kinds):
        yield ()
        return
    own = task.kinds[kind]
    may_grow = own.grows and own.line.product.id not in task.wishes.avoid
    for count in range((left if may_grow else min(left, own.chosen)) + 1):
        for others in _selections(task, kind + 1, left - count):
            yield (count, *others)


class Comparison(NamedTuple):
    """How the completions found by the search differ from those found by brute force (None when they do not), and whether a
    completion exists."""

    difference: str | None
    is_possible: bool


def compared(task: Task) -> Comparison:
    search = searched(task)
    found = [(each.counts, each.priced.pricing.discounted) for each in search.result.found]
    expected = best(task)
    if found == expected and search.result.proven:
        return Comparison(None, bool(expected))
    return Comparison(f"found {found}, expected {expected}, proven {search.result.proven}", bool(expected))

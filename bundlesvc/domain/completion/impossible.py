"""Why a selection cannot be completed: a minimal set of rules and facts that cannot be met together."""

from collections.abc import Callable, Generator, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple, TypeVar

from bundlesvc.domain.completion.search import Search
from bundlesvc.domain.completion.task import OVER_BUDGET, Task
from bundlesvc.domain.conditions.graph import NO_CONDITIONS
from bundlesvc.domain.errors import Fault
from bundlesvc.domain.line import Line
from bundlesvc.domain.product import ACTIVE
from bundlesvc.domain.rules.limit_rules import alternatives_of, demand
from bundlesvc.domain.selection import MAX_ITEMS


class Reason(NamedTuple):
    """A reason why a selection cannot be completed: a `code`, a message, and the path of the rule in the bundle ("" for a fact
    that is not a rule, such as stock)."""

    code: str
    message: str
    rule: str


def reason_of(fault: Fault) -> Reason:
    """Convert a fault into a reason why the selection cannot be completed."""
    head = fault.path.partition(".")[0]
    return Reason(fault.code, fault.message, fault.path if head in _RULES else "")


_RULES = ("limitRules", "requiredProducts", "conditions")


@dataclass(frozen=True, slots=True)
class LeftOut:
    """The rules and facts that are left out of a task."""

    rules: frozenset[int] = frozenset()
    required: frozenset[int] = frozenset()
    stock: frozenset[int] = frozenset()
    conditions: bool = False
    budget: bool = False
    avoid: bool = False

    def of(self, task: Task) -> Task:
        """Return the task without these rules and facts."""
        bundle, wishes, stock = task.bundle, task.wishes, self.stock
        return replace(
            task,
            bundle=replace(
                bundle,
                limit_rules=_others(bundle.limit_rules, self.rules),
                required_products=_others(bundle.required_products, self.required),
            ),
            graph=NO_CONDITIONS if self.conditions else task.graph,
            kinds=tuple(
                kind._replace(line=_sold(kind.line)) if kind.line.variant.id in stock else kind for kind in task.kinds
            ),
            market_prices={
                id_: replace(price, available_for_sale=True) if id_ in stock else price
                for id_, price in task.market_prices.items()
            },
            wishes=replace(
                wishes,
                budget=None if self.budget else wishes.budget,
                avoid=frozenset() if self.avoid else wishes.avoid,
            ),
        )


SHARE = 4
"""The share of the remaining work (1 / this) that one search for an explanation may take. The share is limited because some
searches prove nothing, however long they run."""


class Explanation:
    """A search for the reasons why a selection cannot be completed, limited to about `most_work` units of work. `run` yields
    after each slice of work. At the end, `needed` contains those `facts` that cannot be met together, and `smallest` says whether
    that set is proven to be minimal."""

    def __init__(self, task: Task, most_work: int) -> None:
        self.facts = [*_facts_of(task)]
        self.needed: Sequence[Fact] = ()
        self.smallest = True
        self._work_left = most_work
        self._task = task

    @property
    def reasons(self) -> Sequence[Reason]:
        """The reasons, without duplicates. Several variants of a product may have the same reason."""
        return list(dict.fromkeys(fact.reason for fact in self.needed))

    def run(self) -> Iterator[None]:
        found = yield from self._needed([], range(len(self.facts)), is_open=True)
        self.needed = [self.facts[number] for number in found]

    def _needed(
        self, kept: Sequence[int], others: Sequence[int], *, is_open: bool
    ) -> Generator[None, None, Sequence[int]]:
        """Find a minimal subset of `others` that cannot be met together with `kept`, preferring earlier facts where there is a
        choice.

        `is_open` means that it is not yet known whether `kept` alone can be met. This is QuickXplain (Junker, 2004): it splits
        the facts into halves, which keeps the number of searches low when only a few of many facts are to blame."""
        if is_open and (yield from self._is_impossible(kept)):
            return []
        if len(others) <= 1:
            return others
        half = len(others) // 2
        first, second = others[:half], others[half:]
        of_second = yield from self._needed([*kept, *first], second, is_open=True)
        of_first = yield from self._needed([*kept, *of_second], first, is_open=bool(of_second))
        return [*of_first, *of_second]

    def _is_impossible(self, kept: Sequence[int]) -> Generator[None, None, bool]:
        """Whether no selection meets these facts. When proving this would take too much work, the answer is False."""
        left_out = LeftOut()
        for number in {*range(len(self.facts))}.difference(kept):
            left_out = self.facts[number].leave_out(left_out)
        search = Search(left_out.of(self._task), self._work_left // SHARE, solutions=1)
        for _ in search.run():
            if search.result.found:
                break
            yield
        self._work_left -= search.work.done
        is_known = bool(search.result.found) or search.result.proven
        self.smallest = self.smallest and is_known
        return is_known and not search.result.found


T = TypeVar("T")
_LeaveOut = Callable[[LeftOut], LeftOut]


class Fact(NamedTuple):
    """A rule or fact that may be a reason why a selection cannot be completed, and the function that removes it from a task."""

    leave_out: _LeaveOut
    reason: Reason


def _facts_of(task: Task) -> Iterator[Fact]:
    """Yield all facts about a task, beginning with those that tell a shopper the most."""
    bundle, wishes = task.bundle, task.wishes
    for indexes in alternatives_of(bundle.limit_rules):
        rules = [bundle.limit_rules[index] for index in indexes]
        message = demand(rules, task.facts.weight_unit, task.currency)
        yield Fact(_without_rules(indexes), Reason("limit_not_met", message, f"limitRules.{indexes[0]}"))
    for index, required in enumerate(bundle.required_products):
        titles = (each.line.product.title for each in task.kinds if each.line.product.id == required.product_id)
        title = next(titles, f"product {required.product_id}")
        message = f"{required.quantity} of {title} are required."
        yield Fact(_without_required(index), Reason("required_missing", message, f"requiredProducts.{index}"))
    if wishes.budget is not None:
        message = f"The selection must cost at most {wishes.budget} {task.currency}."
        yield Fact(lambda out: replace(out, budget=True), Reason(OVER_BUDGET, message, ""))
    if wishes.avoid:
        yield Fact(lambda out: replace(out, avoid=True), Reason("avoided", "Products to avoid are not added.", ""))
    if task.graph.actions:
        reason = Reason("conditions", "The conditions of this bundle do not allow it.", "conditions")
        yield Fact(lambda out: replace(out, conditions=True), reason)
    yield from _stock_facts(task)


def _without_required(index: int) -> _LeaveOut:
    return lambda out: replace(out, required=out.required | {index})


def _without_rules(indexes: Sequence[int]) -> _LeaveOut:
    return lambda out: replace(out, rules=out.rules.union(indexes))


def _without_stock(variant: int) -> _LeaveOut:
    return lambda out: replace(out, stock=out.stock | {variant})


def _stock_facts(task: Task) -> Iterator[Fact]:
    """Yield a fact for each variant that cannot be sold in unlimited numbers."""
    reasons: dict[int, Reason] = {}
    for kind in task.kinds:
        line = kind.line
        market = task.market_prices.get(line.variant.id)
        if line.product.status != ACTIVE:
            reasons[line.variant.id] = Reason("not_active", f"{line.product.title} is not on sale.", "")
        elif market is not None and not market.available_for_sale:
            reasons[line.variant.id] = Reason("not_sold_in_country", f"{line.title} is not sold in this country.", "")
        elif not line.variant.in_stock(MAX_ITEMS):
            left = max(0, line.variant.inventory_quantity)
            message = f"Only {left} of {line.title} are left." if left else f"{line.title} is sold out."
            reasons[line.variant.id] = Reason("sold_out", message, "")
    return (Fact(_without_stock(variant), reason) for variant, reason in reasons.items())


def _others(items: Sequence[T], left_out: frozenset[int]) -> tuple[T, ...]:
    return tuple(item for index, item in enumerate(items) if index not in left_out)


def _sold(line: Line) -> Line:
    """Return the line as if its product were available for sale and its stock unlimited."""
    variant = replace(line.variant, inventory_tracked=False)
    return replace(line, variant=variant, product=replace(line.product, status=ACTIVE))

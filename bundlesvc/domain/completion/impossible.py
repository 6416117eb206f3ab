"""Why a selection cannot be completed: a set of rules and facts that cannot be met together, none of which can be left out."""

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
    """One rule or fact: its `code`, a sentence, and the path of the rule in the bundle ("" for other facts)."""

    code: str
    message: str
    rule: str


def reason_of(fault: Fault) -> Reason:
    """The reason why a selection cannot be configured."""
    head = fault.path.partition(".")[0]
    return Reason(fault.code, fault.message, fault.path if head in _RULES else "")


_RULES = ("limitRules", "requiredProducts", "conditions")


@dataclass(frozen=True, slots=True)
class _Facts:
    """What is left out of a task."""

    rules: frozenset[int] = frozenset()
    required: frozenset[int] = frozenset()
    stock: frozenset[int] = frozenset()
    conditions: bool = False
    budget: bool = False
    avoid: bool = False

    def out_of(self, task: Task) -> Task:
        """The task without these facts."""
        bundle, wishes, stock = task.bundle, task.wishes, self.stock
        return replace(
            task,
            bundle=replace(
                bundle,
                limit_rules=_others(bundle.limit_rules, self.rules),
                required_products=_others(bundle.required_products, self.required),
            ),
            graph=NO_CONDITIONS if self.conditions else task.graph,
            places=tuple(
                place._replace(line=_sold(place.line)) if place.line.variant.id in stock else place
                for place in task.places
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


@dataclass(slots=True)
class Explanation:
    """A search for the reasons. `run` yields after each slice of work. `reasons` is None until they are found, and `smallest`
    whether none of them can be left out."""

    task: Task
    most_work: int
    reasons: Sequence[Reason] | None = None
    smallest: bool = True

    def run(self) -> Iterator[None]:
        """Leave out one fact after the other, as long as the rest cannot be met without it."""
        left_out = _Facts()
        kept: list[Reason] = []
        stock = _stock_facts(self.task)
        facts = [*_facts(self.task)]
        if stock:
            all_stock = replace(left_out, stock=frozenset(variant for variant, _ in stock))
            if (yield from self._is_impossible(all_stock)):
                left_out = all_stock
            else:
                facts += [(_without_stock(variant), reason) for variant, reason in stock]
        for without, reason in facts:
            fewer = without(left_out)
            if (yield from self._is_impossible(fewer)):
                left_out = fewer
            else:
                kept.append(reason)
        self.reasons = kept

    def _is_impossible(self, left_out: _Facts) -> Generator[None, None, bool]:
        """Whether no selection meets what remains. When that costs too much to find out, it counts as possible."""
        search = Search(left_out.out_of(self.task), self.most_work, solutions=1)
        for _ in search.run():
            if search.result.found:
                break
            yield
        self.most_work -= search.work.done
        if not search.result.proven and not search.result.found:
            self.smallest = False
        return search.result.proven and not search.result.found


T = TypeVar("T")
_Without = Callable[[_Facts], _Facts]


def _facts(task: Task) -> Iterator[tuple[_Without, Reason]]:
    bundle, wishes = task.bundle, task.wishes
    if task.graph.actions:
        reason = Reason("conditions", "The conditions of this bundle do not allow it.", "conditions")
        yield lambda out: replace(out, conditions=True), reason
    if wishes.avoid:
        reason = Reason("avoided", "Products to avoid are not added.", "")
        yield lambda out: replace(out, avoid=True), reason
    if wishes.budget is not None:
        reason = Reason(OVER_BUDGET, f"The selection must cost at most {wishes.budget} {task.currency}.", "")
        yield lambda out: replace(out, budget=True), reason
    for place, required in enumerate(bundle.required_products):
        titles = (each.line.product.title for each in task.places if each.line.product.id == required.product_id)
        title = next(titles, f"product {required.product_id}")
        reason = Reason(
            "required_missing", f"{required.quantity} of {title} are required.", f"requiredProducts.{place}"
        )
        yield _without_required(place), reason
    for places in alternatives_of(bundle.limit_rules):
        rules = [bundle.limit_rules[place] for place in places]
        message = demand(rules, task.facts.weight_unit, task.currency)
        yield _without_rules(places), Reason("limit_not_met", message, f"limitRules.{places[0]}")


def _without_required(place: int) -> _Without:
    return lambda out: replace(out, required=out.required | {place})


def _without_rules(places: Sequence[int]) -> _Without:
    return lambda out: replace(out, rules=out.rules.union(places))


def _without_stock(variant: int) -> _Without:
    return lambda out: replace(out, stock=out.stock | {variant})


def _stock_facts(task: Task) -> list[tuple[int, Reason]]:
    """The variants that cannot be sold without limit, each with the reason."""
    reasons: dict[int, Reason] = {}
    for place in task.places:
        line = place.line
        market = task.market_prices.get(line.variant.id)
        if line.product.status != ACTIVE:
            reasons[line.variant.id] = Reason("not_active", f"{line.product.title} is not on sale.", "")
        elif market is not None and not market.available_for_sale:
            reasons[line.variant.id] = Reason("not_sold_in_country", f"{line.title} is not sold in this country.", "")
        elif not line.variant.in_stock(MAX_ITEMS):
            left = max(0, line.variant.inventory_quantity)
            message = f"Only {left} of {line.title} are left." if left else f"{line.title} is sold out."
            reasons[line.variant.id] = Reason("sold_out", message, "")
    return list(reasons.items())


def _others(items: Sequence[T], left_out: frozenset[int]) -> tuple[T, ...]:
    return tuple(item for place, item in enumerate(items) if place not in left_out)


def _sold(line: Line) -> Line:
    """The line of a product on sale, with unlimited stock."""
    variant = replace(line.variant, inventory_tracked=False)
    return replace(line, variant=variant, product=replace(line.product, status=ACTIVE))

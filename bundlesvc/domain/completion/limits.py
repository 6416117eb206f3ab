"""The limits of a search, derived from the bundle. Each selection that the configure endpoint accepts is within all of them.

A limit gives either the number of units that must change to reach an allowed count, or the bounds within which a sum must lie.
Limits ignore whatever depends on the whole selection (conditions, discounts); `Task.check` covers that.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from decimal import Decimal
from functools import lru_cache, partial
from itertools import compress, pairwise
from operator import ge, le
from typing import NamedTuple

from bundlesvc.domain.bundle import LimitRule
from bundlesvc.domain.completion.free_units import FreeUnits
from bundlesvc.domain.completion.moves import NEVER
from bundlesvc.domain.completion.outlook import possible_actions
from bundlesvc.domain.completion.task import Task, UnitKind
from bundlesvc.domain.conditions.action_types import HIDE_SECTION
from bundlesvc.domain.conditions.graph import of_type
from bundlesvc.domain.line import Line
from bundlesvc.domain.measures import WEIGHT, in_grams
from bundlesvc.domain.money import ZERO
from bundlesvc.domain.product import ACTIVE
from bundlesvc.domain.rules.limit_rules import alternatives_of, count_test
from bundlesvc.domain.rules.rule_types import (
    DIFFERENT,
    PRICE_AFTER,
    PRICE_BEFORE,
    PRODUCT,
    VARIANT,
    type_of,
)
from bundlesvc.domain.selection import MAX_ITEMS

FAR = 10**6
"""More changes than any selection can have. Used for a count that can never be allowed."""
_COUNTS = 2 * MAX_ITEMS + 1
"""The number of different counts of units that a search may encounter, starting from 0."""


class Needs(NamedTuple):
    """Tables of the smallest number of changes that turn a count of units into an allowed count, indexed by the current count:
    `any_way` for additions or removals, `by_adding` for additions only (FAR: never allowed). `highest` is the highest allowed
    count (-1: none is allowed)."""

    any_way: Sequence[int]
    by_adding: Sequence[int]
    highest: int


@dataclass(frozen=True, slots=True)
class GroupCountLimit:
    """Limits on the unit counts of disjoint groups of kinds. `groups` contains the group of each kind (-1: none), and `needs`
    contains one `Needs` per group. With `by_section`, each group is a whole section."""

    groups: Sequence[int]
    needs: Sequence[Needs]
    by_section: bool = False


@dataclass(frozen=True, slots=True)
class DifferentProductsLimit:
    """A limit on the number of different products in a scope. `products` contains the index of each kind's product (-1: outside
    the scope)."""

    products: Sequence[int]
    needs: Needs


@dataclass(frozen=True, slots=True)
class SumLimit:
    """A limit on a sum: the amount that one unit of each kind adds to it, and its lower and upper bounds (None: unbounded)."""

    weights: Sequence[Decimal]
    least: Decimal | None
    most: Decimal | None


@dataclass(frozen=True, slots=True)
class Limits:
    counted: Sequence[GroupCountLimit]
    different: Sequence[DifferentProductsLimit]
    summed: Sequence[SumLimit]
    total: Needs
    """For each total number of units, how many units must change before the total is allowed."""
    least_amount: Decimal
    """The lower bound on the amount of the whole selection, before discount."""
    least_price: Decimal
    most_price: Decimal
    """The upper bound on the price of the whole selection; `least_price` is the lower bound."""

    @classmethod
    def of(cls, task: Task) -> "Limits":
        """Return the limits of a task, leaving out the limits of sections that conditions may hide."""
        actions = possible_actions(task)
        hidden = {node["sectionId"] for node in of_type(actions, HIDE_SECTION)}
        rules = [rule for rule in task.bundle.limit_rules if rule.section_id not in hidden]
        free = FreeUnits(task)
        prices = [
            _bounds(rules, rule, task) for rule in rules if type_of(rule) is PRICE_AFTER and rule.section_id is None
        ]
        amounts = [
            _bounds(rules, rule, task)[0] for rule in rules if type_of(rule) is PRICE_BEFORE and rule.section_id is None
        ]
        total = _total(task.kinds, rules, free)
        budget = NEVER if task.wishes.budget is None else task.wishes.budget
        return cls(
            [*_stock(task), *_required(task, free), *_counts(task.kinds, rules, total, free)],
            list(_different(task.kinds, rules, free)),
            list(_sums(task, rules, free)),
            total,
            max([ZERO, *(each for each in amounts if each is not None)]),
            max([ZERO, *(least for least, _ in prices if least is not None)]),
            min([budget, *(most for _, most in prices if most is not None)]),
        )

    def most_of(self, kind: int) -> int:
        """Return the maximum number of units of this kind that a selection can contain."""
        groups = ((counted, counted.groups[kind]) for counted in self.counted)
        return min(counted.needs[group].highest for counted, group in groups if group >= 0)


def _needs(allows: Callable[[int], bool], free: int = 0) -> Needs:
    """Tabulate, for each count of units, how many units must be added or removed before the count is allowed. Up to `free` of the
    counted units may be exempt from the rules."""
    paid = [count for count in range(MAX_ITEMS + 1) if allows(count)]
    allowed = sorted({count + granted for count in paid for granted in range(free + 1)})
    to_next: list[int] = []
    since_last = [FAR] * (allowed[0] if allowed else _COUNTS)
    for count, following in pairwise([*allowed, _COUNTS]):
        to_next += range(count - len(to_next), -1, -1)
        since_last += range(following - count)
    to_next += [FAR] * (_COUNTS - len(to_next))
    return Needs(list(map(min, to_next, since_last)), to_next, allowed[-1] if allowed else -1)


def _grouped(kinds: Sequence[UnitKind], key: Callable[[Line], int], section: int | None) -> list[int]:
    """Return a group number for each kind: kinds with the same key form a group. Kinds of other sections get -1, which means no
    group."""
    numbers: dict[int, int] = {}
    return [
        numbers.setdefault(key(kind.line), len(numbers)) if section in (None, kind.line.section_id) else -1
        for kind in kinds
    ]


def _stock(task: Task) -> Iterator[GroupCountLimit]:
    numbers: dict[int, int] = {}
    most_of: list[int] = []
    groups = []
    for kind in task.kinds:
        number = numbers.setdefault(kind.line.variant.id, len(numbers))
        if number == len(most_of):
            most_of.append(most_sold(task, kind.line))
        groups.append(number)
    yield GroupCountLimit(groups, list(map(_needs_up_to, most_of)))


@lru_cache(MAX_ITEMS + 1)
def _needs_up_to(most: int) -> Needs:
    """Return the tables for a count of units that may be at most `most`. The results are cached, because few different maximums
    occur."""
    return _needs(partial(ge, most))


def most_sold(task: Task, line: Line) -> int:
    """Return the maximum number of units of a line's variant that can be sold in the shopper's country."""
    market = task.market_prices.get(line.variant.id)
    if line.product.status != ACTIVE or (market is not None and not market.available_for_sale):
        return 0
    return MAX_ITEMS if line.variant.in_stock(MAX_ITEMS) else max(0, line.variant.inventory_quantity)


def _required(task: Task, free: FreeUnits) -> Iterator[GroupCountLimit]:
    for required in task.bundle.required_products:
        own = [required.accepts(kind.line.product.id, kind.line.variant.id) for kind in task.kinds]
        granted = free.among(compress(task.kinds, own))
        table = _needs(partial(le, required.quantity), granted)
        yield GroupCountLimit([0 if each else -1 for each in own], [table])


def _by_scope(rules: Iterable[LimitRule]) -> dict[int | None, list[LimitRule]]:
    scopes: dict[int | None, list[LimitRule]] = {}
    for rule in rules:
        scopes.setdefault(rule.section_id, []).append(rule)
    return scopes


def _on_counts(rules: Sequence[LimitRule]) -> dict[int | None, list[LimitRule]]:
    """Return the limit rules that count units, by section (None: the whole bundle)."""
    return _by_scope(rule for rule in rules if type_of(rule).counts_units)


def _total(kinds: Sequence[UnitKind], rules: Sequence[LimitRule], free: FreeUnits) -> Needs:
    most = free.among(kinds)
    met = list(map(count_test(_on_counts(rules).get(None, [])), range(MAX_ITEMS + 1)))
    return _needs(lambda count: count >= 1 and (any(met[max(0, count - most) : count + 1])))


def _counts(
    kinds: Sequence[UnitKind], rules: Sequence[LimitRule], total: Needs, free: FreeUnits
) -> Iterator[GroupCountLimit]:
    yield GroupCountLimit([0] * len(kinds), [total])
    scopes = {section: own for section, own in _on_counts(rules).items() if section is not None}
    within = {section: [kind for kind in kinds if kind.line.section_id == section] for section in scopes}
    tables = [_count_needs(own, free.among(within[section])) for section, own in scopes.items()]
    numbers = {section: number for number, section in enumerate(scopes)}
    yield GroupCountLimit([numbers.get(kind.line.section_id, -1) for kind in kinds], tables, by_section=True)
    for subject in (PRODUCT, VARIANT):
        for section, own in _by_scope(rule for rule in rules if type_of(rule).of_each is subject).items():
            groups = _grouped(kinds, subject.id_of, section)
            members: list[list[UnitKind]] = [[] for _ in {*groups} - {-1}]
            for kind, group in zip(kinds, groups, strict=True):
                if group >= 0:
                    members[group].append(kind)
            granted = [free.among(each) for each in members]
            by_granted = {each: _count_needs(own, each, none=True) for each in set(granted)}
            yield GroupCountLimit(groups, [by_granted[each] for each in granted])


def _count_needs(rules: Sequence[LimitRule], free: int, *, none: bool = False) -> Needs:
    """Return how many units must be added or removed for a count to meet all these rules. With `none`, a count of 0 is allowed
    too."""
    meets = count_test(rules)
    return _needs(lambda count: (none and not count) or meets(count), free)


def _different(
    kinds: Sequence[UnitKind], rules: Sequence[LimitRule], free: FreeUnits
) -> Iterator[DifferentProductsLimit]:
    for section, own in _by_scope(rule for rule in rules if type_of(rule) is DIFFERENT).items():
        groups = _grouped(kinds, PRODUCT.id_of, section)
        granted = free.among(kind for kind, group in zip(kinds, groups, strict=True) if group >= 0)
        yield DifferentProductsLimit(groups, _count_needs(own, granted))


def _sums(task: Task, rules: Sequence[LimitRule], free: FreeUnits) -> Iterator[SumLimit]:
    """For each rule that no limit on counts covers, yield a limit on the sum of a measure over all units. It has an upper bound
    only if the measure is exact."""
    for rule in rules:
        row = type_of(rule)
        if row.counts_units or row.of_each or row is DIFFERENT:
            continue
        lines = (kind.line for kind in task.kinds)
        weights = [row.bounds.most(line) if rule.section_id in (None, line.section_id) else ZERO for line in lines]
        least, most = _bounds(rules, rule, task)
        if most is not None:
            most = most + free.sum(task.kinds, weights) if row.bounds.are_exact else None
        yield SumLimit(weights, least, most)


def _bounds(rules: Sequence[LimitRule], rule: LimitRule, task: Task) -> tuple[Decimal | None, Decimal | None]:
    """Return the lowest and the highest value of the measure that a rule, or any of its alternatives, allows. None means
    unbounded."""
    together = next(group for group in alternatives_of(rules) if any(rules[index] is rule for index in group))
    limits = [rules[index].limit for index in together]
    if type_of(rule).unit == WEIGHT:
        limits = [in_grams(limit, task.facts.weight_unit) for limit in limits]
    least = min(limits) if rule.operation in ("gt", "gte", "eq") else None
    return least, max(limits) if rule.operation in ("lt", "lte", "eq") else None

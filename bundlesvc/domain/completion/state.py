"""The state of a search: the counts and sums after the moves made so far, and what each limit still requires."""

from collections.abc import Sequence
from decimal import Decimal

from bundlesvc.domain.completion.amounts import Amounts, Demand
from bundlesvc.domain.completion.limits import FAR, DifferentProductsLimit, GroupCountLimit, Limits, SumLimit, most_sold
from bundlesvc.domain.completion.moves import NEVER, Move, RemainingMoves
from bundlesvc.domain.completion.ranges import Range
from bundlesvc.domain.completion.task import Task
from bundlesvc.domain.money import ZERO
from bundlesvc.domain.selection import MAX_ITEMS


class State:
    """The current state of a task's limits, updated with every move of the search."""

    def __init__(self, task: Task, limits: Limits, moves: Sequence[Move]) -> None:
        self._moves = moves
        self._counted = [_Counts(each, task, moves) for each in limits.counted]
        self._sections = next((counts for counts in self._counted if counts.limit.by_section), None)
        self._amounts = _amounts(self._sections, task, moves)
        self._for_sale = _for_sale(task, moves)
        self._different = [_Products(each, task) for each in limits.different]
        self._sums = [_Sum(each, task, moves) for each in limits.summed]
        self.amount = Range([kind.line.unit_price for kind in task.kinds], task, moves)

    def apply(self, number: int, times: int) -> None:
        """Make a move `times` times. With -1, undo it."""
        kind, change, cost, _, _ = self._moves[number]
        change *= times
        self.amount.value += cost * times
        for counts in self._counted:
            counts.change(kind, change)
        for products in self._different:
            products.change(kind, change)
        for total in self._sums:
            total.range.value += total.range.weights[kind] * change

    def is_possible(self) -> bool:
        """Whether each limit can be met on its own. A limit on a count must be within reach of the units and products for sale,
        and a limit on a sum within reach of the maximum number of units in a selection."""
        return (
            all(counts.needs < FAR and counts.can_be_met(self._for_sale) for counts in self._counted)
            and all(products.can_be_met(self._for_sale) for products in self._different)
            and all(total.can_be_met() for total in self._sums)
        )

    def may_be_met(self, ahead: RemainingMoves) -> bool:
        """Whether it may be possible to meet all limits with the remaining moves."""
        if not self.counts_may_be_met(ahead):
            return False
        for total in self._sums:  # noqa: SIM110 - called in loops, where all() would take twice as long
            if not total.may_be_met(ahead):
                return False
        return True

    def counts_may_be_met(self, ahead: RemainingMoves) -> bool:
        """Whether the remaining moves can still meet all limits on counts."""
        for limits in (self._counted, self._different):
            for each in limits:
                if not each.may_be_met(ahead):
                    return False
        return True

    def windows(self, ahead: RemainingMoves) -> list[tuple[Sequence[Decimal], Decimal, Decimal]]:
        """Return, for each limit on a sum, the effect of each move on the sum and the bounds within which the next change must
        lie."""
        return [(total.range.changes, *total.window(ahead)) for total in self._sums]

    def wanted(self, left: int) -> list[tuple[Sequence[Decimal], Decimal, Decimal, Decimal]]:
        """Return, for each limit on a sum: the effect of each move on the sum, the bounds on the average change that the next
        `left` moves must make, and the greatest possible change."""
        return [(total.range.changes, *total.wanted(left), total.heaviest) for total in self._sums if total.heaviest]

    def helped(self, number: int) -> int:
        """Count the limits that still need the unit that a move adds."""
        kind, change, _, _, _ = self._moves[number]
        return sum([counts.is_helped(kind) for counts in self._counted if counts.by_adding]) if change > 0 else 0

    def least_amount(self, ahead: RemainingMoves) -> Decimal | None:
        """Return a lower bound on the amount after the remaining moves; None when no such moves are possible."""
        demands = [] if self._sections is None else self._sections.demands(ahead.removals)
        least = self._amounts.least(ahead, demands)
        return None if least is None else self.amount.value + least

    def most_amount(self, ahead: RemainingMoves) -> Decimal:
        """Return an upper bound on the amount after the remaining moves."""
        return self.amount.after(ahead.removals, ahead.additions)[1]


class _Counts:
    """The unit counts of a limit's groups, the number of units that the groups need in total, and the `room` that remains up to
    their highest allowed counts. When the limit `covers` every kind, all added units must fit into this room."""

    def __init__(self, limit: GroupCountLimit, task: Task, moves: Sequence[Move]) -> None:
        self.limit = limit
        own = (number for number, move in enumerate(moves) if move.change > 0 and limit.groups[move.kind] >= 0)
        self._last = max(own, default=-1)
        self.covers = -1 not in limit.groups
        self._counts = [0] * len(limit.needs)
        for kind, group in enumerate(limit.groups):
            if group >= 0:
                self._counts[group] += task.kinds[kind].chosen
        pairs = list(zip(limit.needs, self._counts, strict=True))
        self.needs = sum(needs.any_way[count] for needs, count in pairs)
        self.by_adding = sum(needs.by_adding[count] for needs, count in pairs)
        self.room = sum(needs.highest - count for needs, count in pairs)

    def change(self, kind: int, change: int) -> None:
        group = self.limit.groups[kind]
        if group >= 0:
            count, needs = self._counts[group], self.limit.needs[group]
            after = self._counts[group] = count + change
            self.needs += needs.any_way[after] - needs.any_way[count]
            self.by_adding += needs.by_adding[after] - needs.by_adding[count]
            self.room -= change

    def can_be_met(self, for_sale: Sequence[tuple[int, int]]) -> bool:
        """Whether enough units are for sale to reach the lowest allowed count of each group. `for_sale` contains, for each kind,
        its variant and the number of units for sale."""
        most: list[dict[int, int]] = [{} for _ in self.limit.needs]
        for group, (variant, count) in zip(self.limit.groups, for_sale, strict=True):
            if group >= 0:
                most[group][variant] = count
        return all(
            sum(units.values()) >= needs.by_adding[0] for units, needs in zip(most, self.limit.needs, strict=True)
        )

    def may_be_met(self, ahead: RemainingMoves) -> bool:
        first, removals, additions = ahead
        if self.covers and additions > self.room + removals:
            return False
        if self.by_adding and not removals and first > self._last:
            return False
        return self.needs <= removals + additions if removals else self.by_adding <= additions

    def is_helped(self, kind: int) -> bool:
        """Whether the group to which a kind belongs needs one more unit."""
        group = self.limit.groups[kind]
        return group >= 0 and self.limit.needs[group].by_adding[self._counts[group]] > 0

    def demands(self, removals: int) -> list[Demand]:
        """Return, for each group, how many units must be added and the maximum that can be added, if up to `removals` units are
        removed first."""
        return [
            (min(needs.by_adding[max(0, count - removals) : count + 1]), max(0, needs.highest - count + removals))
            for needs, count in zip(self.limit.needs, self._counts, strict=True)
        ]


class _Products:
    """The number of different products in a scope. A move changes this number by at most one."""

    def __init__(self, limit: DifferentProductsLimit, task: Task) -> None:
        self._limit = limit
        self._counts = [0] * (max(limit.products, default=-1) + 1)
        for kind, product in enumerate(limit.products):
            if product >= 0:
                self._counts[product] += task.kinds[kind].chosen
        self._different = sum(map(bool, self._counts))

    def can_be_met(self, for_sale: Sequence[tuple[int, int]]) -> bool:
        """Whether enough different products are for sale to reach the lowest number that the limit allows. `for_sale` contains,
        for each kind, its variant and the number of units for sale."""
        sold = {product for product, (_, count) in zip(self._limit.products, for_sale, strict=True) if count}
        return len(sold - {-1}) >= self._limit.needs.by_adding[0]

    def may_be_met(self, ahead: RemainingMoves) -> bool:
        _, removals, additions = ahead
        if removals:
            return self._limit.needs.any_way[self._different] <= removals + additions
        return self._limit.needs.by_adding[self._different] <= additions

    def change(self, kind: int, change: int) -> None:
        product = self._limit.products[kind]
        if product >= 0:
            before = bool(self._counts[product])
            self._counts[product] += change
            self._different += bool(self._counts[product]) - before


class _Sum:
    """A limit on a sum, with the sum's current value and range."""

    def __init__(self, limit: SumLimit, task: Task, moves: Sequence[Move]) -> None:
        self.range = Range(limit.weights, task, moves)
        self.heaviest = max(limit.weights, default=ZERO)
        self._least = -NEVER if limit.least is None else limit.least
        self._most = NEVER if limit.most is None else limit.most

    def can_be_met(self) -> bool:
        return self.heaviest * MAX_ITEMS >= self._least

    def may_be_met(self, ahead: RemainingMoves) -> bool:
        least, most = self.range.after(ahead.removals, ahead.additions)
        return most >= self._least and least <= self._most

    def wanted(self, left: int) -> tuple[Decimal, Decimal]:
        return (self._least - self.range.value) / left, (self._most - self.range.value) / left

    def window(self, ahead: RemainingMoves) -> tuple[Decimal, Decimal]:
        return self.range.window(self._least, self._most, ahead)


def _amounts(sections: _Counts | None, task: Task, moves: Sequence[Move]) -> Amounts:
    if sections is None:
        return Amounts(moves, [-1] * len(task.kinds), 0)
    return Amounts(moves, sections.limit.groups, len(sections.limit.needs))


def _for_sale(task: Task, moves: Sequence[Move]) -> list[tuple[int, int]]:
    """Return the variant id of each kind of unit in the task, with the maximum number of units of this variant that a selection
    can contain across all sections."""
    growing = {task.kinds[move.kind].line.variant.id for move in moves if move.change > 0}
    chosen: dict[int, int] = {}
    for kind in task.kinds:
        chosen[kind.line.variant.id] = chosen.get(kind.line.variant.id, 0) + kind.chosen
    ids = [kind.line.variant.id for kind in task.kinds]
    return [
        (id_, min(MAX_ITEMS if id_ in growing else chosen[id_], most_sold(task, kind.line)))
        for id_, kind in zip(ids, task.kinds, strict=True)
    ]

"""Tiers of a discount: those that are never reached, those that never win, those that take nothing off."""

from collections.abc import Iterator
from dataclasses import dataclass

from bundlesvc.domain.bundle import CUMULATIVE, PRICE, Discount, Tier
from bundlesvc.shop_file.lint.findings import Code, Remark, warning
from bundlesvc.shop_file.lint.ranges import Numbers, satisfying
from bundlesvc.shop_file.lint.subject import Subject


@dataclass(frozen=True, slots=True)
class States:
    """What the selections may be like at which a tier holds: number of items, units of the most frequent product, amount."""

    counts: Numbers
    largest: Numbers
    amounts: Numbers

    def measured_by(self, tier: Tier) -> Numbers:
        if tier.type == "total_products":
            return self.counts
        return self.largest if tier.type == "bulk_buy" else self.amounts


def check_tiers(subject: Subject, discount: Discount, discounted: Numbers) -> Iterator[Remark]:
    """Of a tiered discount on a bundle that can be bought; `discounted`: the amounts from its minimum on (not none)."""
    anything = States(subject.by_terms.whole.counts, subject.by_terms.largest, discounted)
    states = [_states(subject, anything, tier) for tier in discount.tiers]
    for place, (tier, where) in enumerate(zip(discount.tiers, states, strict=True)):
        path = subject.at("discount", "tiers", place)
        if where is None:
            message = f"No selection that can be bought reaches '{tier.type} {tier.operation} {tier.value}'."
            yield warning(Code.TIER_NEVER_REACHED, path, message)
        elif _takes_nothing(subject, discount, tier, where):
            yield warning(Code.DISCOUNT_TAKES_NOTHING, path, "This tier takes nothing off, whenever it holds.")
        elif discount.operator != CUMULATIVE or discount.type == PRICE:
            yield from _check_winning(subject, discount, place, states)


def _states(subject: Subject, anything: States, tier: Tier) -> States | None:
    """What is left of all states where the tier holds; None when that is certainly nothing."""
    held = _held_by(subject, tier)
    counts, largest, amounts = anything.counts, anything.largest, anything.amounts
    if tier.type == "total_products":
        counts &= held
    elif tier.type == "bulk_buy":
        largest &= held
    else:
        amounts &= held
    return _consistent(subject, counts, largest, amounts)


def _consistent(subject: Subject, counts: Numbers, largest: Numbers, amounts: Numbers) -> States | None:
    """The three sets without what the other ones rule out: so many items have some amount, and some product most units."""
    reach, products = subject.by_terms, max(subject.by_terms.products_offered(None), 1)
    counts = Numbers.of(
        (count, count)
        for count in counts
        if reach.amounts_of([count]) & amounts and largest & Numbers.between(-(-count // products), count)
    )
    if not counts:
        return None
    largest &= Numbers.between(-(-counts.least // products), counts.most)
    return States(counts, largest, amounts & reach.amounts_of(counts))


def _takes_nothing(subject: Subject, discount: Discount, tier: Tier, where: States) -> bool:
    if discount.type == PRICE:
        return where.amounts.most > 0 and subject.units.minor(tier.discount) >= where.amounts.most
    return tier.discount == 0


def _check_winning(subject: Subject, discount: Discount, place: int, states: list[States | None]) -> Iterator[Remark]:
    for other in range(len(discount.tiers)):
        if other != place and _is_beaten(subject, discount, place, other, states):
            message = f"Tier {other} holds wherever this one does, and takes off at least as much."
            yield warning(Code.TIER_NEVER_WINS, subject.at("discount", "tiers", place), message)
            return


def _is_beaten(subject: Subject, discount: Discount, place: int, other: int, states: list[States | None]) -> bool:
    """Whether the other tier makes this one idle; of two that are equal the first one stays."""
    mine, theirs = discount.tiers[place].discount, discount.tiers[other].discount
    if not _follows(subject, states[place], discount.tiers[other]):
        return False
    if mine == theirs:
        return other < place or not _follows(subject, states[other], discount.tiers[place])
    return mine > theirs if discount.type == PRICE else mine < theirs


def _follows(subject: Subject, where: States | None, tier: Tier) -> bool:
    """Whether the tier holds in all of these states."""
    return where is not None and where.measured_by(tier) <= _held_by(subject, tier)


def _held_by(subject: Subject, tier: Tier) -> Numbers:
    """The numbers of its measure at which the tier holds."""
    limit = subject.units.minor(tier.threshold) if tier.type == "total_price" else tier.threshold
    return satisfying(tier.operation, limit)

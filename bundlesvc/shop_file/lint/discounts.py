"""A bundle's own discount and its tiers: whether each is ever reached, ever wins and ever takes anything off."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from bundlesvc.domain.bundle import CUMULATIVE, PRICE, TIERED, Discount, Tier
from bundlesvc.domain.money import ZERO
from bundlesvc.shop_file.lint.findings import Code, Remark, warning
from bundlesvc.shop_file.lint.reasoning import Numbers, satisfying
from bundlesvc.shop_file.lint.subject import Subject


def check_discount(subject: Subject) -> Iterator[Remark]:
    discount = subject.bundle.discount
    if discount is None:
        return
    if discount.flat_or_tiered != TIERED and discount.tiers:
        yield warning(
            Code.TIERS_NOT_READ, subject.at("discount", "tiers"), "The discount is flat, so its tiers are ignored."
        )
    if discount.flat_or_tiered == TIERED and not discount.tiers:
        message = "The discount is tiered but has no tiers, so it takes nothing off."
        yield warning(Code.DISCOUNT_TAKES_NOTHING, subject.at("discount"), message)
    elif subject.is_possible:
        yield from _check_reached(subject, discount)


def _check_reached(subject: Subject, discount: Discount) -> Iterator[Remark]:
    amounts = subject.by_terms.amounts
    discounted = amounts & satisfying("gte", subject.units.minor(discount.minimum or ZERO))
    if not discounted:
        message = (
            f"No selection that can be bought costs this much: {subject.units.price_text(amounts.most)} is the most."
        )
        yield warning(Code.MINIMUM_NEVER_REACHED, subject.at("discount", "minimum"), message)
    elif discount.flat_or_tiered == TIERED:
        yield from _check_tiers(subject, discount, discounted)
    elif _takes_nothing(subject, discount, discount, discounted):
        yield warning(Code.DISCOUNT_TAKES_NOTHING, subject.at("discount", "value"), "The discount takes nothing off.")


def _takes_nothing(subject: Subject, discount: Discount, part: Discount | Tier, amounts: Numbers) -> bool:
    """Whether a flat discount, or a tier of it, takes nothing off any of these amounts."""
    value = part.discount if isinstance(part, Tier) else part.value
    if discount.type == PRICE:
        return amounts.most > 0 and subject.units.minor(value) >= amounts.most
    return value == 0


@dataclass(frozen=True, slots=True)
class _States:
    """What selections can be like where a tier holds: items, units of the most frequent product, amount."""

    counts: Numbers
    largest: Numbers
    amounts: Numbers

    def measured_by(self, tier: Tier) -> Numbers:
        if tier.type == "total_products":
            return self.counts
        return self.largest if tier.type == "bulk_buy" else self.amounts


def _check_tiers(subject: Subject, discount: Discount, discounted: Numbers) -> Iterator[Remark]:
    """The tiers of a bundle that can be bought; `discounted` holds the amounts from its minimum up."""
    anything = _States(subject.by_terms.whole.counts, subject.by_terms.largest, discounted)
    states = [_states_of(subject, anything, tier) for tier in discount.tiers]
    for place, (tier, where) in enumerate(zip(discount.tiers, states, strict=True)):
        path = subject.at("discount", "tiers", place)
        if where is None:
            message = f"No selection that can be bought reaches '{tier.type} {tier.operation} {tier.value}'."
            yield warning(Code.TIER_NEVER_REACHED, path, message)
        elif _takes_nothing(subject, discount, tier, where.amounts):
            yield warning(Code.DISCOUNT_TAKES_NOTHING, path, "This tier never takes anything off.")
        elif discount.operator != CUMULATIVE or discount.type == PRICE:
            yield from _tier_never_wins(subject, discount, place, states)


def _states_of(subject: Subject, anything: _States, tier: Tier) -> _States | None:
    """The states where the tier holds; None when there are certainly none."""
    held = _held_by(subject, tier)
    counts, largest, amounts = anything.counts, anything.largest, anything.amounts
    if tier.type == "total_products":
        counts &= held
    elif tier.type == "bulk_buy":
        largest &= held
    else:
        amounts &= held
    return _consistent(subject, counts, largest, amounts)


def _consistent(subject: Subject, counts: Numbers, largest: Numbers, amounts: Numbers) -> _States | None:
    """The three sets, each without what the other two exclude."""
    reach, products = subject.by_terms, max(subject.by_terms.products_offered(None), 1)
    counts = Numbers.of(
        (count, count)
        for count in counts
        if reach.amounts_of([count]) & amounts and largest & Numbers.between(-(-count // products), count)
    )
    if not counts:
        return None
    largest &= Numbers.between(-(-counts.least // products), counts.most)
    return _States(counts, largest, amounts & reach.amounts_of(counts))


def _tier_never_wins(
    subject: Subject, discount: Discount, place: int, states: Sequence[_States | None]
) -> Iterator[Remark]:
    for other in range(len(discount.tiers)):
        if other != place and _is_beaten(subject, discount, place, other, states):
            message = f"Tier {other} holds whenever this one does, and takes off at least as much."
            yield warning(Code.TIER_NEVER_WINS, subject.at("discount", "tiers", place), message)
            return


def _is_beaten(subject: Subject, discount: Discount, place: int, other: int, states: Sequence[_States | None]) -> bool:
    """Whether the other tier always wins over this one; of two that are equal, the first one stays."""
    mine, theirs = discount.tiers[place].discount, discount.tiers[other].discount
    if not _implies(subject, states[place], discount.tiers[other]):
        return False
    if mine == theirs:
        return other < place or not _implies(subject, states[other], discount.tiers[place])
    return mine > theirs if discount.type == PRICE else mine < theirs


def _implies(subject: Subject, where: _States | None, tier: Tier) -> bool:
    """Whether the tier holds in all of these states."""
    return where is not None and where.measured_by(tier) <= _held_by(subject, tier)


def _held_by(subject: Subject, tier: Tier) -> Numbers:
    """The numbers of its measure at which the tier holds."""
    limit = subject.units.minor(tier.threshold) if tier.type == "total_price" else tier.threshold
    return satisfying(tier.operation, limit)

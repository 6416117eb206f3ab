"""Checks of a bundle's own discount and its tiers: whether each is ever reached, ever wins and ever reduces the price. Also finds
discounts, whether the bundle's own or from conditions, that take off the whole price, or that set a price no lower than the
original one.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from decimal import Decimal

from bundlesvc.domain.bundle import CUMULATIVE, PERCENTAGE, PRICE, TIERED, Discount, Tier
from bundlesvc.domain.line import total_count
from bundlesvc.domain.measures import holds
from bundlesvc.domain.money import HUNDRED, ZERO, amount_text
from bundlesvc.domain.pricing.selection_price import NO_DISCOUNT, largest_product_count
from bundlesvc.shop_file.lint.findings import Code, Remark, error_if, warning
from bundlesvc.shop_file.lint.reasoning import UNBOUNDED, Deduction, Numbers, satisfying
from bundlesvc.shop_file.lint.subject import Subject, listed
from bundlesvc.shop_file.lint.witnesses import Witness, cheap_selections
from bundlesvc.shop_file.tree import TreePath, quoted


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
    """Whether a flat discount, or a tier of a discount, reduces none of these amounts."""
    value = part.discount if isinstance(part, Tier) else part.value
    if discount.type == PRICE:
        return amounts.most > 0 and subject.units.minor(value) >= amounts.most
    return value == 0


@dataclass(frozen=True, slots=True)
class _States:
    """What is possible for selections to which a tier applies: their item counts, the numbers of units of their most frequent
    product, and their amounts."""

    counts: Numbers
    largest: Numbers
    amounts: Numbers

    def measured_by(self, tier: Tier) -> Numbers:
        if tier.type == "total_products":
            return self.counts
        return self.largest if tier.type == "bulk_buy" else self.amounts


def _check_tiers(subject: Subject, discount: Discount, discounted: Numbers) -> Iterator[Remark]:
    """Check the tiers of the discount on a bundle that can be bought. `discounted` contains the possible amounts at or above the
    discount's minimum."""
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
    """Return the selections to which the tier applies, or None if it certainly applies to none."""
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
    """Narrow the three sets by removing from each the numbers that the other two exclude. Returns None when nothing is left."""
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
    """Whether the tier at `other` always wins over the tier at `place`. Of two equal tiers, the first wins."""
    mine, theirs = discount.tiers[place].discount, discount.tiers[other].discount
    if not _implies(subject, states[place], discount.tiers[other]):
        return False
    if mine == theirs:
        return other < place or not _implies(subject, states[other], discount.tiers[place])
    return mine > theirs if discount.type == PRICE else mine < theirs


def _implies(subject: Subject, where: _States | None, tier: Tier) -> bool:
    """Whether the tier applies to all selections in the states `where`. False when there are none."""
    return where is not None and where.measured_by(tier) <= _held_by(subject, tier)


def _held_by(subject: Subject, tier: Tier) -> Numbers:
    """Return the values of the tier's measure at which the tier applies."""
    limit = subject.units.minor(tier.threshold) if tier.type == "total_price" else tier.threshold
    return satisfying(tier.operation, limit)


def check_giveaways(subject: Subject) -> Iterator[Remark]:
    """Check for discounts that take off the whole price, or fail to reduce it. Each finding is reported once per discount, with
    the smallest selection found that can be bought."""
    if not subject.can_be_bought:
        return
    reported: set[tuple[Code, TreePath]] = set()
    for witness in cheap_selections(subject, _largest_amount(subject)):
        for found in _check_selection(subject, witness):
            if (found.code, found.path) not in reported:
                reported.add((found.code, found.path))
                yield found


def _largest_amount(subject: Subject) -> int:
    """Return the largest amount that some discount would reduce to zero, or that some set price would not reduce at all; -1 when
    there is no such amount."""
    return max((_reaches(deduction) for deduction in subject.terms.effects.possible), default=-1)


def _reaches(deduction: Deduction) -> int:
    """Return the largest amount that a deduction can reduce to zero or, if it is a set price, would not reduce at all; -1 when
    there is no such amount."""
    if deduction.type == PERCENTAGE:
        return UNBOUNDED if deduction.value == HUNDRED else -1
    return UNBOUNDED if deduction.left_of(UNBOUNDED) == 0 else int(deduction.value)


def _check_selection(subject: Subject, witness: Witness) -> Iterator[Remark]:
    """Check how the discount that applies to a selection affects the price."""
    applied = _applied_discount(subject, witness)
    if witness.priced.amount <= 0 or applied is None:
        return
    type_, path, is_meant = applied
    if witness.priced.reduction == witness.priced.amount and not _is_rounding(type_, witness):
        message = f"{_shown(witness)} can be bought, and the discount takes off the whole price."
        yield error_if(not is_meant, Code.DISCOUNT_TAKES_ALL, path, message)
    elif type_ == PRICE and witness.priced.pricing.discount_type == NO_DISCOUNT:
        message = f"{_shown(witness)} can be bought, and costs no more than the price set by the discount."
        yield warning(Code.PRICE_ABOVE_CHEAPEST, path, message)


def _is_rounding(type_: str, witness: Witness) -> bool:
    """Whether a percentage reduces the price to zero only because less than half a minor unit would be left."""
    return type_ == PERCENTAGE and witness.priced.pricing.discount_value < HUNDRED


def _applied_discount(subject: Subject, witness: Witness) -> tuple[str, TreePath, bool] | None:
    """Return the discount that applies to a selection: its type, its path, and whether it is meant to take off the whole
    price."""
    fired, own = witness.outcome.discount, subject.bundle.discount
    if fired:
        node = next(node for node in subject.graph.nodes if node["id"] == fired.action_id)
        return fired.type, subject.at_node(node, "discount"), _takes_everything(fired.type, fired.value)
    if own is None or not _should_apply(own, witness):
        return None
    values = [tier.discount for tier in own.tiers] if own.flat_or_tiered == TIERED else [own.value]
    return own.type, subject.at("discount"), any(_takes_everything(own.type, value) for value in values)


def _takes_everything(type_: str, value: Decimal) -> bool:
    return (type_ == PERCENTAGE and value >= HUNDRED) or (type_ == PRICE and value == ZERO)


def _should_apply(discount: Discount, witness: Witness) -> bool:
    """Whether the discount should take something off: its minimum is reached and, if it is tiered, one of its tiers applies."""
    amount, lines = witness.priced.amount, witness.priced.paid
    if discount.minimum is not None and amount < discount.minimum:
        return False
    measures: dict[str, Decimal | int] = {
        "total_products": total_count(lines),
        "bulk_buy": largest_product_count(lines),
        "total_price": amount,
    }
    return discount.flat_or_tiered != TIERED or any(
        holds(measures[tier.type], tier.operation, tier.threshold) for tier in discount.tiers
    )


def _shown(witness: Witness) -> str:
    """Describe the selection and its price: "A selection of 2 x 'Mug' for 16.00 EUR"."""
    units = listed(f"{line.count} x {quoted(line.title)}" for line in witness.priced.paid)
    return f"A selection of {units} for {amount_text(witness.priced.amount)} {witness.priced.pricing.currency}"

"""Discounts that are larger than the price: they take all of it off, or, of a price for the bundle, nothing.

Each is shown on a selection that can be bought.
"""

from collections.abc import Iterator
from decimal import Decimal

from bundlesvc.domain.bundle import PERCENTAGE, PRICE, TIERED, Discount
from bundlesvc.domain.comparison import holds
from bundlesvc.domain.line import total_count
from bundlesvc.domain.money import HUNDRED, ZERO, amount_text
from bundlesvc.domain.pricing import NO_DISCOUNT, largest_product_count
from bundlesvc.shop_file.document import TreePath, quoted
from bundlesvc.shop_file.lint.effects import Deduction
from bundlesvc.shop_file.lint.findings import ERROR, WARNING, Code, Remark, remark, warning
from bundlesvc.shop_file.lint.ranges import UNBOUNDED
from bundlesvc.shop_file.lint.subject import Subject
from bundlesvc.shop_file.lint.witnesses import Witness, cheap_selections
from bundlesvc.shop_file.lint.words import listed


def check_giveaways(subject: Subject) -> Iterator[Remark]:
    """One remark for each discount and what is wrong with it, on the selection with the fewest items."""
    if not subject.can_be_bought:
        return
    told: set[tuple[Code, TreePath]] = set()
    for witness in cheap_selections(subject, _most(subject)):
        for found in _judged(subject, witness):
            if (found.code, found.path) not in told:
                told.add((found.code, found.path))
                yield found


def _most(subject: Subject) -> int:
    """No amount above this one can be taken off whole, or be less than a price for the bundle."""
    return max((_reaches(deduction) for deduction in subject.terms.effects.possible), default=-1)


def _reaches(deduction: Deduction) -> int:
    """The largest amount of which a discount leaves nothing, or takes nothing off though it should."""
    if deduction.type == PERCENTAGE:
        return UNBOUNDED if deduction.value == HUNDRED else -1
    return UNBOUNDED if deduction.left_of(UNBOUNDED) == 0 else int(deduction.value)


def _judged(subject: Subject, witness: Witness) -> Iterator[Remark]:
    """What the discount that decides on a selection does to it."""
    amount, decided = witness.priced.amount, _deciding(subject, witness)
    if amount <= 0 or decided is None:
        return
    type_, path, is_meant = decided
    if witness.priced.reduction == amount and not _is_rounding(type_, witness):
        severity = WARNING if is_meant else ERROR
        message = f"{_shown(subject, witness)} can be bought, and the discount takes all of it off."
        yield remark(severity, Code.DISCOUNT_TAKES_ALL, path, message)
    elif type_ == PRICE and witness.priced.pricing.discount_type == NO_DISCOUNT:
        message = f"{_shown(subject, witness)} can be bought, and costs no more than the price that the discount sets."
        yield warning(Code.PRICE_ABOVE_CHEAPEST, path, message)


def _is_rounding(type_: str, witness: Witness) -> bool:
    """Whether a percentage takes all off only because what it leaves is less than half a minor unit."""
    return type_ == PERCENTAGE and witness.priced.pricing.discount_value < HUNDRED


def _deciding(subject: Subject, witness: Witness) -> tuple[str, TreePath, bool] | None:
    """The discount that applies: its type, its path, and whether it says by itself that it takes everything off."""
    fired, own = witness.outcome.discount, subject.bundle.discount
    if fired:
        node = next(node for node in subject.graph.nodes if node["id"] == fired.action_id)
        return fired.type, subject.at_node(node, "discount"), _takes_everything(fired.type, fired.value)
    if own is None or not _applies(own, witness):
        return None
    values = [tier.discount for tier in own.tiers] if own.flat_or_tiered == TIERED else [own.value]
    return own.type, subject.at("discount"), any(_takes_everything(own.type, value) for value in values)


def _takes_everything(type_: str, value: Decimal) -> bool:
    return (type_ == PERCENTAGE and value >= HUNDRED) or (type_ == PRICE and value == ZERO)


def _applies(discount: Discount, witness: Witness) -> bool:
    """Whether the discount should take something off: its minimum is reached, and one of its tiers holds."""
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


def _shown(subject: Subject, witness: Witness) -> str:
    """The selection and its price: "A selection of 2 x 'Mug' for 16.00 EUR"."""
    units = listed(f"{line.count} x {quoted(line.title)}" for line in witness.priced.paid)
    return f"A selection of {units} for {amount_text(witness.priced.amount)} {witness.priced.pricing.currency}"

"""Discounts larger than the price: they take all of it off, or set a price that is not below it.

Each finding shows a selection that can be bought.
"""

from collections.abc import Iterator
from decimal import Decimal

from bundlesvc.domain.bundle import PERCENTAGE, PRICE, TIERED, Discount
from bundlesvc.domain.comparison import holds
from bundlesvc.domain.line import total_count
from bundlesvc.domain.money import HUNDRED, ZERO, amount_text
from bundlesvc.domain.pricing import NO_DISCOUNT, largest_product_count
from bundlesvc.shop_file.lint.findings import Code, Remark, error_if, warning
from bundlesvc.shop_file.lint.reasoning import UNBOUNDED, Deduction, Witness, cheap_selections
from bundlesvc.shop_file.lint.subject import Subject, listed
from bundlesvc.shop_file.tree import TreePath, quoted


def check_giveaways(subject: Subject) -> Iterator[Remark]:
    """Each finding once for each discount, with the selection that has the fewest items."""
    if not subject.can_be_bought:
        return
    reported: set[tuple[Code, TreePath]] = set()
    for witness in cheap_selections(subject, _most(subject)):
        for found in _check_selection(subject, witness):
            if (found.code, found.path) not in reported:
                reported.add((found.code, found.path))
                yield found


def _most(subject: Subject) -> int:
    """The largest amount that any discount may take off entirely or fail to reduce."""
    return max((_reaches(deduction) for deduction in subject.terms.effects.possible), default=-1)


def _reaches(deduction: Deduction) -> int:
    """The largest amount of which a discount leaves nothing, or takes nothing off though it should."""
    if deduction.type == PERCENTAGE:
        return UNBOUNDED if deduction.value == HUNDRED else -1
    return UNBOUNDED if deduction.left_of(UNBOUNDED) == 0 else int(deduction.value)


def _check_selection(subject: Subject, witness: Witness) -> Iterator[Remark]:
    """What the discount that applies to a selection does to its price."""
    applied = _applied(subject, witness)
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
    """Whether a percentage takes everything off only because less than half a minor unit would be left."""
    return type_ == PERCENTAGE and witness.priced.pricing.discount_value < HUNDRED


def _applied(subject: Subject, witness: Witness) -> tuple[str, TreePath, bool] | None:
    """The discount that applies: its type, its path, and whether it is written to take everything off."""
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
    """Whether the discount should take something off: its minimum is reached and one of its tiers holds."""
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
    """The selection and its price: "A selection of 2 x 'Mug' for 16.00 EUR"."""
    units = listed(f"{line.count} x {quoted(line.title)}" for line in witness.priced.paid)
    return f"A selection of {units} for {amount_text(witness.priced.amount)} {witness.priced.pricing.currency}"

"""A bundle's own discount: whether it ever takes anything off."""

from collections.abc import Iterator

from bundlesvc.domain.bundle import PRICE, TIERED, Discount
from bundlesvc.domain.money import ZERO
from bundlesvc.shop_file.lint.findings import Code, Remark, warning
from bundlesvc.shop_file.lint.ranges import Numbers, satisfying
from bundlesvc.shop_file.lint.subject import Subject
from bundlesvc.shop_file.lint.tiers import check_tiers


def check_discount(subject: Subject) -> Iterator[Remark]:
    discount = subject.bundle.discount
    if discount is None:
        return
    if discount.flat_or_tiered != TIERED and discount.tiers:
        yield warning(
            Code.TIERS_NOT_READ, subject.at("discount", "tiers"), "The discount is flat: its tiers are not read."
        )
    if discount.flat_or_tiered == TIERED and not discount.tiers:
        message = "The discount is tiered and has no tier, so that it takes nothing off."
        yield warning(Code.DISCOUNT_TAKES_NOTHING, subject.at("discount"), message)
    elif subject.is_possible:
        yield from _check_reached(subject, discount)


def _check_reached(subject: Subject, discount: Discount) -> Iterator[Remark]:
    amounts = subject.by_terms.amounts
    discounted = amounts & _from_minimum(subject, discount)
    if not discounted:
        most = subject.units.price_text(amounts.most)
        message = f"No selection that can be bought costs so much: {most} is the most."
        yield warning(Code.MINIMUM_NEVER_REACHED, subject.at("discount", "minimum"), message)
    elif discount.flat_or_tiered == TIERED:
        yield from check_tiers(subject, discount, discounted)
    elif _takes_nothing(subject, discount, discounted):
        yield warning(Code.DISCOUNT_TAKES_NOTHING, subject.at("discount", "value"), "The discount takes nothing off.")


def _from_minimum(subject: Subject, discount: Discount) -> Numbers:
    return satisfying("gte", subject.units.minor(discount.minimum or ZERO))


def _takes_nothing(subject: Subject, discount: Discount, discounted: Numbers) -> bool:
    if discount.type == PRICE:
        return discounted.most > 0 and subject.units.minor(discount.value) >= discounted.most
    return discount.value == 0

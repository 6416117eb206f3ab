"""Markets in which a bundle cannot be bought, though it can be elsewhere: variants that are not sold there, prices too high."""

from collections.abc import Iterator, Sequence

from bundlesvc.domain.limit_rules import PRICE_TYPES
from bundlesvc.domain.shop import Market
from bundlesvc.shop_file.lint.findings import Code, Remark, warning
from bundlesvc.shop_file.lint.reach import Reach
from bundlesvc.shop_file.lint.subject import Subject, is_possible


def check_markets(subject: Subject, markets: Sequence[Market]) -> Iterator[Remark]:
    """Of bundles that can be bought at all: the countries where they cannot, unless they say so themselves."""
    if not subject.can_be_bought:
        return
    for place, market in enumerate(markets):
        if (
            _matters(subject, market)
            and not _is_blocked(subject, market)
            and not is_possible(_reach(subject, market), subject.terms)
        ):
            message = (
                f"Bundle {subject.bundle.id} cannot be bought in {market.country_code}: what is sold there, at its prices, "
                "does not meet its rules."
            )
            yield warning(Code.MARKET_OUT_OF_REACH, ("markets", place), message)


def _is_blocked(subject: Subject, market: Market) -> bool:
    """Whether the bundle's own conditions keep it from being bought there."""
    blocks = subject.actions("block-cart")
    return any(subject.purchase_logic.always_in(market.country_code, node.get("when")) for node in blocks)


def _reach(subject: Subject, market: Market) -> Reach:
    return Reach(subject.terms, subject.catalogue.of_market(market), by_stock=True)


def _matters(subject: Subject, market: Market) -> bool:
    """Whether the market can make a difference: something is not sold, or rules look at prices."""
    offered = {choice.variant_id for choice in subject.terms.offers.within(None)}
    return not offered.isdisjoint(market.unavailable_variant_ids) or any(
        limit.type in PRICE_TYPES for limit in subject.bundle.limit_rules
    )

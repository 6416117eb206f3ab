"""Checks for those parts of a native bundle that make its discount valid only in the market for which it was configured
(docs/checkout.md): parts that depend on an amount or a country, or that give away units for free."""

from collections.abc import Iterator

from bundlesvc.domain.bundle import NATIVE, PERCENTAGE
from bundlesvc.domain.checkout.market_dependence import MARKET_RULES, market_tiers
from bundlesvc.domain.conditions.action_types import DISCOUNT, FREE_ITEM
from bundlesvc.domain.conditions.condition_types import COUNTRY
from bundlesvc.domain.shop_files.shop_file import ShopFile
from bundlesvc.shop_file.lint.findings import Code, Remark, note
from bundlesvc.shop_file.lint.subject import Subject, rule_text
from bundlesvc.shop_file.tree import TreePath

_CONSEQUENCE = "A shopper who goes to another country gets no discount until the bundle is configured again."


def check_market_dependence(subject: Subject, shop_file: ShopFile) -> Iterator[Remark]:
    """Report each part of a native bundle that makes its discount valid in one market only, if the shop has markets."""
    if subject.bundle.type == NATIVE and _has_markets(subject, shop_file):
        yield from _own_discount(subject)
        yield from _conditions(subject)
        yield from _price_rules(subject)


def _has_markets(subject: Subject, shop_file: ShopFile) -> bool:
    """Whether the shop has markets. The markets of a live platform are not in the file, but a condition on the country shows that
    there are some."""
    if not subject.catalogue.live:
        return bool(shop_file.markets)
    return any(node["type"] == COUNTRY.name for node in subject.graph.market_conditions)


def _own_discount(subject: Subject) -> Iterator[Remark]:
    discount = subject.bundle.discount
    if discount is None:
        return
    if discount.type != PERCENTAGE:
        yield _bound(subject.at("discount", "type"), "An amount is worth more in one market than in another.")
    if discount.minimum is not None:
        yield _bound(subject.at("discount", "minimum"), "A minimum is reached sooner in one market than in another.")
    for place in market_tiers(discount):
        path = subject.at("discount", "tiers", place)
        yield _bound(path, "A tier on the amount is reached sooner in one market than in another.")


def _conditions(subject: Subject) -> Iterator[Remark]:
    for node in subject.graph.market_conditions:
        read = "country" if node["type"] == COUNTRY.name else "price of the units"
        yield _bound(subject.at_node(node), f"The discount depends on the {read}.")
    for node in subject.actions(DISCOUNT):
        if node["discount"]["type"] != PERCENTAGE:
            path = subject.at_node(node, "discount", "type")
            yield _bound(path, "An amount is worth more in one market than in another.")
    for node in subject.actions(FREE_ITEM):
        yield _bound(subject.at_node(node), "A free unit is worth more in one market than in another.")


def _price_rules(subject: Subject) -> Iterator[Remark]:
    for place, rule in enumerate(subject.bundle.limit_rules):
        if rule.type in MARKET_RULES:
            message = f"{rule_text(rule)} can allow a selection in one market and refuse it in another."
            yield _bound(subject.at("limitRules", place), message)


def _bound(path: TreePath, reason: str) -> Remark:
    return note(Code.BOUND_TO_A_MARKET, path, f"{reason} {_CONSEQUENCE}")

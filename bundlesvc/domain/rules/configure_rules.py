"""The rules that a selection must meet to be configured (docs/contract.md#valid-selections). All faults are reported."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

from bundlesvc.domain.bundle import NATIVE, Bundle
from bundlesvc.domain.conditions.graph import Outcome
from bundlesvc.domain.errors import Fault
from bundlesvc.domain.line import Line, total_count
from bundlesvc.domain.product import ACTIVE, MarketPrice
from bundlesvc.domain.rules.limit_rules import Scope, check_limit_rules


def check_rules(
    bundle: Bundle,
    type_: str,
    lines: Sequence[Line],
    outcome: Outcome,
    scope: Scope,
    market_prices: Mapping[int, MarketPrice],
) -> list[Fault]:
    """Return every fault that prevents configuring these lines.

    `lines` is the whole selection, including its free units. `market_prices` is keyed by variant id, and is empty without a
    country.
    """
    return [
        *_check_type(bundle, type_),
        *_check_sellable(bundle),
        *_check_products(lines),
        *_check_stock(lines),
        *_check_markets(lines, market_prices),
        *_check_visibility(lines, outcome),
        *_check_required(bundle, outcome.paid),
        *check_limit_rules(bundle.limit_rules, scope, outcome.hidden_sections),
        *(Fault("conditions", "blocked", text) for text in outcome.blocks),
    ]


def _check_type(bundle: Bundle, type_: str) -> Iterator[Fault]:
    if type_ != bundle.type:
        yield Fault("type", "type_mismatch", f"This bundle is of type {bundle.type}, not {type_}.")


def _check_sellable(bundle: Bundle) -> Iterator[Fault]:
    """Check that the bundle has a product on the platform. Without a product, there is nothing to put into a cart."""
    if bundle.product_id is None or (bundle.type == NATIVE and bundle.parent_variant_id is None):
        yield Fault("bundle", "blocked", "This bundle cannot be bought yet: it has no product on the platform.")


def _check_products(lines: Sequence[Line]) -> Iterator[Fault]:
    inactive = [line for line in lines if line.product.status != ACTIVE]
    for line in _firsts(inactive, lambda line: line.product.id):
        names = {"platformProductId": str(line.product.id)}
        yield Fault(_item(line), "not_active", f"{line.product.title} is not on sale.", names)


def _check_stock(lines: Sequence[Line]) -> Iterator[Fault]:
    counts: dict[int, int] = {}
    for line in lines:
        counts[line.variant.id] = counts.get(line.variant.id, 0) + line.count
    sold_out = [line for line in lines if not line.variant.in_stock(counts[line.variant.id])]
    for line in _firsts(sold_out, lambda line: line.variant.id):
        message = _stock_sentence(line, counts[line.variant.id])
        yield Fault(_item(line), "sold_out", message, _variant_names(line))


def _stock_sentence(line: Line, count: int) -> str:
    left = line.variant.inventory_quantity
    if left <= 0:
        return f"{line.title} is sold out."
    return f"Only {left} of {line.title} are left; the selection contains {count}."


def _check_markets(lines: Sequence[Line], market_prices: Mapping[int, MarketPrice]) -> Iterator[Fault]:
    not_sold = {variant for variant, price in market_prices.items() if not price.available_for_sale}
    for line in _firsts([line for line in lines if line.variant.id in not_sold], lambda line: line.variant.id):
        message = f"{line.title} is not sold in this country."
        yield Fault(_item(line), "not_sold_in_country", message, _variant_names(line))


def _check_visibility(lines: Sequence[Line], outcome: Outcome) -> Iterator[Fault]:
    if not outcome.hidden_sections and not outcome.hidden_products:
        return
    for line in lines:
        if line.section_id in outcome.hidden_sections:
            message = f"{line.title} is in a section that is hidden for this selection."
            yield Fault(_item(line), "section_hidden", message, {"sectionId": line.section_id})
        elif outcome.hides(line):
            names = {"platformProductId": str(line.product.id)}
            yield Fault(_item(line), "product_hidden", f"{line.title} cannot be part of this selection.", names)


def _check_required(bundle: Bundle, lines: Sequence[Line]) -> Iterator[Fault]:
    """Check that the required products are present. `lines` are the paid lines, because free units do not count towards any rule
    (docs/contract.md#conditions)."""
    for place, required in enumerate(bundle.required_products):
        count = total_count(line for line in lines if required.accepts(line.product.id, line.variant.id))
        if count < required.quantity:
            yield Fault(
                f"requiredProducts.{place}",
                "required_missing",
                f"A required product is missing: {required.quantity - count} more needed.",
                {
                    "platformProductId": str(required.product_id),
                    "limit": str(required.quantity),
                    "actual": str(count),
                    "missing": str(required.quantity - count),
                },
            )


def _firsts(lines: Iterable[Line], key: Callable[[Line], int]) -> list[Line]:
    """Return the first line for each key, in the order of the selection."""
    firsts: dict[int, Line] = {}
    for line in lines:
        firsts.setdefault(key(line), line)
    return list(firsts.values())


def _item(line: Line) -> str:
    return f"products.{line.first}"


def _variant_names(line: Line) -> dict[str, str]:
    return {"platformVariantId": str(line.variant.id)}

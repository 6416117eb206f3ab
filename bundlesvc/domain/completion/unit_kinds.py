"""The units that a selection of a bundle may contain, in the shop's order (docs/contract.md#completion)."""

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import replace

from bundlesvc.domain.bundle import Bundle
from bundlesvc.domain.completion.task import UnitKind
from bundlesvc.domain.line import Answers, Line
from bundlesvc.domain.product import MarketPrice, Product, Variant, unit_price
from bundlesvc.domain.selection import NO_SECTION

Key = tuple[int, int, Answers]
"""The variant, section and answers of identical units."""


def unit_kinds_of(
    bundle: Bundle,
    products: Mapping[int, Product],
    market_prices: Mapping[int, MarketPrice],
    currency: str,
    chosen: Sequence[Line],
    asking: Collection[int],
) -> tuple[UnitKind, ...]:
    """Return the kinds of units that a bundle offers, followed by those of the remaining chosen lines. Units of the products in
    `asking` cannot be added, because they need answers from the shopper."""
    left = {key_of(line): line for line in chosen}
    kinds: dict[Key, UnitKind] = {}
    for variant, product, section_id in _offered(bundle, products):
        line = Line(product, variant, section_id, 1, unit_price(variant, market_prices.get(variant.id), currency), 0)
        if (key := key_of(line)) not in kinds:
            own = left.pop(key, None)
            kinds[key] = UnitKind(line, 0 if own is None else own.count, grows=product.id not in asking)
    further = {key: UnitKind(replace(line, count=1, first=0), line.count, grows=False) for key, line in left.items()}
    return (*kinds.values(), *further.values())


def key_of(line: Line) -> Key:
    """Return the key of a line's unit kind: lines with the same key contain identical units."""
    return line.variant.id, line.section_id, line.answers


def _offered(bundle: Bundle, products: Mapping[int, Product]) -> Iterator[tuple[Variant, Product, int]]:
    """Yield every variant that a section offers, with the section's id, then every accepted variant of the required products,
    with `NO_SECTION`."""
    for section in bundle.sections:
        for offered in section.products:
            if product := products.get(offered.product_id):
                yield from ((each, product, section.id) for each in product.variants if offered.allows(each.id))
    for required in bundle.required_products:
        if product := products.get(required.product_id):
            own = (each for each in product.variants if required.accepts(product.id, each.id))
            yield from ((each, product, NO_SECTION) for each in own)

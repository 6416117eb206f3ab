"""New stock and prices of individual variants, one row each."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from bundlesvc.domain.product import Product
from bundlesvc.domain.shop import Market


@dataclass(frozen=True, slots=True)
class CatalogueRow:
    """One line of a catalogue file: the new values of a variant, by field name. With a country, the only value is the variant's
    `price` in that market, where None means no fixed price."""

    line: int
    variant_id: int
    values: Mapping[str, Any]
    country: str | None = None


@dataclass(frozen=True, slots=True)
class Catalogue:
    """The parts of a shop's data that catalogue rows can change: the product id of each variant, the products by id, and the
    markets by country."""

    owners: Mapping[int, int]
    products: Mapping[int, Product]
    markets: Mapping[str, Market]


def row_faults(rows: Iterable[CatalogueRow], catalogue: Catalogue) -> Iterator[tuple[int, str]]:
    """Yield the line number of each faulty row, with a message. A row is faulty when it refers to a variant or market that the
    shop does not have, or repeats an earlier row."""
    seen: dict[tuple[int, str | None], int] = {}
    for row in rows:
        first = seen.setdefault((row.variant_id, row.country), row.line)
        if first != row.line:
            yield row.line, f"Variant {row.variant_id} is on line {first}, too."
        elif row.variant_id not in catalogue.owners:
            yield row.line, f"The shop has no variant {row.variant_id}."
        elif row.country is not None and row.country not in catalogue.markets:
            yield row.line, f"The shop has no market for {row.country}."


def changed_products(rows: Iterable[CatalogueRow], catalogue: Catalogue) -> Sequence[Product]:
    """Return the products that these rows change, with the new values."""
    by_product: dict[int, dict[int, Mapping[str, Any]]] = {}
    for row in rows:
        if row.country is None:
            by_product.setdefault(catalogue.owners[row.variant_id], {})[row.variant_id] = row.values
    made = {id_: _with_values(catalogue.products[id_], values) for id_, values in by_product.items()}
    return [product for id_, product in made.items() if product != catalogue.products[id_]]


def changed_markets(rows: Iterable[CatalogueRow], catalogue: Catalogue) -> Sequence[Market]:
    """Return the markets that these rows change, with the new prices."""
    prices = {country: dict(market.prices) for country, market in catalogue.markets.items()}
    for row in rows:
        if row.country is None:
            continue
        if row.values["price"] is None:
            prices[row.country].pop(row.variant_id, None)
        else:
            prices[row.country][row.variant_id] = row.values["price"]
    return [
        replace(market, prices=prices[country])
        for country, market in catalogue.markets.items()
        if market.prices != prices[country]
    ]


def _with_values(product: Product, values: Mapping[int, Mapping[str, Any]]) -> Product:
    variants = tuple(replace(variant, **values.get(variant.id, {})) for variant in product.variants)
    return replace(product, variants=variants)

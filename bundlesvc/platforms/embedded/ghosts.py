"""Ghost variants of the embedded platform, and their prices in markets."""

import secrets
from collections.abc import Callable, Mapping, Sequence
from decimal import Decimal

from sqlalchemy import Connection, delete, insert, select, update

from bundlesvc.domain.identifiers import GHOST_VARIANT_FLOOR, MAX_ID
from bundlesvc.domain.money import amount_text
from bundlesvc.storage.database.tables import catalogue_ghost_prices, catalogue_ghosts
from bundlesvc.storage.database.transaction import lock_shop

DrawId = Callable[[], int]


def random_ghost_id() -> int:
    """Return a random id for a ghost variant. Random ids keep shoppers from enumerating the ghost variants of other shoppers."""
    return GHOST_VARIANT_FLOOR + secrets.randbelow(MAX_ID - GHOST_VARIANT_FLOOR + 1)


def create_ghost(
    connection: Connection, shop_id: int, product_id: int, option_value: str, price: Decimal, draw: DrawId
) -> int:
    """Return the id of the ghost variant with this option value. Creates the variant if it does not exist."""
    lock_shop(connection, shop_id)
    ghosts = catalogue_ghosts.c
    same = (ghosts.shop_id == shop_id) & (ghosts.product_id == product_id) & (ghosts.option_value == option_value)
    there = connection.execute(select(ghosts.variant_id).where(same, ~ghosts.retired)).scalar()
    if there is not None:
        return int(there)
    variant_id = _unused_id(connection, shop_id, draw)
    connection.execute(
        insert(catalogue_ghosts).values(
            shop_id=shop_id,
            variant_id=variant_id,
            product_id=product_id,
            option_value=option_value,
            price=amount_text(price),
            retired=False,
        )
    )
    return variant_id


def retire_ghosts(connection: Connection, shop_id: int, product_id: int, variant_ids: Sequence[int]) -> None:
    ghosts = catalogue_ghosts.c
    mine = (ghosts.shop_id == shop_id) & (ghosts.product_id == product_id) & ghosts.variant_id.in_(variant_ids)
    connection.execute(update(catalogue_ghosts).where(mine).values(retired=True))


def set_ghost_price(connection: Connection, shop_id: int, variant_id: int, country: str, price: Decimal) -> None:
    """Set the price of a ghost variant in a country, in the currency of that country's market."""
    lock_shop(connection, shop_id)
    row = {"shop_id": shop_id, "variant_id": variant_id, "country_code": country}
    connection.execute(delete(catalogue_ghost_prices).filter_by(**row))
    connection.execute(insert(catalogue_ghost_prices), {**row, "price": amount_text(price)})


def ghost_prices(
    connection: Connection, shop_id: int, variant_ids: Sequence[int], country: str
) -> Mapping[int, Decimal]:
    """Return the prices set for ghost variants in a country, in the currency of that country's market, by variant id."""
    prices = catalogue_ghost_prices.c
    wanted = (prices.shop_id == shop_id) & (prices.country_code == country) & prices.variant_id.in_(variant_ids)
    rows = connection.execute(select(prices.variant_id, prices.price).where(wanted))
    return {row.variant_id: Decimal(row.price) for row in rows}


def _unused_id(connection: Connection, shop_id: int, draw: DrawId) -> int:
    """Draw an id that no ghost variant of the shop has ever had."""
    while True:
        variant_id = draw()
        taken = (catalogue_ghosts.c.shop_id == shop_id) & (catalogue_ghosts.c.variant_id == variant_id)
        if connection.execute(select(catalogue_ghosts.c.variant_id).where(taken)).first() is None:
            return variant_id

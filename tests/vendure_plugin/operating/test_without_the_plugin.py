"""After the plugin is removed according to its guide, shoppers can continue to buy, and the bundles in their orders cost their
full price."""

import re

import pytest

from tests.process.serving import SECRET_KEY
from tests.servers.postgres_server import PostgresServer
from tests.vendure_plugin.operating.test_diagnosis import set_promotion
from tests.vendure_plugin.orders.attacks import goods
from tests.vendure_plugin.plugin import PLUGIN
from tests.vendure_plugin.selections import Storefront
from tests.vendure_plugin.shop import options, started_engine
from tests.vendure_plugin.shopper import Shopper

pytestmark = pytest.mark.process

_SHOW = "{ activeOrder { subTotalWithTax } }"
_ADD = """mutation { addItemToOrder(productVariantId: "10111", quantity: 1) {
  ... on Order { subTotalWithTax } ... on ErrorResult { errorCode message }
} }"""
_PLACED = "query ($id: ID!) { order(id: $id) { subTotalWithTax } }"
UNIT = 590


def statement_in_the_guide() -> str:
    """Return the guide's SQL statement, which removes the promotion from all orders."""
    found = re.search(r"```sql\n(.+?)```", (PLUGIN / "README.md").read_text(), re.DOTALL)
    assert found
    return found[1]


def test_orders_go_on_at_their_full_price(postgres: PostgresServer, filled: str, storefront: Storefront) -> None:
    box = goods(storefront).box
    database = postgres.new_database(filled)
    with postgres.lent(database):
        with started_engine(postgres, database, options(SECRET_KEY)) as engine:
            buyer, shopper = (Shopper(engine.address, engine.home) for _ in range(2))
            buyer.add(box.answer)
            placed = buyer.place()
            shopper.add(box.answer)
            set_promotion(engine, enabled=False)
        postgres.sql(statement_in_the_guide(), database)
        with started_engine(postgres, database, None) as engine:
            shopper.move(engine.address)
            assert shopper.run(_SHOW)["activeOrder"]["subTotalWithTax"] == box.promised * 100
            changed = shopper.run(_ADD)["addItemToOrder"]
            assert changed == {"subTotalWithTax": int(box.original * 100) + UNIT}
            shown = engine.admin.run(_PLACED, id=placed["id"])["order"]
            assert shown["subTotalWithTax"] == box.promised * 100

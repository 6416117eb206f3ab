"""An engine whose amounts have three decimal places charges dinars exactly to the fils, and euros in whole cents."""

from collections.abc import Iterator
from dataclasses import dataclass
from decimal import Decimal

import pytest
import yaml

from bundlesvc.shop_file.loading import read_shop_file
from tests.process.serving import SECRET_KEY, serving
from tests.servers.postgres_server import PostgresServer
from tests.standin.data.connected_file import write_file
from tests.vendure.admin import Admin
from tests.vendure.seeding import READER
from tests.vendure_plugin.connected_shop import new_key, run, settings_for, write_shop_file
from tests.vendure_plugin.selections import Storefront
from tests.vendure_plugin.shop import DEMO_SHOP, DemoEngine, options, started_engine
from tests.vendure_plugin.shopper import Shopper, lines_of

pytestmark = pytest.mark.process

CHANNEL = "us"
"""The channel that sells in dinars in this test."""

DINARS = {"countryCode": "KW", "currency": "KWD", "exchangeRate": "0.335", "channel": CHANNEL}
WINTER_BOX = 110
UNITS = [*[(10011, 1001, 1)] * 3, (10012, 1001, 1)]
_IN_DINARS = f"""
  UPDATE product_variant_price SET price = price * 10;
  UPDATE channel SET "defaultCurrencyCode" = 'KWD', "availableCurrencyCodes" = 'KWD' WHERE code = '{CHANNEL}';
  UPDATE product_variant_price SET "currencyCode" = 'KWD', price = price + 1 + id % 9
    WHERE "channelId" = (SELECT id FROM channel WHERE code = '{CHANNEL}');
"""


@dataclass(frozen=True)
class ExactShop:
    """An engine whose amounts have three decimal places, and a storefront for a service that is connected to the engine."""

    engine: DemoEngine
    storefront: Storefront


@pytest.fixture(scope="module")
def shop(postgres: PostgresServer, filled: str, tmp_path_factory: pytest.TempPathFactory) -> Iterator[ExactShop]:
    database, folder = postgres.new_database(filled), tmp_path_factory.mktemp("dinars")
    plugin = options(SECRET_KEY, countries={"KW": CHANNEL})
    with postgres.lent(database):
        postgres.sql(_IN_DINARS, database)
        with started_engine(postgres, database, plugin, settings={"DECIMALS": "3"}) as engine:
            settings = settings_for(engine)
            (folder / "var").mkdir()
            write_shop_file(engine, folder / "shop.yaml")
            content = yaml.safe_load((folder / "shop.yaml").read_text("utf-8"))
            content["shop"]["platform"]["markets"] = [DINARS]
            write_file(content, folder / "shop.yaml")
            run(folder, settings, "load", "shop.yaml")
            token = Admin(engine.address, READER, READER).token
            run(folder, settings, "platform", "connect", "--shop", "demo", "--no-check", sent=token)
            key = new_key(folder, settings, "headless")
            with serving(folder, settings=settings) as server:
                yield ExactShop(engine, Storefront(server, key, read_shop_file(DEMO_SHOP)))


@pytest.mark.parametrize(("country", "channel", "decimals"), [("KW", CHANNEL, 3), (None, "__default_channel__", 2)])
def test_bundle_is_charged_to_the_minor_unit(shop: ExactShop, country: str | None, channel: str, decimals: int) -> None:
    box = shop.storefront.configured(WINTER_BOX, *UNITS, country=country)
    assert box.promised < box.original
    assert -int(box.original.as_tuple().exponent) == decimals
    buyer = Shopper(shop.engine.address, shop.engine.tokens[channel])
    buyer.add(box.answer)
    lines = lines_of(buyer.place(), box.id)
    assert {line["bundle"]["reason"] for line in lines} == {None}
    assert Decimal(sum(line["discountedLinePriceWithTax"] for line in lines)) / 1000 == box.promised


def test_promise_in_dinars_is_not_valid_at_home(shop: ExactShop) -> None:
    box = shop.storefront.configured(WINTER_BOX, *UNITS, country="KW")
    order = Shopper(shop.engine.address, shop.engine.home).add(box.answer)
    assert {line["bundle"]["reason"] for line in order["lines"]} == {"market_changed"}

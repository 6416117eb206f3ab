"""The demo shop in an engine with the plugin: channels in several currencies, one of them with net prices."""

import json
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from bundlesvc.domain.shop_files.shop_file import ShopFile
from bundlesvc.shop_file.loading import read_shop_file
from bundlesvc.token_cipher import DISCOUNT, derived_keys
from tests.servers.postgres_server import PostgresServer
from tests.vendure.admin import Admin
from tests.vendure.engine import running_engine
from tests.vendure.seeding import Seeding
from tests.vendure_plugin.plugin import PLUGIN, compiled_plugin

ENGINE = Path(__file__).with_name("engine")
DEMO_SHOP = Path(__file__).parents[2] / "config" / "demo-shop.yaml"
NET_CHANNEL = "ch"
COUNTRIES = {"US": "us", "CH": "ch", "JP": "jp"}
MUCH = 1_000_000

_CHANNELS = "{ channels { items { id code token defaultCurrencyCode } } stockLocations { items { id } } }"
_SELL = """mutation ($channel: ID!, $shipping: [ID!]!, $payment: [ID!]!, $stock: [ID!]!) {
  assignShippingMethodsToChannel(input: {channelId: $channel, shippingMethodIds: $shipping}) { id }
  assignPaymentMethodsToChannel(input: {channelId: $channel, paymentMethodIds: $payment}) { id }
  assignStockLocationsToChannel(input: {channelId: $channel, stockLocationIds: $stock}) { id }
}"""


@dataclass
class DemoEngine:
    """A running Vendure server with the demo shop and the plugin. `log` contains the lines that the server has written."""

    address: str
    admin: Admin
    tokens: dict[str, str]
    """The tokens of the engine's channels, by channel code."""
    log: list[str]

    @property
    def home(self) -> str:
        return self.tokens["__default_channel__"]


def options(secret: str, **others: object) -> dict[str, object]:
    """Return the plugin's options for the demo shop of a service with this secret key."""
    return {"shop": "demo", "keys": derived_keys([secret], DISCOUNT), "countries": COUNTRIES, **others}


@contextmanager
def demo_engine(postgres: PostgresServer, filled: str, plugin: dict[str, object]) -> Iterator[DemoEngine]:
    """Run a Vendure engine on a new copy of the database named `filled`, with these options for the plugin."""
    database = postgres.new_database(filled)
    with postgres.lent(database), started_engine(postgres, database, plugin) as engine:
        yield engine


@contextmanager
def started_engine(
    postgres: PostgresServer,
    database: str,
    plugin: dict[str, object] | None,
    package: Path = PLUGIN,
    settings: Mapping[str, str] = {},
) -> Iterator[DemoEngine]:
    """Run an engine on a database, which keeps the engine's changes. `plugin` contains the plugin's options, or is None for no
    plugin; `package` is the plugin's folder, and `settings` are passed to `engine/serve.mjs`."""
    log: list[str] = []
    settings = {**_settings(plugin, package), **settings}
    with running_engine(postgres.url(database), folder=ENGINE, settings=settings, log=log.append) as address:
        admin = Admin(address)
        tokens = {channel["code"]: channel["token"] for channel in admin.run(_CHANNELS)["channels"]["items"]}
        yield DemoEngine(address, admin, tokens, log)


def _settings(plugin: dict[str, object] | None, package: Path) -> dict[str, str]:
    return {"BUNDLES": json.dumps(plugin), "PLUGIN": str(package)}


def filled_database(postgres: PostgresServer, plugin: dict[str, object]) -> str:
    """Create a database, and fill it with the demo shop. Returns its name."""
    compiled_plugin()
    database = postgres.new_database()
    settings = _settings(plugin, PLUGIN)
    with running_engine(postgres.url(database), create_tables=True, folder=ENGINE, settings=settings) as address:
        _fill(Admin(address), postgres, database, read_shop_file(DEMO_SHOP))
    return database


def _fill(admin: Admin, postgres: PostgresServer, database: str, shop: ShopFile) -> None:
    def sql(statement: str) -> str:
        return postgres.sql(statement, database)

    Seeding(admin, sql, shop, permissions=("ReadCatalog", "ReadBundleOrders")).fill()
    found = admin.run(_CHANNELS)
    methods = admin.run("{ shippingMethods { items { id } } paymentMethods { items { id } } }")
    for channel in found["channels"]["items"]:
        admin.run(
            _SELL,
            channel=channel["id"],
            shipping=[one["id"] for one in methods["shippingMethods"]["items"]],
            payment=[one["id"] for one in methods["paymentMethods"]["items"]],
            stock=[one["id"] for one in found["stockLocations"]["items"]],
        )
    sql(f"UPDATE channel SET \"pricesIncludeTax\" = false WHERE code = '{NET_CHANNEL}'")
    sql(f'UPDATE stock_level SET "stockOnHand" = {MUCH}')
    sql("DELETE FROM job_record")

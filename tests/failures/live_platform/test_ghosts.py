"""Ghost variants on a live platform, created by two processes that share one PostgreSQL database
(docs/contract.md#ghost-variants)."""

import asyncio
from collections.abc import Iterator
from decimal import Decimal
from random import Random

import aiohttp
import orjson
import pytest

from bundlesvc.domain.money import half_unit
from tests.failures.live_platform.crowd import Call, call_at_once
from tests.failures.live_platform.large import (
    COUNT,
    MARKETS,
    PAIR,
    PAIR_PRODUCT,
    paired,
    platform_shop,
    write_shop_file,
)
from tests.failures.service import Service, Setup, started
from tests.process.serving import BASE, HttpResponse
from tests.servers.postgres_server import PostgresServer
from tests.standin.calling import Caller
from tests.standin.data.gids import gid
from tests.standin.data.shop import DEFAULT_VALUE, Market, Product

HANDLE = "ghosts"
PRICE_IN_COUNTRY = """query Price($id: ID!, $country: CountryCode!) {
  productVariant(id: $id) { contextualPricing(context: {country: $country}) { price { amount currencyCode } } }
}"""


@pytest.fixture(scope="module")
def service(postgres: PostgresServer, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Service]:
    """The service in two processes that share one PostgreSQL."""
    folder = tmp_path_factory.mktemp("ghosts")
    with postgres.lent(postgres.new_database()) as address:
        setup = Setup.prepared([HANDLE], folder, address, write_shop_file(folder))
        with started(setup, servers=2, platform_shop=platform_shop()) as service:
            yield service
            assert service.end() == []


@pytest.fixture
def product(service: Service) -> Product:
    """Reset the platform's call counters, and return the bundle's product on the platform."""
    service.platform.forget()
    return service.platform.standin.shop.products[PAIR_PRODUCT]


def configure(service: Service, body: object, process: int = 0) -> HttpResponse:
    key = service.setup.shops[HANDLE].key
    response = service.servers[process].post(f"{BASE}/bundles/{PAIR}/configure", key, body)
    assert response.status == 200, response.body
    return response


def test_equal_selections_share_a_ghost(service: Service, product: Product) -> None:
    first, second, third = (configure(service, paired(1, 2), process).json for process in (0, 0, 1))
    assert first["variant_id"] == second["variant_id"] == third["variant_id"]
    assert len({each["configured_bundle_id"] for each in (first, second, third)}) == 3
    assert service.platform.calls["CreateVariants"] == 1
    ghost = product.variant(int(first["variant_id"]))
    assert ghost is not None
    assert str(ghost.price) == first["pricing"]["discountedPrice"]


def test_equal_selections_at_the_same_time_share_a_ghost(service: Service, product: Product) -> None:
    """Identical selections that are configured at the same time share one ghost variant, even across processes."""
    before = len(product.variants)
    calls = [Call(f"/bundles/{PAIR}/configure", paired(3, 4))] * 20
    received = call_at_once(service.servers, service.setup.shops[HANDLE].key, calls)
    assert {each.status for each in received} == {200}
    assert len({orjson.loads(each.body)["variant_id"] for each in received}) == 1
    assert len(product.variants) == before + 1


def test_own_variant_of_the_product_stays(service: Service, product: Product) -> None:
    configure(service, paired(5, 6))
    assert product.variants[0].option_values == [DEFAULT_VALUE]
    assert len(product.variants) > 1


@pytest.mark.parametrize("market", MARKETS, ids=lambda market: str(market.name))
def test_market_charges_the_discounted_price(service: Service, product: Product, market: Market) -> None:
    """In each market, the discounted price is charged, to within half a minor unit of the market's currency."""
    (country,) = market.countries
    random = Random(market.id)
    selections = [random.sample(range(1, COUNT + 1), random.randint(1, 12)) for _ in range(8)]
    for numbers in selections:
        response = configure(service, paired(*numbers, country=country)).json
        charged, currency = charged_for(service, int(response["variant_id"]), country)
        assert currency == market.currency
        discounted = Decimal(response["pricing"]["discountedPrice"])
        assert abs(charged - discounted * market.rate) <= half_unit(currency), numbers


def charged_for(service: Service, variant_id: int, country: str) -> tuple[Decimal, str]:
    """Fetch the price, with its currency, that the platform charges a buyer in this country."""

    async def fetch() -> tuple[Decimal, str]:
        async with aiohttp.ClientSession() as session:
            call = Caller(session, service.platform.standin, token=service.setup.shops[HANDLE].token)
            reply = await call(PRICE_IN_COUNTRY, id=gid("ProductVariant", variant_id), country=country)
        price = reply.data["productVariant"]["contextualPricing"]["price"]
        return Decimal(price["amount"]), price["currencyCode"]

    return asyncio.run(fetch())

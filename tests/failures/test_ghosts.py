"""Ghost variants on a live platform, made by two processes over one PostgreSQL (design 9)."""

import asyncio
from collections.abc import Iterator
from decimal import Decimal
from random import Random

import aiohttp
import orjson
import pytest

from bundlesvc.domain.money import half_unit
from tests.failures.crowd import Call, call_at_once
from tests.failures.large import COUNT, MARKETS, PAIR, PAIR_PRODUCT, paired, platform_shop, write_shop_file
from tests.failures.stage import Ground, Stage, staged
from tests.postgres_server import PostgresServer
from tests.process.serving import BASE, Answer
from tests.standin.calling import Caller
from tests.standin.gids import gid
from tests.standin.shop import DEFAULT_VALUE, Market, Product

HANDLE = "ghosts"
PRICE_IN_COUNTRY = """query Price($id: ID!, $country: CountryCode!) {
  productVariant(id: $id) { contextualPricing(context: {country: $country}) { price { amount currencyCode } } }
}"""


@pytest.fixture(scope="module")
def stage(postgres: PostgresServer, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Stage]:
    """Two processes."""
    folder = tmp_path_factory.mktemp("ghosts")
    with postgres.lent(postgres.new_database()) as address:
        ground = Ground.laid_out([HANDLE], folder, address, write_shop_file(folder))
        with staged(ground, servers=2, platform_shop=platform_shop()) as stage:
            yield stage
            assert stage.end() == []


@pytest.fixture
def product(stage: Stage) -> Product:
    """That of the bundle, on the platform; nothing was asked of it yet."""
    stage.platform.forget()
    return stage.platform.standin.shop.products[PAIR_PRODUCT]


def configure(stage: Stage, body: object, process: int = 0) -> Answer:
    key = stage.ground.shops[HANDLE].key
    answer = stage.servers[process].post(f"{BASE}/bundles/{PAIR}/configure", key, body)
    assert answer.status == 200, answer.body
    return answer


def test_equal_selections_share_one(stage: Stage, product: Product) -> None:
    first, second, third = (configure(stage, paired(1, 2), process).json for process in (0, 0, 1))
    assert first["variant_id"] == second["variant_id"] == third["variant_id"]
    assert len({each["configured_bundle_id"] for each in (first, second, third)}) == 3
    assert stage.platform.asked["CreateVariants"] == 1
    ghost = product.variant(int(first["variant_id"]))
    assert ghost is not None
    assert str(ghost.price) == first["pricing"]["discountedPrice"]


def test_at_once_too(stage: Stage, product: Product) -> None:
    """Whoever comes second to the platform finds what the first one made."""
    before = len(product.variants)
    calls = [Call(f"/bundles/{PAIR}/configure", paired(3, 4))] * 20
    heard = call_at_once(stage.servers, stage.ground.shops[HANDLE].key, calls)
    assert {each.status for each in heard} == {200}
    assert len({orjson.loads(each.body)["variant_id"] for each in heard}) == 1
    assert len(product.variants) == before + 1


def test_the_products_own_variant_survives(stage: Stage, product: Product) -> None:
    configure(stage, paired(5, 6))
    assert product.variants[0].option_values == [DEFAULT_VALUE]
    assert len(product.variants) > 1


@pytest.mark.parametrize("market", MARKETS, ids=lambda market: str(market.name))
def test_the_market_charges_the_discounted_price(stage: Stage, product: Product, market: Market) -> None:
    """Within half a minor unit of its currency."""
    (country,) = market.countries
    random = Random(market.id)
    selections = [random.sample(range(1, COUNT + 1), random.randint(1, 12)) for _ in range(8)]
    for numbers in selections:
        answer = configure(stage, paired(*numbers, country=country)).json
        charged, currency = charged_for(stage, int(answer["variant_id"]), country)
        assert currency == market.currency
        discounted = Decimal(answer["pricing"]["discountedPrice"])
        assert abs(charged - discounted * market.rate) <= half_unit(currency), numbers


def charged_for(stage: Stage, variant_id: int, country: str) -> tuple[Decimal, str]:
    """What the platform asks of a buyer there, and in which currency."""

    async def ask() -> tuple[Decimal, str]:
        async with aiohttp.ClientSession() as session:
            call = Caller(session, stage.platform.standin, token=stage.ground.shops[HANDLE].token)
            reply = await call(PRICE_IN_COUNTRY, id=gid("ProductVariant", variant_id), country=country)
        price = reply.data["productVariant"]["contextualPricing"]["price"]
        return Decimal(price["amount"]), price["currencyCode"]

    return asyncio.run(ask())

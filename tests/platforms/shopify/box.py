"""A shop with one product on the stand-in platform. Tests create ghost variants of the product."""

from decimal import Decimal

import pytest

from tests.standin.data import generated
from tests.standin.data.shop import Product, Shop

BOX = 900
PRICE = Decimal("12.30")


@pytest.fixture
def box() -> Product:
    return generated.product(BOX)


@pytest.fixture
def standin_shop(box: Product) -> Shop:
    shop = Shop()
    shop.add(box)
    return shop

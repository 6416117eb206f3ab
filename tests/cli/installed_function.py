"""Helpers that install the checkout function in a shop, as an operator does."""

import json
from pathlib import Path
from tempfile import TemporaryDirectory

from bundlesvc.platforms.shopify.app.function.package import write_extension
from bundlesvc.token_cipher import DISCOUNT, derived_keys
from tests.conftest import SECRET_KEY
from tests.standin.app.deployment import deploy
from tests.standin.data.functions import AutomaticDiscount, CartTransform, Metafield, Metafields
from tests.standin.data.shop import Shop

PLACE = ("app--1--bundles", "config")
"""The namespace and key of the configuration, as stored by the platform."""


def deploy_function(shop: Shop) -> None:
    """Export the checkout function that the service contains, and deploy it to the shop."""
    with TemporaryDirectory() as folder:
        write_extension(Path(folder))
        deploy(shop, Path(folder))


def install_function(shop: Shop, secret: str = SECRET_KEY, handle: str = "live") -> None:
    """Deploy the checkout function, and activate it with the key derived from this secret key."""
    deploy_function(shop)
    merge, discount = shop.functions.deployed
    config = configured(derived_keys([secret], DISCOUNT), handle)
    shop.functions.cart_transforms.append(CartTransform(1, merge.id, metafields={**config}))
    shop.functions.discounts.append(
        AutomaticDiscount(2, discount.id, "Bundle discount", "2026-01-01T00:00:00Z", metafields={**config})
    )


def configured(keys: list[str], shop: str = "live") -> Metafields:
    return {PLACE: Metafield("json", json.dumps({"shop": shop, "keys": keys}))}

"""Pages learn which images from a live platform are available at any width."""

from tests.api.conftest import Api
from tests.api.embed.conftest import EMBED


async def test_settings_name_the_images_that_the_platform_resizes(apis: list[Api]) -> None:
    widths = {"origin": "https://cdn.shopify.com", "parameter": "width"}
    assert (await apis[0].get(f"{EMBED}/settings")).held().json["imageWidths"] == widths
    assert (await apis[0].get(f"{EMBED}/bundle?id=42")).held().json["settings"]["imageWidths"] == widths

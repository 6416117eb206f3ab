"""Attack: one request for each combination of country and bundle in a shop with long lists of products, so that the service
renders, compresses and caches as much as possible. The cache metric matches the memory that the process really uses."""

from collections.abc import Iterator
from itertools import islice, product
from pathlib import Path
from typing import Any

import orjson
import pytest

from bundlesvc.domain.identifiers import COUNTRY_CODES
from tests.attacks.stranger.test_memory_of_serialized_responses import counted
from tests.process.serving import BASE, Server, prepare, serving

pytestmark = pytest.mark.process

BUNDLES, PRODUCTS, VARIANTS = 8, 240, 4
"""The bundles have lists of different lengths, so that the memory freed by one response fits no other exactly."""

WARM, MANY = 40, 260
"""The number of requests before the first measurement of memory, and the number between the two measurements."""


def _product(number: int) -> dict[str, Any]:
    variants = [
        {"id": str(10 * number + each), "title": f"Size {each}", "price": f"{number % 90}.{each}0"}
        for each in range(VARIANTS)
    ]
    text = " ".join(str(number * each**3) for each in range(30))
    return {"id": str(number), "title": f"Tea {number}", "descriptionHtml": f"<p>{text}</p>", "variants": variants}


def _bundle(number: int) -> dict[str, Any]:
    length = PRODUCTS * number // BUNDLES
    items = [{"bundleItemId": each, "platformProductId": str(1000 + each)} for each in range(1, length)]
    section = {"id": 1, "name": "Teas", "order": 0, "products": items}
    own = {"platformProductId": "1000", "parentVariantId": "10000"}
    return {"id": number, "name": f"Box {number}", "type": "native", "sections": [section], **own}


@pytest.fixture
def shop(tmp_path: Path) -> Path:
    """A shop with long lists of products, written as JSON, which is valid YAML."""
    file = tmp_path / "long.yaml"
    content = {
        "shop": {"handle": "demo", "currency": "EUR", "headlessEnabled": True},
        "products": [_product(1000 + number) for number in range(PRODUCTS)],
        "bundles": [_bundle(number) for number in range(1, BUNDLES + 1)],
    }
    file.write_bytes(orjson.dumps(content))
    return file


def read(server: Server, key: str, paths: Iterator[str], count: int) -> None:
    for path in islice(paths, count):
        assert server.get(path, key, {"Accept-Encoding": "br"}).status == 200


def test_metric_is_within_a_fifth_of_what_the_process_holds(tmp_path: Path, shop: Path) -> None:
    key = prepare(tmp_path, shop)
    paths = (
        f"{BASE}/bundles/{bundle}/products?countryCode={country}"
        for country, bundle in product(sorted(COUNTRY_CODES), range(1, BUNDLES + 1))
    )
    with serving(tmp_path, settings={"BUNDLESVC_LOG_LEVEL": "INFO"}) as server:
        read(server, key, paths, WARM)
        memory, before = server.memory_megabytes(), counted(server)
        read(server, key, paths, MANY)
        held, said = server.memory_megabytes() - memory, counted(server) - before
    print({"held": round(held, 1), "counted": round(said, 1)})  # noqa: T201 - for information
    assert said > 25
    assert abs(held - said) < held / 5

"""A scripted assistant solves a hundred shopping tasks, each in up to three calls and without a refusal, and the checkout charges
the price that the assistant was shown."""

from decimal import Decimal
from itertools import groupby
from typing import Any

import pytest

from bundlesvc.domain.product import Product
from bundlesvc.shop_file.loading import read_shop_file
from tests.api.agents.assistant import Assistant, Json
from tests.assistants.agent import Bought, shop
from tests.assistants.tasks import Task, read_tasks
from tests.demo.service import DEMO_SHOP, Demo, cart_of

MOST_CALLS = 3

TASKS = read_tasks()
SHOP = read_shop_file(DEMO_SHOP)
PRODUCTS = {product.id: product for product in SHOP.products}
NAMES = {bundle.name: bundle.id for bundle in SHOP.bundles}


def bundle_of(task: Task) -> int:
    return task.bundle if isinstance(task.bundle, int) else NAMES[task.bundle]


BATCHES = {number: list(batch) for number, batch in groupby(TASKS, bundle_of)}
"""The tasks by bundle. They are split because a key allows only a hundred requests a minute."""


def test_there_are_a_hundred_tasks() -> None:
    assert len({task.words for task in TASKS}) == len(TASKS) == 100
    assert sum(map(len, BATCHES.values())) == 100


@pytest.mark.parametrize("number", BATCHES)
async def test_tasks_of_a_bundle_are_solved(demo: Demo, number: int) -> None:
    assistant = Assistant(demo)
    found = {task.words: await problems(demo, assistant, task) for task in BATCHES[number]}
    assert {words: each for words, each in found.items() if each} == {}


async def problems(demo: Demo, assistant: Assistant, task: Task) -> list[str]:
    """Have the assistant solve a task, and return the faults in its solution. A refused call fails the test immediately."""
    bought = await shop(task, assistant.call)
    charged = await charge(demo, task, bought.configured)
    price = shown_price(bought.configured)
    return [
        *([f"{bought.calls} calls"] if bought.calls > MOST_CALLS else []),
        *([f"charged {charged}, not {price}"] if charged != price else []),
        *([f"{charged} is above the budget"] if task.budget is not None and charged > task.budget else []),
        *unmet_wishes(task, bought),
    ]


def shown_price(configured: Json) -> Decimal:
    """The price that configure promised, in the currency of the shopper's country."""
    pricing = configured.get("presentment") or configured["pricing"]
    return Decimal(pricing["discountedPrice"])


async def charge(demo: Demo, task: Task, configured: Json) -> Decimal:
    """What the checkout charges for the bundle, without fees."""
    receipt = await demo.receipt(cart_of(configured, task.country))
    assert receipt["refusals"] == []
    (line,) = [line for line in receipt["lines"] if line["kind"] in ("bundle", "ghost")]
    return Decimal(line["marketTotal" if "presentment" in configured else "total"])


def unmet_wishes(task: Task, bought: Bought) -> list[str]:
    """The wishes that the selection does not meet, according to the shop file."""
    units = [unit for item in bought.products for unit in [words_of(item, task)] * item["quantity"]]
    required = {str(product.product_id) for product in _bundle(task).required_products}
    chosen = [unit for unit in units if required.isdisjoint(unit)]
    counts = {word: sum(has(unit, word) for unit in units) for word in task.including}
    return [
        *([f"{len(units)} units"] if task.units not in (None, len(units)) else []),
        *([f"{counts[word]} {word}" for word, least in task.including.items() if counts[word] < least]),
        *([f"with {word}" for word in task.without if any(has(unit, word) for unit in chosen)]),
        *(["others, too"] if task.only and not all(any(has(u, word) for word in task.only) for u in chosen) else []),
        *(["too few kinds"] if len({item["product"] for item in bought.products}) < task.different else []),
    ]


def _bundle(task: Task) -> Any:
    return next(bundle for bundle in SHOP.bundles if bundle.id == bundle_of(task))


def words_of(item: Json, task: Task) -> list[str]:
    """All strings by which a wish may refer to a unit."""
    product: Product = PRODUCTS[int(item["product"])]
    variant = product.variants_by_id[int(item["variant"])]
    translated = product.translations.get(task.language or "")
    titles = [product.title, *([translated.title] if translated else [])]
    return [item["product"], item["variant"], *titles, variant.title, *product.tags, *variant.option_values]


def has(unit: list[str], word: str) -> bool:
    return word in unit or any(word.lower() in text.lower() for text in unit[2:])

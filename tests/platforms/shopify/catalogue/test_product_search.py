"""Product search on the stand-in platform."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bundlesvc.domain.errors import PlatformFailed
from bundlesvc.domain.product_search import CursorUnknown
from bundlesvc.platforms.shopify.catalogue.product_search import ShopifyProductSearch, search_terms
from bundlesvc.platforms.shopify.platform import ShopifyPlatform
from tests.platforms.shopify.catalogue.later_faults import LATER_FAULTS
from tests.platforms.shopify.fakes import TENANT
from tests.running.properties import examples
from tests.standin.data import generated
from tests.standin.data.shop import Product, Shop
from tests.standin.faults import Fault, graphql_errors
from tests.standin.graph.product_search import found_by
from tests.standin.server import Standin

TITLES = {1: "Mug, Green", 2: "Green Tea", 3: "Black Tea", 4: "Tea: loose (box)", 5: "Old Tea", 901: "Dean's Mug"}


def titled(number: int, title: str) -> Product:
    product = generated.product(number)
    product.title = title
    return product


@pytest.fixture
def standin_shop() -> Shop:
    shop = Shop()
    shop.add(*(titled(number, title) for number, title in TITLES.items()))
    shop.products[5].status = "ARCHIVED"
    shop.products[3].status = "DRAFT"
    return shop


@pytest.fixture
def search(platform: ShopifyPlatform) -> ShopifyProductSearch:
    return ShopifyProductSearch(platform.sessions)


@pytest.mark.parametrize(
    ("text", "ids"),
    [
        pytest.param("", [3, 901, 2, 1, 4], id="all but archived ones, by title"),
        pytest.param("tea", [3, 2, 4], id="a word"),
        pytest.param("GRE", [2, 1], id="the beginning of a word"),
        pytest.param("tea gre", [2], id="each of several words"),
        pytest.param("tea: (bo", [4], id="special characters"),
        pytest.param("901", [901], id="an id"),
        pytest.param("P2-1", [2], id="an SKU"),
        pytest.param('"Green" -tea', [2], id="what would be a phrase and a negation"),
        pytest.param("tea OR mug", [], id="what would be a connective"),
        pytest.param("*", [3, 901, 2, 1, 4], id="what would be a pattern alone"),
        pytest.param("status:archived", [], id="what would be a field"),
        pytest.param("nothing", [], id="nothing"),
    ],
)
async def test_products_are_found_by_their_words(search: ShopifyProductSearch, text: str, ids: list[int]) -> None:
    found = await search.find(TENANT, text, 10, None)
    assert (list(found.ids), found.next) == (ids, None)


async def test_result_comes_in_parts(search: ShopifyProductSearch, standin: Standin) -> None:
    first = await search.find(TENANT, "", 3, None)
    rest = await search.find(TENANT, "", 3, first.next)
    assert ([*first.ids, *rest.ids], rest.next) == ([3, 901, 2, 1, 4], None)
    assert standin.calls == {"ProductSearch": 2}


async def test_part_cannot_begin_where_no_other_ended(search: ShopifyProductSearch) -> None:
    with pytest.raises(CursorUnknown):
        await search.find(TENANT, "", 3, "anywhere")


async def test_first_part_that_is_refused_is_a_failure_of_the_platform(
    search: ShopifyProductSearch, standin: Standin
) -> None:
    standin.fail_next(graphql_errors({"message": "no"}), times=1)
    with pytest.raises(PlatformFailed):
        await search.find(TENANT, "", 3, None)


@LATER_FAULTS
async def test_later_part_that_fails_is_a_failure_of_the_platform(
    search: ShopifyProductSearch, standin: Standin, fault: Fault
) -> None:
    first = await search.find(TENANT, "", 3, None)
    standin.fail_next(fault, times=None)
    with pytest.raises(PlatformFailed):
        await search.find(TENANT, "", 3, first.next)


@examples(300)
@given(st.text(max_size=20))
def test_every_text_is_a_search_for_its_words(text: str) -> None:
    """Any string becomes a search for its words: a product titled with these words is found, and a product without them is
    not."""
    terms = search_terms(text)
    is_found = found_by(" ".join(terms))
    plain = " ".join(word.lstrip("-") for word in text.translate(dict.fromkeys(map(ord, "\"'*"))).split())
    assert is_found(titled(8, plain))
    wordless = titled(10**15, "")
    wordless.variants.clear()
    assert is_found(wordless) == (not terms)

"""The stand-in's Storefront API: carts, and the pages of the shop and the checkout."""

from collections.abc import AsyncIterator, Awaitable, Callable
from decimal import Decimal
from typing import Any

import pytest
from aiohttp import ClientSession

from tests.standin.data.functions import CartTransform, Function, Target
from tests.standin.data.generated import products
from tests.standin.data.shop import Market, SellingPlan, SellingPlanGroup, Shop
from tests.standin.server import Standin
from tests.standin.storefront.api import TOKEN, TOKEN_HEADER

CART = """id checkoutUrl totalQuantity attributes { key value } buyerIdentity { countryCode }
  cost { totalAmount { amount currencyCode } subtotalAmount { amount } }
  lines(first: 10) { nodes { __typename id quantity attributes { key value } cost { totalAmount { amount } }
    merchandise { ... on ProductVariant { id product { title } } }
    sellingPlanAllocation { sellingPlan { name } } } }"""
RESULT = f"cart {{ {CART} }} userErrors {{ field code message }} warnings {{ code }}"
CREATE = f"mutation Create($input: CartInput) {{ cartCreate(input: $input) {{ {RESULT} }} }}"
ADD = f"mutation Add($id: ID!, $lines: [CartLineInput!]!) {{ cartLinesAdd(cartId: $id, lines: $lines) {{ {RESULT} }} }}"
UPDATE = f"""mutation Update($id: ID!, $lines: [CartLineUpdateInput!]!) {{
  cartLinesUpdate(cartId: $id, lines: $lines) {{ {RESULT} }} }}"""
REMOVE = f"mutation Remove($id: ID!, $lines: [ID!]!) {{ cartLinesRemove(cartId: $id, lineIds: $lines) {{ {RESULT} }} }}"
ATTRIBUTES = f"""mutation Attributes($id: ID!, $attributes: [AttributeInput!]!) {{
  cartAttributesUpdate(cartId: $id, attributes: $attributes) {{ {RESULT} }} }}"""
BUYER = f"""mutation Buyer($id: ID!, $country: CountryCode) {{
  cartBuyerIdentityUpdate(cartId: $id, buyerIdentity: {{countryCode: $country}}) {{ {RESULT} }} }}"""
READ = f"query Read($id: ID!) {{ cart(id: $id) {{ {CART} }} }}"
PLAN = 501

Shopping = Callable[..., Awaitable[Any]]


@pytest.fixture
def standin_shop() -> Shop:
    """A shop with three products that cost 11.00 EUR each. Product 2 also has a selling plan. There is one market, in which
    product 3 is not sold."""
    shop = Shop(name="Corner <shop>")
    shop.add(*products(3))
    plan = SellingPlan(PLAN, "Every month", "MONTH", 1, Decimal(10))
    shop.selling_plan_groups.append(SellingPlanGroup(5, "Often", [plan], {2}))
    shop.markets.append(Market(101, "Swiss", ("CH",), "CHF", rate=Decimal("0.95")))
    shop.products[3].unpublished_from.add(101)
    return shop


@pytest.fixture
async def session() -> AsyncIterator[ClientSession]:
    async with ClientSession() as session:
        yield session


@pytest.fixture
def shopping(session: ClientSession, standin: Standin) -> Shopping:
    """A function that sends a document and returns the data of its only field."""

    async def send(document: str, **variables: Any) -> Any:
        body = {"query": document, "variables": variables}
        async with session.post(f"{standin.url}/api/2026-07/graphql.json", json=body) as response:
            answer = await response.json()
        assert "errors" not in answer, answer
        (field,) = answer["data"].values()
        return field

    return send


def line(variant: int, quantity: int = 1, plan: int | None = None, **attributes: str) -> dict[str, Any]:
    return {
        "merchandiseId": f"gid://shopify/ProductVariant/{variant}",
        "quantity": quantity,
        "attributes": [{"key": key, "value": value} for key, value in attributes.items()],
        **({"sellingPlanId": f"gid://shopify/SellingPlan/{plan}"} if plan else {}),
    }


def lines(cart: Any) -> list[tuple[str, int, str]]:
    return [
        (node["merchandise"]["product"]["title"], node["quantity"], node["cost"]["totalAmount"]["amount"])
        for node in cart["lines"]["nodes"]
    ]


async def test_cart_is_created_and_read(shopping: Shopping, standin: Standin) -> None:
    attributes = [{"key": "_bundles", "value": "{}"}]
    made = await shopping(CREATE, input={"lines": [line(10001, 2, gift="yes")], "attributes": attributes})
    assert (made["userErrors"], made["warnings"]) == ([], [])
    cart = made["cart"]
    assert lines(cart) == [("Product 1", 2, "22.0")]
    assert cart["attributes"] == attributes
    assert cart["lines"]["nodes"][0]["attributes"] == [{"key": "gift", "value": "yes"}]
    assert cart["cost"]["totalAmount"] == {"amount": "22.0", "currencyCode": "EUR"}
    assert cart["checkoutUrl"].startswith(f"{standin.url}/cart/c/")
    assert await shopping(READ, id=cart["id"]) == cart


async def test_equal_lines_are_one(shopping: Shopping) -> None:
    cart = (await shopping(CREATE, input={"lines": [line(10001)]}))["cart"]
    added = [line(10001, 2), line(10001, gift="yes"), line(20001, plan=PLAN), line(20001)]
    cart = (await shopping(ADD, id=cart["id"], lines=added))["cart"]
    expected = [("Product 1", 3, "33.0"), ("Product 1", 1, "11.0"), ("Product 2", 1, "9.9"), ("Product 2", 1, "11.0")]
    assert lines(cart) == expected
    plans = [node["sellingPlanAllocation"] for node in cart["lines"]["nodes"]]
    assert plans == [None, None, {"sellingPlan": {"name": "Every month"}}, None]


async def test_lines_are_changed_and_removed(shopping: Shopping) -> None:
    cart = (await shopping(CREATE, input={"lines": [line(10001), line(20001)]}))["cart"]
    first, second = (node["id"] for node in cart["lines"]["nodes"])
    cart = (await shopping(UPDATE, id=cart["id"], lines=[{"id": first, "quantity": 3}]))["cart"]
    assert lines(cart) == [("Product 1", 3, "33.0"), ("Product 2", 1, "11.0")]
    cart = (await shopping(REMOVE, id=cart["id"], lines=[first]))["cart"]
    assert lines(cart) == [("Product 2", 1, "11.0")]
    plan = {"id": second, "sellingPlanId": f"gid://shopify/SellingPlan/{PLAN}", "attributes": []}
    cart = (await shopping(UPDATE, id=cart["id"], lines=[plan]))["cart"]
    assert lines(cart) == [("Product 2", 1, "9.9")]
    assert (await shopping(UPDATE, id=cart["id"], lines=[{"id": second, "quantity": 0}]))["cart"]["totalQuantity"] == 0


async def test_attributes_and_country_are_replaced(shopping: Shopping) -> None:
    cart = (await shopping(CREATE, input={"lines": [line(10001)]}))["cart"]
    attributes = [{"key": "_bundles", "value": "{}"}]
    cart = (await shopping(ATTRIBUTES, id=cart["id"], attributes=attributes))["cart"]
    assert cart["attributes"] == attributes
    cart = (await shopping(BUYER, id=cart["id"], country="CH"))["cart"]
    assert cart["buyerIdentity"] == {"countryCode": "CH"}
    assert cart["cost"]["totalAmount"] == {"amount": "10.45", "currencyCode": "CHF"}


@pytest.mark.parametrize(
    ("given", "code"),
    [
        (line(404), "INVALID"),
        (line(10001, 0), "MINIMUM_NOT_MET"),
        (line(10001, plan=PLAN), "SELLING_PLAN_NOT_APPLICABLE"),
        (line(30001), "MERCHANDISE_NOT_APPLICABLE"),
    ],
)
async def test_invalid_line_is_refused_and_none_is_added(shopping: Shopping, given: Any, code: str) -> None:
    cart = (await shopping(CREATE, input={"buyerIdentity": {"countryCode": "CH"}}))["cart"]
    refused = await shopping(ADD, id=cart["id"], lines=[line(10001), given])
    (error,) = refused["userErrors"]
    assert (refused["cart"], error["code"], error["field"][:2]) == (None, code, ["lines", "1"])
    assert (await shopping(READ, id=cart["id"]))["totalQuantity"] == 0


async def test_carts_need_their_key(shopping: Shopping) -> None:
    cart = (await shopping(CREATE))["cart"]
    without = cart["id"].partition("?")[0]
    assert await shopping(READ, id=without) is None
    for document, variables in (
        (ADD, {"lines": [line(10001)]}),
        (UPDATE, {"lines": []}),
        (ATTRIBUTES, {"attributes": []}),
        (BUYER, {"country": "CH"}),
    ):
        assert (await shopping(document, id=without, **variables))["userErrors"][0]["code"] == "INVALID"


async def test_unknown_line_is_refused(shopping: Shopping) -> None:
    cart = (await shopping(CREATE))["cart"]
    refused = await shopping(UPDATE, id=cart["id"], lines=[{"id": "gid://shopify/CartLine/404", "quantity": 1}])
    assert refused["userErrors"][0]["code"] == "INVALID_MERCHANDISE_LINE"


async def test_a_function_that_must_not_fail_is_reported(shopping: Shopping, standin: Standin) -> None:
    target = Target("cart.transform.run", "run", "query { cart { lines { id } } }")
    standin.shop.functions.deploy(Function("id", "merge", "", "", "2026-07", (target,), b"\0asm\1\0\0\0"))
    standin.shop.functions.cart_transforms.append(CartTransform(1, "id", block_on_failure=True))
    made = await shopping(CREATE, input={"lines": [line(10001)]})
    assert [error["code"] for error in made["userErrors"]] == ["MERCHANDISE_LINE_TRANSFORMERS_RUN_ERROR"]


@pytest.mark.parametrize(
    ("document", "code"),
    [("query { cart(id: 1) { poem } }", "undefinedField"), ("query {", "PARSE_ERROR")],
)
async def test_invalid_document_is_refused(session: ClientSession, standin: Standin, document: str, code: str) -> None:
    async with session.post(f"{standin.url}/api/2026-07/graphql.json", json={"query": document}) as response:
        assert (await response.json())["errors"][0]["extensions"]["code"] == code


async def test_body_that_is_not_a_request_is_refused(session: ClientSession, standin: Standin) -> None:
    async with session.post(f"{standin.url}/api/2026-07/graphql.json", data=b"[]") as response:
        assert response.status == 400


@pytest.mark.parametrize(("token", "is_refused"), [(TOKEN, False), ("other", True)])
async def test_wrong_token_is_refused(session: ClientSession, standin: Standin, token: str, is_refused: bool) -> None:
    url, headers = f"{standin.url}/api/2026-07/graphql.json", {TOKEN_HEADER: token}
    async with session.post(url, json={"query": CREATE}, headers=headers) as response:
        assert ("errors" in await response.json()) == is_refused


async def test_pages_of_any_origin_may_call(session: ClientSession, standin: Standin) -> None:
    async with session.options(f"{standin.url}/api/2026-07/graphql.json") as response:
        assert response.headers["Access-Control-Allow-Origin"] == "*"
        assert "Content-Type" in response.headers["Access-Control-Allow-Headers"]


async def test_checkout_page_shows_the_total(session: ClientSession, shopping: Shopping) -> None:
    made = await shopping(CREATE, input={"lines": [line(10001, 2), line(20001, plan=PLAN)]})
    async with session.get(made["cart"]["checkoutUrl"]) as response:
        page = await response.text()
    assert 'data-amount="31.90"' in page
    assert "Corner &lt;shop&gt;" in page
    assert "Every month" in page


async def test_unknown_checkout_is_404(session: ClientSession, standin: Standin) -> None:
    async with session.get(f"{standin.url}/cart/c/nothing") as response:
        assert response.status == 404


async def test_shop_page_and_its_settings_are_served(session: ClientSession, standin: Standin) -> None:
    standin.storefront.settings = lambda: {"service": "http://127.0.0.1:8080", "key": "k"}
    async with session.get(f"{standin.url}/settings.json") as response:
        assert await response.json() == {"service": "http://127.0.0.1:8080", "key": "k"}
    for path in ("/", "/page/shop.js", "/page/shop.css"):
        async with session.get(f"{standin.url}{path}") as response:
            assert response.status == 200

"""Completions (docs/contract.md#completion) in the shop of the API tests."""

import asyncio
from collections.abc import Iterator
from dataclasses import replace
from random import Random
from threading import Event
from typing import Any

import pytest

from bundlesvc.services.completion import complete_selection, search_thread
from bundlesvc.settings.environment import Settings
from tests.api.completion.six import SIX
from tests.api.conftest import Api, MakeApi
from tests.api.selection import Json, configure_body, details, item, items, price_body, pricing

TIMEOUT = 60
EMBED = "/embed/api/v1"
SUBSCRIPTION = {"id": 7, "frequency": 2, "unit": "week"}
NATIVE = (10, 20, 23, 40, 41, 50, 60, 80)
GHOST = {30: "multiple-products", 31: "single-product", 61: "multiple-products"}


def counted(changes: list[Json]) -> list[str]:
    """Return each change of a completion as `variant@section*quantity`, the short notation for items."""
    return [f"{each['variant']}@{each['section']}*{each['quantity']}" for each in changes]


async def completed(api: Api, bundle: int, *chosen: str, **wishes: object) -> Any:
    return (await api.post(f"/bundles/{bundle}/complete", price_body(*chosen, **wishes))).held().json


async def test_nearest_adds_what_is_missing_at_the_lowest_price(six: Api) -> None:
    found = await completed(six, 1, "1001@1", "1001@1", "2001@2")
    first = found["solutions"][0]
    assert first["products"] == items("1001@1*2", "2001@2", "2001@2*3")
    assert first["pricing"] == pricing("32.00", "28.80", "percentage 10.00")
    assert counted(first["added"]) == ["2001@2*3"]
    assert first["removed"] == []
    assert [(each["code"], each["rule"]) for each in first["reasons"]] == [("limit_not_met", "limitRules.0")]
    assert (found["proven"], found["bound"], found["impossible"]) == (True, None, None)
    assert [each["pricing"]["discountedPrice"] for each in found["solutions"]] == ["28.80", "32.40", "36.00"]


async def test_too_many_units_are_removed(six: Api) -> None:
    first = (await completed(six, 1, "1001@1*3", "2001@2*5"))["solutions"][0]
    assert counted(first["removed"]) == ["1001@1*2"]
    assert first["products"] == items("1001@1", "2001@2*5")


async def test_empty_selection_is_completed(six: Api) -> None:
    first = (await completed(six, 1))["solutions"][0]
    assert counted(first["added"]) == ["1001@1*1", "2001@2*5"]
    assert [each["rule"] for each in first["reasons"]] == ["limitRules.0", "limitRules.1"]


async def test_selection_that_can_be_configured_stays(six: Api) -> None:
    first = (await completed(six, 1, "1001@1*3", "2001@2*3"))["solutions"][0]
    assert (first["added"], first["removed"], first["reasons"]) == ([], [], [])


async def test_cheapest_may_change_more(six: Api) -> None:
    first = (await completed(six, 1, "1001@1*3", "2001@2*3", aim="cheapest"))["solutions"][0]
    assert first["products"] == items("1001@1", "2001@2*5")


async def test_wishes_are_read(six: Api) -> None:
    preferred = (await completed(six, 1, "1001@1", prefer=["gid://platform/Product/100"]))["solutions"][0]
    assert counted(preferred["added"]) == ["1001@1*3", "2001@2*2"]
    avoided = (await completed(six, 1, "1001@1", avoid=["200"], budget="60.00"))["impossible"]
    assert {each["code"] for each in avoided} == {"avoided", "limit_not_met"}


async def test_budget_that_cannot_be_met_is_a_reason(six: Api) -> None:
    found = await completed(six, 1, "1001@1", budget="20")
    assert (found["solutions"], found["proven"]) == ([], True)
    assert {each["code"] for each in found["impossible"]} == {"over_budget", "limit_not_met"}


async def test_stock_is_a_reason(six: Api) -> None:
    found = await completed(six, 2)
    assert [(each["code"], each["message"], each["rule"]) for each in found["impossible"]] == [
        ("limit_not_met", "Choose exactly 6 items for the bundle.", "limitRules.0"),
        ("sold_out", "Only 4 of Tea are left.", ""),
    ]


async def test_market_prices_are_those_of_price(six: Api) -> None:
    first = (await completed(six, 1, "1001@1", countryCode="ch"))["solutions"][0]
    price = await six.post("/bundles/1/price", {"products": first["products"], "countryCode": "CH"})
    assert first["pricing"] == price.held().json
    assert first["pricing"]["presentment"]["currency"] == "CHF"


async def test_products_that_ask_for_answers_are_not_added(shared_api: Api) -> None:
    found = await completed(shared_api, 80)
    assert "700" not in {each["product"] for solution in found["solutions"] for each in solution["added"]}


async def test_chosen_units_without_their_answers_stay(shared_api: Api) -> None:
    assert (await completed(shared_api, 80, "7001@3"))["solutions"][0]["products"] == items("7001@3")


async def test_answers_stay_with_their_units(shared_api: Api) -> None:
    named = {**item("1001@1"), "personalisation": {"engraving": "Mira"}}
    body = {"products": [named, item("6001@0")]}
    for solution in (await shared_api.post("/bundles/10/complete", body)).held().json["solutions"]:
        assert named in solution["products"] or named | {"quantity": 1} in solution["removed"]


def cases() -> list[Any]:
    """Return random selections for each bundle, with an aim and, for most selections, a country."""
    random, found = Random(7), []
    for bundle in (*NATIVE, *GHOST):
        for country in (None, "US", "JP"):
            chosen = random.sample(["1001@1", "1002@1", "2001@2", "7001@3", "2002@3", "6001@0"], random.randint(0, 3))
            found.append((bundle, country, chosen, random.choice(["nearest", "cheapest"])))
    return found


@pytest.mark.parametrize(("bundle", "country", "chosen", "aim"), cases())
async def test_configure_accepts_each_solution_at_its_price(
    shared_api: Api, bundle: int, country: str | None, chosen: list[str], aim: str
) -> None:
    offered = [each for each in chosen if not (each.endswith("@0") and bundle not in (10, 40))]
    subscription = {"subscription": SUBSCRIPTION} if bundle == 50 else {}
    found = await completed(shared_api, bundle, *offered, countryCode=country, aim=aim, **subscription)
    assert found["solutions"] or found["impossible"] or not found["proven"]
    for solution in found["solutions"]:
        price = solution["pricing"]
        body = {
            **configure_body(
                type=GHOST.get(bundle, "native"), countryCode=country, expectedPrice=price["discountedPrice"]
            ),
            "products": solution["products"],
        }
        if "presentment" in price:
            body["expectedPresentment"] = price["presentment"]["discountedPrice"]
        if subscription:
            body["subscription"] = {**SUBSCRIPTION, "email": "mira@mail.example"}
        configured = (await shared_api.post(f"/bundles/{bundle}/configure", body)).held().json
        assert configured["pricing"] == {name: value for name, value in price.items() if name != "presentment"}


async def test_embed_api_responds_alike(six: Api) -> None:
    body = price_body("1001@1")
    embed = (await six.post(f"{EMBED}/bundle/1/complete", body)).held().json
    assert embed == (await six.post("/bundles/1/complete", body)).json


@pytest.mark.parametrize(
    ("body", "code", "paths"),
    [
        (b"{", "invalid_json", None),
        ({}, "invalid_request", ["products"]),
        (
            {"products": [{}], "aim": "best", "prefer": "1", "avoid": ["x"], "budget": "-1", "countryCode": "x"},
            "invalid_request",
            [
                "aim",
                "avoid.0",
                "budget",
                "countryCode",
                "prefer",
                "products.0.product",
                "products.0.section",
                "products.0.variant",
            ],
        ),
        (price_body("1001@2", "9991@1"), "selection_invalid", ["products.0.section", "products.1.product"]),
        (price_body("1001@1*201"), "selection_invalid", ["products"]),
        (price_body("1001@1", subscription=SUBSCRIPTION), "subscription_invalid", ["subscription"]),
        (
            {"products": [{**item("1001@1"), "personalisation": {"name": "Mira"}}]},
            "personalisation_invalid",
            ["products.0.personalisation.name"],
        ),
    ],
)
async def test_every_fault_is_named(six: Api, body: object, code: str, paths: list[str] | None) -> None:
    response = (await six.post("/bundles/1/complete", body)).held(400)
    assert response.code == code
    assert paths is None or sorted({each["path"] for each in details(response)}) == sorted(paths)


async def test_bundle_that_is_sold_by_subscription_needs_one(shared_api: Api) -> None:
    response = (await shared_api.post("/bundles/50/complete", price_body("1001@1"))).held(400)
    assert details(response) == [{"path": "subscription", "code": "required"}]


async def test_unknown_bundle_is_not_found(shared_api: Api) -> None:
    (await shared_api.post("/bundles/999/complete", price_body())).held(404)
    (await shared_api.post("/bundles/70/complete", price_body())).held(404)


async def test_bundle_without_a_product_is_impossible(shared_api: Api) -> None:
    found = await completed(shared_api, 71)
    assert [each["code"] for each in found["impossible"]] == ["blocked"]


async def test_search_that_reaches_its_limit_is_not_proven(make_api: MakeApi, settings: Settings) -> None:
    api = await make_api(SIX, settings=replace(settings, completion_work=0))
    found = await completed(api, 1)
    assert (found["proven"], found["impossible"]) == (False, None)
    assert found["bound"]["changes"] >= 0


async def test_too_many_searches_are_refused(six: Api, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(search_thread, "MAX_WAITING", 0)
    response = (await six.post("/bundles/1/complete", price_body())).held(503)
    assert response.code == "overloaded"


async def test_others_are_answered_while_a_search_runs(six: Api, monkeypatch: pytest.MonkeyPatch) -> None:
    others_are_answered = Event()

    def run(slices: Iterator[None]) -> None:
        assert others_are_answered.wait(TIMEOUT)
        search_thread.run_slowly(slices)

    monkeypatch.setattr(complete_selection, "run_slowly", run)
    async with asyncio.TaskGroup() as group:
        searching = group.create_task(completed(six, 1))
        for _ in range(3):
            (await six.get("/bundles/1")).held()
            (await six.post("/bundles/1/price", price_body("1001@1"))).held()
        others_are_answered.set()
    assert searching.result()["solutions"]


async def test_outcomes_are_counted(six: Api) -> None:
    await completed(six, 1)
    await completed(six, 2)
    counts = await six.metrics()
    assert counts['bundlesvc_completions_total{outcome="proven"}'] == 1
    assert counts['bundlesvc_completions_total{outcome="impossible"}'] == 1

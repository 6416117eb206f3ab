"""complete_selection returns what POST /bundles/{id}/complete returns, in the format that the other tools accept."""

from collections.abc import Mapping

import pytest

from tests.api.agents.assistant import Assistant, Json
from tests.api.agents.test_tools import counted, purchase, selection
from tests.api.selection import items

REQUESTS: list[tuple[int, tuple[str, ...], Mapping[str, object]]] = [
    (10, (), {}),
    (10, ("1001@1",), {}),
    (41, ("1002@1*5",), {}),
    (41, ("1002@1*4", "2001@2"), {"aim": "cheapest"}),
    (41, (), {"countryCode": "US", "prefer": ["100"]}),
    (41, (), {"avoid": ["700"], "budget": "200.00"}),
    (20, ("1001@1*6",), {}),
    (20, (), {"budget": "0.01"}),
]


def in_units(solution: Json) -> list[Json]:
    """The products of a solution in the API's format: one entry per unit."""
    return [
        {name: value for name, value in item.items() if name != "quantity"}
        for item in solution["products"]
        for _ in range(item["quantity"])
    ]


@pytest.mark.parametrize(("bundle_id", "chosen", "more"), REQUESTS)
async def test_completion_is_that_of_the_api(
    assistant: Assistant, bundle_id: int, chosen: tuple[str, ...], more: Mapping[str, object]
) -> None:
    body = {"products": items(*chosen), **more}
    of_api = (await assistant.api.post(f"/bundles/{bundle_id}/complete", body)).held().json
    found = await assistant.call("complete_selection", selection(bundle_id, *chosen, **more))

    assert {**found, "solutions": None} == {**of_api, "solutions": None}
    for solution, same in zip(found["solutions"], of_api["solutions"], strict=True):
        assert {**solution, "products": None} == {**same, "products": None}
        assert sorted(map(str, in_units(solution))) == sorted(map(str, same["products"]))
        assert len(solution["products"]) == len({str(unit) for unit in same["products"]})


@pytest.mark.parametrize("country", [None, "US"])
async def test_every_solution_can_be_configured_at_its_price(buyer: Assistant, country: str | None) -> None:
    place = {} if country is None else {"countryCode": country}
    found = await buyer.call("complete_selection", selection(10, "1002@1", **place))

    assert found["solutions"]
    for solution in found["solutions"]:
        checked = await buyer.call("check_selection", {"bundleId": 10, "products": solution["products"], **place})
        assert (checked["valid"], checked["pricing"]) == (True, solution["pricing"])
        bought = await buyer.call("configure", {**purchase(10, **place), "products": solution["products"]})
        price = {**bought["pricing"], **({"presentment": bought["presentment"]} if "presentment" in bought else {})}
        assert price == solution["pricing"]


async def test_selection_may_be_left_out(assistant: Assistant) -> None:
    without = await assistant.call("complete_selection", {"bundleId": 41})
    assert without == await assistant.call("complete_selection", {"bundleId": 41, "products": []})
    assert without["solutions"]


async def test_impossible_wish_is_explained(assistant: Assistant) -> None:
    found = await assistant.call("complete_selection", selection(41, budget="0.01"))
    assert found["solutions"] == []
    assert found["impossible"]
    for reason in found["impossible"]:
        assert (await assistant.call("explain_refusal", {"code": reason["code"]}))["nextStep"]


@pytest.mark.parametrize(
    ("wrong", "path"),
    [
        ({"aim": "best"}, "aim"),
        ({"budget": 5}, "budget"),
        ({"avoid": "100"}, "avoid"),
        ({"prefer": [100]}, "prefer.0"),
        ({"idempotencyKey": "k"}, "idempotencyKey"),
        ({"products": [{**counted("1001@1")[0], "quantity": 0}]}, "products.0.quantity"),
    ],
)
async def test_wrong_argument_is_named(assistant: Assistant, wrong: Json, path: str) -> None:
    refused = await assistant.refusal("complete_selection", {"bundleId": 41, **wrong})
    assert [detail["path"] for detail in refused["details"]] == [path]


async def test_item_that_the_bundle_does_not_offer_is_refused(assistant: Assistant) -> None:
    refused = await assistant.refusal("complete_selection", selection(20, "9999@1*3"))
    assert (refused["code"], [detail["path"] for detail in refused["details"]]) == (
        "selection_invalid",
        ["products.0.product"],
    )

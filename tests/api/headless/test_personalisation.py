"""Personalisation: answers are checked, stored and put into the cart, with fees (docs/contract.md#personalisation)."""

import orjson
import pytest

from bundlesvc.storage.database.interface import Database
from bundlesvc.storage.database.tables import configured_bundles
from bundlesvc.token_cipher import discount_cipher
from tests.api.conftest import Api, MakeApi
from tests.api.embed.conftest import EMBED
from tests.api.selection import Json, configure_body, item, price_body, pricing
from tests.api.stored import rows
from tests.conftest import SECRET_KEY


@pytest.fixture
def api(shared_api: Api) -> Api:
    return shared_api


@pytest.fixture
def other_api(shared_other_api: Api) -> Api:
    return shared_other_api


def answered(chosen: str, **answers: object) -> Json:
    """An item with answers to its personalisation fields."""
    return {**item(chosen), "personalisation": answers}


def body(*products: Json) -> Json:
    return {"type": "native", "products": list(products)}


async def lines(api: Api, *products: Json) -> tuple[Json, list[Json]]:
    """Configure a bundle, and return the response and its sorted cart lines without `_bundle_data`. Checks that `_bundle_data` is
    the same in all lines."""
    answer: Json = (await api.post("/bundles/80/configure", body(*products))).held().json
    found = answer["cart"]["line_items"]
    marks = {line["properties"].pop("_bundle_data") for line in found}
    assert len(marks) == 1
    assert marks.pop().startswith(f"{answer['configured_bundle_id']}#9001#")
    return answer, sorted(found, key=lambda line: (line["id"], sorted(line["properties"].items())))


async def test_answers_are_properties_of_the_line_under_their_labels(api: Api) -> None:
    _, found = await lines(api, answered("1001@1", thread="Red", picture="https://img.example/me.png"), item("2001@2"))

    assert found == [
        {"id": 1001, "quantity": 1, "properties": {"Thread": "Red", "Picture": "https://img.example/me.png"}},
        {"id": 2001, "quantity": 1, "properties": {}},
    ]


async def test_units_with_different_answers_have_different_lines(api: Api) -> None:
    red, blue = answered("1001@1", thread="Red"), answered("1001@1", thread="Blue")

    answer, found = await lines(api, red, blue, item("1001@1"), red)

    assert found == [
        {"id": 1001, "quantity": 1, "properties": {}},
        {"id": 1001, "quantity": 1, "properties": {"Thread": "Blue"}},
        {"id": 1001, "quantity": 2, "properties": {"Thread": "Red"}},
    ]
    (entry,) = orjson.loads(answer["cart"]["attributes"]["_bundles"]).values()
    assert entry["items"] == [{"variantId": 1001, "count": 4}]


async def test_fee_is_a_separate_line_outside_the_price(api: Api) -> None:
    answer, found = await lines(api, answered("1001@1", engraving="Mira"), item("1001@1"))

    assert found == [
        {"id": 1001, "quantity": 1, "properties": {}},
        {"id": 1001, "quantity": 1, "properties": {"Engraving": "Mira"}},
        {"id": 6002, "quantity": 1, "properties": {"_bundle_fee": "100"}},
    ]
    assert answer["pricing"] == pricing("39.98", "35.98", "percentage 10.00")
    said = discount_cipher([SECRET_KEY]).unseal(answer["discount"])
    assert (said["variants"], said["original"], said["discounted"]) == ({"1001": 2}, "39.98", "35.98")
    assert said["fees"] == {"6002": 1}


async def test_answers_are_stored(make_api: MakeApi, database: Database) -> None:
    api = await make_api()
    await lines(api, answered("1001@1", engraving="Mira"))

    (row,) = await rows(database, configured_bundles)
    assert any("Mira" in value for value in row.values() if isinstance(value, str))


@pytest.mark.parametrize(
    "product",
    [
        pytest.param(answered("1001@1"), id="no answers"),
        pytest.param({**item("1001@1"), "personalisation": None}, id="null"),
        pytest.param(answered("1001@1", engraving="Miras"), id="5 characters"),
        pytest.param(answered("1001@1", engraving="\N{PARTY POPPER}\N{PARTY POPPER}!"), id="5 UTF-16 units"),
        pytest.param(answered("7001@3", note="For you"), id="required"),
    ],
)
async def test_valid_answers(api: Api, product: Json) -> None:
    assert (await api.post("/bundles/80/configure", body(product))).held().status == 200


@pytest.mark.parametrize(
    ("bundle", "product", "path"),
    [
        pytest.param(80, item("7001@3"), "personalisation.note", id="required"),
        pytest.param(80, answered("7001@3"), "personalisation.note", id="required, empty answers"),
        pytest.param(80, answered("1001@1", engraving="Miriam"), "personalisation.engraving", id="6 characters"),
        pytest.param(
            80, answered("1001@1", engraving="\N{PARTY POPPER}" * 3), "personalisation.engraving", id="6 UTF-16 units"
        ),
        pytest.param(80, answered("1001@1", thread="Green"), "personalisation.thread", id="not offered"),
        pytest.param(
            80, answered("1001@1", picture="http://img.example/me.png"), "personalisation.picture", id="not https"
        ),
        pytest.param(80, answered("1001@1", picture="javascript:alert(1)"), "personalisation.picture", id="no address"),
        pytest.param(80, answered("1001@1", colour="Red"), "personalisation.colour", id="unknown key"),
        pytest.param(80, answered("2001@2", thread="Red"), "personalisation", id="a product without fields"),
        pytest.param(20, answered("1001@1", thread="Red"), "personalisation", id="a bundle without fields"),
    ],
)
async def test_invalid_answers_are_refused(api: Api, bundle: int, product: Json, path: str) -> None:
    answer = await api.post(f"/bundles/{bundle}/configure", body(item("2001@2"), product))

    assert answer.held(400).code == "personalisation_invalid"
    assert [found.startswith(f"products.1.{path}") for found in answer.paths] == [True]


async def test_every_invalid_answer_is_named(api: Api) -> None:
    wrong = answered("1001@1", engraving="Miriam", thread="Green")

    answer = await api.post("/bundles/80/configure", body(wrong, item("7001@3")))

    assert answer.held(400).code == "personalisation_invalid"
    assert sorted(answer.paths) == [
        "products.0.personalisation.engraving",
        "products.0.personalisation.thread",
        "products.1.personalisation.note",
    ]


async def test_without_the_feature_answers_are_refused_and_none_is_required(other_api: Api) -> None:
    sent = await other_api.post("/bundles/10/configure", body(answered("1001@1", name="Mira")))
    unsent = await other_api.post("/bundles/10/configure", configure_body("1001@1"))

    assert unsent.held().status == 200
    assert sent.held(400).code == "personalisation_invalid"


async def test_answers_do_not_change_the_price(api: Api) -> None:
    plain = await api.post("/bundles/80/price", price_body("1001@1"))
    answers = await api.post("/bundles/80/price", {"products": [answered("1001@1", engraving="Mira")]})

    assert plain.held().json == answers.held().json == pricing("19.99", "17.99", "percentage 10.00")


async def test_fields_and_groups_are_in_the_language_of_the_request(api: Api) -> None:
    """Personalisation fields and subscription groups are in the request's language, or in the shop's where a translation is
    missing.

    The options stay the same, because answers refer to them."""
    german = (await api.get(f"{EMBED}/bundle?id=10&lang=de-AT")).held().json
    own = (await api.get("/bundles/10")).held().json

    (engraving,), (thread,) = german["personalisation"]["100"], german["personalisation"]["300"]
    assert [engraving[name] for name in ("label", "placeholder", "helpText")] == ["Gravur", "Dein Name", "Five letters"]
    assert [thread[name] for name in ("label", "helpText", "options")] == ["Faden", "Aus Seide", ["Red", "Blue"]]
    assert thread["optionLabels"] == {"Red": "Rot", "Blue": "Blue"}
    assert [plan["name"] for plan in german["sellingPlans"]] == ["Pünktlich", "Pünktlich", "Once a year"]
    (own_thread,) = own["personalisation"]["300"]
    assert (own_thread["label"], own_thread["optionLabels"]) == ("Thread", {"Red": "Red", "Blue": "Blue"})
    same = ("id", "key", "type", "required", "characterLimit", "fee")
    assert [thread[name] for name in same] == [own_thread[name] for name in same]


async def test_answer_is_the_option_and_not_its_label(api: Api) -> None:
    (field,) = (await api.get(f"{EMBED}/bundle?id=80&lang=de")).held().json["personalisation"]["100"][1:2]
    assert field["optionLabels"]["Red"] == "Rot"

    refused = (await api.post("/bundles/80/price", body(answered("1001@1", thread="Rot")))).held(400)
    assert [(detail["path"], detail["code"]) for detail in refused.json["details"]] == [
        ("products.0.personalisation.thread", "not_offered")
    ]

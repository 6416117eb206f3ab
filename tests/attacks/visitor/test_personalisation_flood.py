"""A visitor to a page writes megabytes through a text field: each answer is stored, put into the cart, and sent back.

An answer to a field without `characterLimit` may be up to 500 characters long, and all answers in a request together up to 20,000
bytes.
"""

import pytest

from bundlesvc.storage.database.interface import Database
from bundlesvc.storage.database.tables import configured_bundles
from tests.api.conftest import Api
from tests.api.selection import Json, details, item
from tests.api.stored import rows

PATH = "/bundles/80/configure"


def noted(note: str) -> Json:
    """A unit with an answer to a text field that has no `characterLimit`."""
    return {**item("7001@3"), "personalisation": {"note": note}}


def body(*products: Json) -> Json:
    return {"type": "native", "products": list(products)}


@pytest.mark.parametrize("call", ["configure", "price"])
async def test_one_long_answer_is_refused(api: Api, call: str) -> None:
    answer = (await api.post(f"/bundles/80/{call}", body(noted("x" * 501)))).held(400)

    assert answer.code == "personalisation_invalid"
    assert details(answer) == [{"path": "products.0.personalisation.note", "code": "too_long"}]


@pytest.mark.parametrize("call", ["configure", "price"])
async def test_many_answers_are_refused_with_one_fault(api: Api, call: str) -> None:
    answer = (await api.post(f"/bundles/80/{call}", body(*[noted("x" * 1_000)] * 200))).held(400)

    assert answer.code == "personalisation_invalid"
    assert details(answer) == [{"path": "products", "code": "answers_too_long"}]
    assert "take 200000 bytes; a request may have at most 20000" in answer.json["details"][0]["message"]


async def test_what_is_refused_is_not_stored(api: Api, database: Database) -> None:
    await api.post(PATH, body(*[noted("x" * 1_000)] * 200))

    assert await rows(database, configured_bundles) == []


async def test_page_learns_the_limit(api: Api) -> None:
    """A client that reads `characterLimit` never sends an answer that is too long."""
    fields = (await api.get("/bundles/80")).held().json["personalisation"]

    assert [field["characterLimit"] for field in fields["700"]] == [500]


async def test_answers_of_usual_length_are_accepted(api: Api) -> None:
    """Answers of usual length are accepted, here for 200 units with a cart line each."""
    products = [noted(f"For guest number {number:03}, with love from both of us") for number in range(200)]

    lines = (await api.post(PATH, body(*products))).held().json["cart"]["line_items"]

    assert len(lines) == 200

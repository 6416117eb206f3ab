"""Attack: JSON nested a thousand levels deep, so that recursive code runs out of stack."""

from collections.abc import Callable

import orjson
import pytest
from structlog.testing import capture_logs

from bundlesvc.json_body import MAX_DEPTH
from tests.api.conftest import Api, Client
from tests.api.logs import errors_in
from tests.api.selection import configure_body
from tests.attacks.live import deliver

DEPTHS = [MAX_DEPTH, 500, 1000]


def nested(depth: int) -> str:
    return "[" * depth + "1" + "]" * depth


def objects(depth: int) -> str:
    return '{"a":' * depth + "1" + "}" * depth


def with_discount_value(text: str) -> bytes:
    """Build the body of a configure request in which the `value` of `conditionsDiscount` is this JSON. The conditions of the
    selected bundle give a percentage off."""
    discount = b'{"conditionsDiscount": {"type": "percentage", "value": ' + text.encode() + b"}}"
    return orjson.dumps(configure_body("1001@1*3"))[:-1] + b', "bundleContent": ' + discount + b"}"


@pytest.mark.parametrize("depth", DEPTHS)
@pytest.mark.parametrize("nest", [nested, objects])
@pytest.mark.parametrize("action", ["price", "configure"])
async def test_a_deep_discount_value_is_refused(
    api: Api, caplog: pytest.LogCaptureFixture, depth: int, nest: Callable[[int], str], action: str
) -> None:
    with capture_logs() as lines:
        response = (await api.post(f"/bundles/60/{action}", with_discount_value(nest(depth)))).held(400)

    assert response.code == "invalid_json"
    assert response.json["error"] == "The body is nested more than 32 levels deep."
    assert [line for line in lines if line["log_level"] == "error"] == []
    assert errors_in(caplog) == []


@pytest.mark.parametrize("value", ['["15.00"]', '{"15.00": 1}', "true", "null", nested(20)])
async def test_a_discount_value_that_is_not_a_number_does_not_match(api: Api, value: str) -> None:
    response = (await api.post("/bundles/60/price", with_discount_value(value))).held(400)

    assert (response.code, response.paths) == ("conditions_discount_mismatch", ["bundleContent.conditionsDiscount"])


@pytest.mark.parametrize("depth", DEPTHS)
async def test_a_deep_webhook_id_is_refused(live_client: Client, depth: int) -> None:
    """A deeply nested id in a webhook is refused, even though the webhook is signed and therefore comes from the platform."""
    status, error = await deliver(live_client, b'{"id": ' + nested(depth).encode() + b"}")

    assert (status, error["code"]) == (400, "invalid_json")


@pytest.mark.parametrize("sent", ["[7]", '{"7": 7}', "true", "7.0", nested(20)])
async def test_a_webhook_id_of_another_type_is_a_fault(live_client: Client, sent: str) -> None:
    status, error = await deliver(live_client, b'{"id": ' + sent.encode() + b"}")

    assert (status, error["code"]) == (400, "invalid_request")
    assert error["details"][0]["path"] == "id"


async def test_brackets_inside_text_are_not_levels(api: Api) -> None:
    response = await api.post("/bundles/60/price", {**configure_body("1001@1*3"), "note": "[" * 1000})

    assert response.status == 200


async def test_a_body_of_the_maximum_depth_is_accepted(api: Api) -> None:
    body = orjson.dumps(configure_body("1001@1*3"))[:-1] + b', "note": ' + nested(MAX_DEPTH - 1).encode() + b"}"

    assert (await api.post("/bundles/60/price", body)).status == 200

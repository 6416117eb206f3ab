"""No message or argument can make the service fail, and a platform failure is reported as an error that an assistant can act
on."""

import json
from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import HealthCheck, given
from hypothesis import strategies as st

from bundlesvc.api.agents.revisions import REVISIONS
from bundlesvc.api.agents.tools import TOOLS
from bundlesvc.domain.errors import PlatformFailed, PlatformTimeout, PlatformUnavailable, Unavailable
from bundlesvc.storage.database.interface import Database
from tests.api.agents.assistant import META, Assistant, Json, stateless_headers
from tests.api.agents.test_tools import purchase, selection
from tests.api.conftest import MakeApi
from tests.api.test_errors import SECRET, Failing
from tests.running.properties import examples

FUZZ = examples(
    200,
    derandomize=True,
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)

SCALARS = st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text()
VALUES = st.recursive(
    SCALARS, lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3), max_leaves=6
)
NAMES = st.sampled_from([tool.name for tool in TOOLS] + ["complete_selection"])
ARGUMENTS = st.sampled_from(
    "bundleId products countryCode language limit cursor subscription idempotencyKey expectedPrice code aim avoid".split()
)
ITEMS = st.fixed_dictionaries(
    {"variant": st.sampled_from(["1001", "2001", "1"]) | SCALARS, "product": st.sampled_from(["100", "200"]) | SCALARS},
    optional={"section": st.integers(0, 4) | SCALARS, "quantity": SCALARS, "personalisation": VALUES, "more": SCALARS},
)
SENT = st.dictionaries(ARGUMENTS | st.text(), VALUES | st.sampled_from([10, 20, 41]) | st.lists(ITEMS, max_size=3))


def body_of(value: object) -> bytes:
    return json.dumps(value, ensure_ascii=False).encode(errors="surrogatepass")


@FUZZ
@given(
    message=st.fixed_dictionaries(
        {},
        optional={
            "jsonrpc": st.just("2.0") | VALUES,
            "id": st.integers() | VALUES,
            "method": st.sampled_from(["initialize", "ping", "tools/list", "tools/call", "server/discover"]) | VALUES,
            "params": st.just({"_meta": META}) | VALUES,
        },
    )
    | VALUES,
    revision=st.sampled_from([None, *REVISIONS, "1999"]),
)
async def test_any_message_gets_a_reply_of_the_protocol(
    assistant: Assistant, message: object, revision: str | None
) -> None:
    headers = {} if revision is None else {"MCP-Protocol-Version": revision, "Mcp-Method": "tools/list"}
    response = await assistant.send(body_of(message), headers)

    assert response.status in (200, 202, 400, 404)
    if response.status != 202:
        assert response.json["jsonrpc"] == "2.0"
        assert ("result" in response.json) is not ("error" in response.json)


@FUZZ
@given(name=NAMES, sent=SENT)
async def test_any_arguments_are_answered_or_refused(assistant: Assistant, name: str, sent: dict[str, Any]) -> None:
    body = {
        "jsonrpc": "2.0",
        "id": 1,
        "method": "tools/call",
        "params": {"_meta": META, "name": name, "arguments": sent},
    }
    response = await assistant.send(body_of(body), stateless_headers("tools/call", name))

    if response.status == 400:  # the text was not valid Unicode
        assert response.json["error"]["code"] == -32700
        return
    assert response.held().json["result"]["isError"] in (True, False)


CALLS: list[tuple[str, Json]] = [
    ("get_bundle", {"bundleId": 10}),
    ("check_selection", selection(20, "1001@1")),
    ("price_selection", selection(20, "1001@1")),
    ("configure", purchase(20, "1001@1")),
    ("complete_selection", selection(20, "1001@1")),
]


@pytest.mark.parametrize("error", [PlatformUnavailable, PlatformFailed, PlatformTimeout])
async def test_platform_that_fails_is_a_refusal_to_be_repeated(
    make_api: MakeApi, database: Database, error: Callable[[], Unavailable]
) -> None:
    buyer = Assistant(await make_api(platform=Failing(database, error())))
    for tool, arguments in CALLS:
        refused = await buyer.refusal(tool, arguments)
        assert (refused["code"], refused["retryAfter"]) == (error().code, error().retry_after)
        assert (await buyer.call("explain_refusal", {"code": refused["code"]}))["retry"]


async def test_fault_of_the_service_reveals_nothing(make_api: MakeApi, database: Database) -> None:
    buyer = Assistant(await make_api(platform=Failing(database, RuntimeError(SECRET))))
    for tool, arguments in CALLS:
        response = await buyer.request("tools/call", {"name": tool, "arguments": arguments})
        assert (response.status, response.code) == (500, "internal_error")
        assert SECRET.encode() not in response.body

"""Keys, rate limits and origins apply to assistants as they do to clients of the API; calls are counted by tool and result."""

import pytest

from tests.api.agents.assistant import PATH, Assistant
from tests.api.conftest import Api
from tests.conftest import MakeKey

PING = {"jsonrpc": "2.0", "id": 1, "method": "ping"}


async def test_request_without_a_key_is_refused(assistant: Assistant) -> None:
    response = await Assistant(assistant.api.with_key(None)).send(PING)
    assert (response.status, response.code) == (403, "key_invalid")


@pytest.mark.parametrize("scope", ["headless", "embed"])
async def test_one_of_the_scopes_is_enough(api: Api, make_key: MakeKey, scope: str) -> None:
    key = await make_key(scopes=(scope,))
    await api.refresh()
    assert (await Assistant(api.with_key(key)).result("tools/list"))["tools"]


async def test_origin_of_the_page_is_checked(api: Api, make_key: MakeKey) -> None:
    page = Assistant(api.with_key(await make_key(origins=("https://shop.example",))))
    await api.refresh()

    assert (await page.send(PING, {"Origin": "https://shop.example"})).status == 200
    refused = await page.send(PING, {"Origin": "https://other.example"})
    assert (refused.status, refused.code) == (403, "origin_not_allowed")


async def test_every_message_takes_a_token(api: Api, make_key: MakeKey) -> None:
    limited = Assistant(api.with_key(await make_key(rate_limit=2)))
    await api.refresh()

    assert [(await limited.send(body)).status for body in (PING, b"{", PING)] == [200, 400, 429]


@pytest.mark.parametrize("method", ["GET", "DELETE", "PUT"])
async def test_only_posts_are_served(assistant: Assistant, method: str) -> None:
    headers = {"Authorization": f"Bearer {assistant.api.key}", "Accept": "text/event-stream"}
    async with assistant.api.client.request(method, PATH, headers=headers) as response:
        assert (response.status, response.headers["Allow"]) == (405, "OPTIONS,POST")


async def test_body_has_the_limit_of_selections(assistant: Assistant) -> None:
    response = await assistant.send(b" " * 262_145)
    assert (response.status, response.code) == (413, "body_too_large")


async def test_assistant_of_another_shop_sees_none_of_this_one(shared_other_api: Api, assistant: Assistant) -> None:
    other = Assistant(shared_other_api)
    own, others = [
        {bundle["name"] for bundle in (await each.call("list_bundles"))["bundles"]} for each in (assistant, other)
    ]

    assert others
    assert own.isdisjoint(others)
    assert (await other.refusal("get_bundle", {"bundleId": 40}))["code"] == "not_found"


async def test_calls_are_counted(buyer: Assistant) -> None:
    await buyer.call("list_bundles")
    await buyer.call("list_bundles")
    await buyer.refusal("get_bundle", {"bundleId": 999})

    metrics = await buyer.api.metrics()
    assert metrics['bundlesvc_agent_calls_total{result="ok",tool="list_bundles"}'] == 2
    assert metrics['bundlesvc_agent_calls_total{result="not_found",tool="get_bundle"}'] == 1


async def test_repeated_requests_take_the_fast_path(buyer: Assistant) -> None:
    """Repeated requests bypass the application, and their responses differ from the first one only in the request id."""
    replies = [(await buyer.send(PING)).held() for _ in range(3)]
    assert {reply.body for reply in replies} == {replies[0].body}
    assert {tuple(reply.headers) for reply in replies} == {tuple(replies[0].headers)}
    assert len({reply.headers["X-Request-Id"] for reply in replies}) == 3

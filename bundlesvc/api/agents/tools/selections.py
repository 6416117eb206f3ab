"""The tools that check, price and configure a selection. They call the use cases of the API."""

import hashlib
from dataclasses import replace
from functools import partial

import orjson

from bundlesvc.api.agents.arguments import BundleSelection, ConfigureArguments, SelectionArguments
from bundlesvc.api.agents.hand_over import HAND_OVER
from bundlesvc.api.agents.messages import Json
from bundlesvc.api.agents.results import CheckSchema, ConfiguredSchema
from bundlesvc.api.agents.tool import Tool, ToolCall
from bundlesvc.api.app_keys import BUNDLES, CONFIGURE_BUNDLE, PRICE_SELECTION
from bundlesvc.api.responses import rendering
from bundlesvc.api.responses.configured import PriceResultSchema
from bundlesvc.domain.idempotency import IdempotencyKey, StoredResponse
from bundlesvc.services.agents.check_selection import CheckSelection


async def check_selection(call: ToolCall) -> Json:
    wanted: BundleSelection = call.arguments
    checking = CheckSelection(call.app[BUNDLES], call.app[PRICE_SELECTION])
    checked = await checking.check(call.caller, wanted.bundle_id, wanted.selection, call.deadline)
    quote = checked.quote
    return {
        "valid": checked.refusal is None,
        "code": None if checked.refusal is None else checked.refusal.code,
        "details": [fault.as_detail() for fault in checked.faults],
        "pricing": None if quote is None else rendering.price(quote.priced.pricing, quote.presentment),
    }


async def price_selection(call: ToolCall) -> Json:
    wanted: BundleSelection = call.arguments
    bundle = await call.app[BUNDLES].find(call.caller, wanted.bundle_id)
    pricing = call.app[PRICE_SELECTION]
    shown = await pricing.price(call.caller.tenant, bundle, wanted.selection, call.deadline)
    return rendering.price(*shown)


async def configure(call: ToolCall) -> Json:
    wanted: BundleSelection = call.arguments
    key = _idempotency_key(call, wanted)
    stored = await call.app[CONFIGURE_BUNDLE].once(call.caller, key, partial(_configured, call, wanted, key))
    body: Json = orjson.loads(stored.body)
    hand_over = call.app.get(HAND_OVER)
    shop = call.caller.tenant.shop.handle
    address = None if hand_over is None else hand_over.address(shop, wanted.bundle_id, body)
    return {**body, "replayed": stored.replayed, "handOverUrl": address}


async def _configured(call: ToolCall, wanted: BundleSelection, key: IdempotencyKey) -> StoredResponse:
    bundle = await call.app[BUNDLES].find(call.caller, wanted.bundle_id)
    selection = replace(wanted.selection, type=bundle.type)
    return await call.app[CONFIGURE_BUNDLE].configure(
        call.caller, bundle, selection, key, rendering.configure_result, call.deadline
    )


def _idempotency_key(call: ToolCall, wanted: BundleSelection) -> IdempotencyKey:
    """Build the idempotency key of the call. Its scope differs from that of the API's `configure` endpoint, whose request bodies
    have a different format."""
    digest = hashlib.sha256(orjson.dumps(call.sent, option=orjson.OPT_SORT_KEYS)).hexdigest()
    return IdempotencyKey(call.caller.key.test, "MCP", f"configure/{wanted.bundle_id}", wanted.idempotency_key, digest)


CHECK_SELECTION = Tool(
    "check_selection",
    "Check a selection",
    "Says whether configure would accept a selection now, and what it costs. If it is not `valid`, `details` has a sentence for "
    "each thing that must change, with what is `missing`: change the selection and check again. Nothing is stored.",
    SelectionArguments(),
    CheckSchema(),
    check_selection,
)

PRICE = Tool(
    "price_selection",
    "Price a selection",
    "The exact price of a selection, complete or not: what configure would charge. Rules are not checked, and nothing is stored.",
    SelectionArguments(),
    PriceResultSchema(),
    price_selection,
)

CONFIGURE = Tool(
    "configure",
    "Configure a bundle",
    "Stores a valid selection and returns what the shopper buys: `handOverUrl`, where the shopper continues, or the cart lines, "
    "and the price that will be charged. Check the selection and ask the shopper first. Send the price that the shopper agreed "
    "to as `expectedPrice` (in a country with another currency as `expectedPresentment`): if it has changed, nothing is stored.",
    ConfigureArguments(),
    ConfiguredSchema(),
    configure,
    read_only=False,
)

"""The tools that only read: one lists the shop's bundles, the other describes a bundle with its rules."""

from typing import Any

from bundlesvc.api.agents.arguments import BundleArguments, ListArguments
from bundlesvc.api.agents.messages import Json
from bundlesvc.api.agents.rendering import described
from bundlesvc.api.agents.results import BundleSchema, ListedBundleSchema, ListSchema
from bundlesvc.api.agents.tool import Tool, ToolCall
from bundlesvc.api.app_keys import EMBED_BUNDLES, LISTINGS, SHOPS
from bundlesvc.api.headless.lists import cursor_after
from bundlesvc.api.responses import rendering
from bundlesvc.services.agents.describe_bundle import DescribeBundle
from bundlesvc.services.listings import ListedBundle, ListRequest

_LISTED_FIELDS = tuple(ListedBundleSchema().fields)


async def list_bundles(call: ToolCall) -> Json:
    wanted: dict[str, Any] = call.arguments
    request = ListRequest(
        language=wanted.get("language"), limit=wanted["limit"], after=wanted.get("cursor") or 0, with_offers=True
    )
    listings = call.app[LISTINGS]
    part = await listings.find(call.caller, request, call.deadline)
    listed = await listings.view(call.caller, part, call.deadline)
    settings = await call.app[SHOPS].settings(call.caller.tenant, call.deadline)
    return {
        "bundles": [_listed(each) for each in listed.value],
        "currency": settings.currency,
        "nextCursor": None if part.next_after is None else cursor_after(part.next_after),
    }


def _listed(listed: ListedBundle) -> Json:
    body = rendering.bundle_summary(listed.bundle) | ({} if listed.offer is None else rendering.offer(listed.offer))
    return {name: body[name] for name in _LISTED_FIELDS}


async def get_bundle(call: ToolCall) -> Json:
    wanted: dict[str, Any] = call.arguments
    found = await DescribeBundle(call.app[EMBED_BUNDLES]).describe(
        call.caller, wanted["bundleId"], wanted.get("language"), wanted.get("countryCode"), call.deadline
    )
    return described(found)


LIST_BUNDLES = Tool(
    "list_bundles",
    "List bundles",
    "Lists the bundles that this shop sells, with the price of the cheapest selection (`fromPrice`) and the discount as a "
    "sentence. A bundle is a box or set that the shopper fills by its rules. Then call get_bundle with the `id` of one.",
    ListArguments(),
    ListSchema(),
    list_bundles,
)

GET_BUNDLE = Tool(
    "get_bundle",
    "Read a bundle",
    "Everything that is needed to choose: the sections with their products, variants, prices in the country and stock, and the "
    "rules in English (`sentence`) and as data. Choose only variants that are `available`, and no more than are `left`. A price "
    "rule with `bundle-price` applies to the price after discounts: use check_selection to find out whether it is met.",
    BundleArguments(),
    BundleSchema(),
    get_bundle,
)

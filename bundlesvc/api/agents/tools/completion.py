"""The tool that completes a selection. Only a service with the completion capability offers it."""

from collections.abc import Iterable
from typing import Any

from aiohttp import web
from marshmallow import RAISE, post_load

from bundlesvc.api.agents.arguments import ToolArguments, bundle_id, country
from bundlesvc.api.agents.counted_items import ITEMS_SCHEMA, CountedItems
from bundlesvc.api.agents.messages import Json
from bundlesvc.api.agents.tool import Tool, ToolCall
from bundlesvc.api.agents.toolbox import TOOLBOX
from bundlesvc.api.app_keys import BUNDLES
from bundlesvc.api.completion.rendering import completion
from bundlesvc.api.completion.requests import CompleteRequest, CompleteRequestSchema
from bundlesvc.api.completion.responses import ChangedUnitsSchema, CompletionSchema, SolutionSchema
from bundlesvc.api.completion.routes import COMPLETE_SELECTION
from bundlesvc.api.responses.fields import many

_ITEMS = {name: value for name, value in ITEMS_SCHEMA.items() if name != "minItems"}


class CompletionArguments(CompleteRequestSchema, ToolArguments):
    """The arguments of the tool that completes a selection. The selection may be empty."""

    bundleId = bundle_id()
    products = CountedItems(
        load_default=dict,
        metadata={**_ITEMS, "description": "The items chosen so far, if any. Take the ids from get_bundle."},
    )
    countryCode = country()

    class Meta:
        unknown = RAISE

    @post_load
    def build(self, data: dict[str, Any], **_: Any) -> Any:
        return data["bundleId"], super().build(data)


class CompletedSelectionSchema(SolutionSchema):
    """A selection that `configure` accepts."""

    products = many(ChangedUnitsSchema, "The whole selection: send it as `products`.")


class CompletedSchema(CompletionSchema):
    """The best ways to complete a selection."""

    solutions = many(CompletedSelectionSchema, "Up to three, the best first; empty if `impossible` is not null.")


async def complete_selection(call: ToolCall) -> Json:
    wanted: tuple[int, CompleteRequest] = call.arguments
    bundle_id, (selection, wishes) = wanted
    bundle = await call.app[BUNDLES].find(call.caller, bundle_id)
    completing = call.app[COMPLETE_SELECTION]
    found = completion(await completing.complete(call.caller.tenant, bundle, selection, wishes, call.deadline))
    solutions = [{**solution, "products": _counted(solution["products"])} for solution in found["solutions"]]
    return {**found, "solutions": solutions}


def _counted(units: Iterable[Json]) -> list[Json]:
    """Merge identical units into items with quantities, in order of first occurrence."""
    items: list[Json] = []
    for unit in units:
        same = next((item for item in items if unit == {name: item[name] for name in unit}), None)
        if same is None:
            items.append({**unit, "quantity": 1})
        else:
            same["quantity"] += 1
    return items


COMPLETE_SELECTION_TOOL = Tool(
    "complete_selection",
    "Complete a selection",
    "Completes a selection by the rules of the bundle. Returns up to three selections that configure accepts, each with its "
    "price, what was `added` and `removed`, and the reasons. `products` is what the shopper has chosen, or empty. Use this tool "
    "when a selection is not valid, or when the shopper leaves the choice to you: put products that they do not want into "
    "`avoid`, those that they like into `prefer`, and take the `cheapest` if they want to save. If `impossible` is not null, "
    "tell the shopper why.",
    CompletionArguments(),
    CompletedSchema(),
    complete_selection,
)


def add_completion_tool(app: web.Application) -> None:
    """Add the completion tool to a service in which both assistants and completion are enabled."""
    app[TOOLBOX].add(COMPLETE_SELECTION_TOOL)

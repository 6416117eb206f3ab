"""Completes a selection: finds the nearest or cheapest selections that `configure` accepts (docs/contract.md#completion)."""

from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from typing import NamedTuple

from bundlesvc.domain.bundle import Bundle, SubscriptionOption
from bundlesvc.domain.completion.best import RankedSelection
from bundlesvc.domain.completion.difference import Difference, difference
from bundlesvc.domain.completion.impossible import Explanation, Reason, reason_of
from bundlesvc.domain.completion.search import Result, Search
from bundlesvc.domain.completion.task import Task, Wishes
from bundlesvc.domain.completion.unit_kinds import unit_kinds_of
from bundlesvc.domain.conditions.condition_types import Facts
from bundlesvc.domain.conditions.graph import Graph
from bundlesvc.domain.errors import InvalidInput
from bundlesvc.domain.line import Line
from bundlesvc.domain.personalisation import check_answers
from bundlesvc.domain.product import MarketPrice, Product
from bundlesvc.domain.run_conditions import graph_of
from bundlesvc.domain.selection import SelectionRequest, Units, UnpricedLine, choose, units_of
from bundlesvc.domain.shop import PERSONALISATION, Shop, ShopSettings, Tenant
from bundlesvc.domain.subscription import (
    SubscriptionChoice,
    choose_subscription,
    requires_subscription,
    subscription_missing,
)
from bundlesvc.ports import Platform
from bundlesvc.request_deadline import RequestDeadline
from bundlesvc.services.completion.search_thread import SearchThread, run_slowly
from bundlesvc.services.concurrent_reads import read_both
from bundlesvc.services.price_selection import PriceSelection, Quote, check_quote

EXPLANATION_WORK = 2
"""The maximum work for an explanation, relative to the maximum for a search."""


class Bound(NamedTuple):
    """Lower bounds on any solution: none needs fewer `changes`, and none has a lower `price` in the shop's currency."""

    changes: int
    price: Decimal


@dataclass(frozen=True, slots=True)
class Solution:
    """A selection that `configure` accepts, and the prices it would have."""

    difference: Difference
    quote: Quote


@dataclass(frozen=True, slots=True)
class Completion:
    """The best solutions found, best first, and the `reasons` why the given selection itself cannot be configured. `bound` limits
    how good a better solution could be; it is None when the solutions are `proven` to be the best. `impossible` gives the reasons
    when there provably is no solution."""

    solutions: Sequence[Solution]
    reasons: Sequence[Reason]
    bound: Bound | None
    impossible: Sequence[Reason] | None

    @property
    def proven(self) -> bool:
        return self.bound is None


class _SearchResult(NamedTuple):
    """The result of a search. `impossible` gives the reasons when there provably is no solution."""

    reasons: Sequence[Reason]
    result: Result
    impossible: Sequence[Reason] | None


class CompleteSelection:
    """Completes selections, with prices and stock at most `price_max_age` seconds old. Searches run in `thread`, each with at
    most `most_work` units of work. `outcomes` counts the results."""

    def __init__(
        self,
        platform: Platform,
        price_selection: PriceSelection,
        price_max_age: float,
        most_work: int,
        thread: SearchThread,
    ) -> None:
        self._platform = platform
        self._price_selection = price_selection
        self._max_age = price_max_age
        self._most_work = most_work
        self.thread = thread
        self.outcomes: Counter[str] = Counter(dict.fromkeys(("proven", "unproven", "impossible"), 0))

    async def complete(
        self, tenant: Tenant, bundle: Bundle, request: SelectionRequest, wishes: Wishes, deadline: RequestDeadline
    ) -> Completion:
        """Complete a selection, which may be empty. Raises SelectionInvalid, PersonalisationInvalid, SubscriptionInvalid,
        Overloaded, and what `Platform` raises."""
        task = await self._task(tenant, bundle, request, wishes, deadline)
        found = await self.thread.run(lambda: _search(task, self._most_work))
        completion = await self._completion(tenant, request, task, found, deadline)
        outcome = "impossible" if completion.impossible is not None else "proven" if completion.proven else "unproven"
        self.outcomes[outcome] += 1
        return completion

    async def _task(
        self, tenant: Tenant, bundle: Bundle, request: SelectionRequest, wishes: Wishes, deadline: RequestDeadline
    ) -> Task:
        shop = tenant.shop
        graph = graph_of(shop, bundle)
        product_ids = sorted({*bundle.product_ids, *_free_products(graph, request.units)})
        settings, products = await read_both(
            tenant,
            lambda: self._platform.shop(tenant, deadline),
            lambda: self._platform.products(tenant, product_ids, self._max_age, deadline),
        )
        chosen = choose(bundle, request.units, products.value, graph.free_variant_ids) if request.units else ()
        check_answers(shop, bundle, request.units, complete=False)
        option = _option(shop, bundle, request.subscription)
        prices = await self._market_prices(tenant, products.value, request.country, deadline)
        lines = _lines(chosen, prices, settings)
        asking = _asking(shop, bundle)
        return Task(
            bundle,
            graph,
            unit_kinds_of(bundle, products.value, prices, settings.currency, lines, asking),
            Facts(settings.weight_unit, request.country, subscribed=option is not None),
            settings.currency,
            prices,
            wishes,
            option.discount if option else None,
        )

    async def _market_prices(
        self, tenant: Tenant, products: Mapping[int, Product], country: str | None, deadline: RequestDeadline
    ) -> Mapping[int, MarketPrice]:
        if country is None:
            return {}
        variants = [variant for product in products.values() for variant in product.variants]
        return (await self._platform.market_prices(tenant, variants, country, self._max_age, deadline)).value

    async def _completion(
        self, tenant: Tenant, request: SelectionRequest, task: Task, searched: _SearchResult, deadline: RequestDeadline
    ) -> Completion:
        reasons, result, impossible = searched
        quoted = [await self._solution(tenant, request, task, found, deadline) for found in result.found]
        solutions = [solution for solution in quoted if solution is not None]
        is_proven = result.proven and len(solutions) == len(quoted)
        bound = None if is_proven else Bound(result.least_changes, result.least_price)
        return Completion(solutions, reasons, bound, impossible)

    async def _solution(
        self, tenant: Tenant, request: SelectionRequest, task: Task, found: RankedSelection, deadline: RequestDeadline
    ) -> Solution | None:
        """Price a selection as `configure` would. Returns None when the conversion to the market's currency changed the prices so
        that a rule is no longer met, or the budget is exceeded. The shopper may still have to fill in personalisation fields of
        the chosen units."""
        changed = difference(request.units, task.kinds, found.counts)
        selection = SelectionRequest(units_of(changed.items), None, request.country, subscription=request.subscription)
        quote = await self._price_selection.quote(tenant, task.bundle, selection, deadline)
        try:
            check_quote(tenant.shop, task.bundle, selection, quote)
        except InvalidInput:
            return None
        budget = task.wishes.budget
        return None if budget is not None and quote.priced.pricing.discounted > budget else Solution(changed, quote)


def _search(task: Task, most_work: int) -> _SearchResult:
    """Search for solutions, and for the reasons when there are none."""
    faults = task.check(task.chosen).faults
    rules = [fault for fault in faults if fault.path != "products"]
    reasons = [reason_of(fault) for fault in rules or faults]  # an empty selection counts only if it is the only fault
    if never := [reason_of(fault) for fault in faults if fault.path == "bundle"]:
        return _SearchResult(reasons, Result([], proven=True), never)
    search = Search(task, most_work)
    run_slowly(search.run())
    if search.result.found or not search.result.proven:
        return _SearchResult(reasons, search.result, None)
    explanation = Explanation(task, EXPLANATION_WORK * most_work)
    run_slowly(explanation.run())
    return _SearchResult(reasons, search.result, explanation.reasons)


def _lines(chosen: Sequence[UnpricedLine], prices: Mapping[int, MarketPrice], settings: ShopSettings) -> list[Line]:
    return [each.at(prices.get(each.variant.id), settings.currency) for each in chosen]


def _free_products(graph: Graph, units: Units) -> Iterator[int]:
    """Yield the chosen products that conditions may give away for free."""
    return (item.product_id for item in units if item.variant_id in graph.free_variant_ids)


def _option(shop: Shop, bundle: Bundle, choice: SubscriptionChoice | None) -> SubscriptionOption | None:
    if choice is not None:
        return choose_subscription(shop, bundle, choice).option
    if requires_subscription(shop, bundle):
        raise subscription_missing()
    return None


def _asking(shop: Shop, bundle: Bundle) -> Collection[int]:
    """Return the products that only the shopper can add, because each unit requires answers to personalisation fields."""
    if not shop.has(PERSONALISATION):
        return ()
    return [id_ for id_, fields in bundle.personalisation.items() if any(field.required for field in fields)]

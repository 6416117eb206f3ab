"""Prices a selection: its lines at the platform's prices, the conditions, and the discount. The price and configure endpoints
share this code, so their prices always agree."""

import re
from collections.abc import Iterable, Mapping, Sequence
from decimal import Decimal

from bundlesvc.domain.bundle import Bundle
from bundlesvc.domain.checkout.market_dependence import holds_anywhere
from bundlesvc.domain.conditions.condition_types import Facts
from bundlesvc.domain.conditions.graph import Graph, GraphDiscount, Outcome
from bundlesvc.domain.errors import ConditionsDiscountMismatch, Fault, RulesNotMet
from bundlesvc.domain.ghosts.prices import GhostPrice
from bundlesvc.domain.line import Line
from bundlesvc.domain.money import ZERO, amount_text
from bundlesvc.domain.personalisation import check_answers
from bundlesvc.domain.pricing.presentment import Presentment, cart_total, converted, market_total, presentment_of
from bundlesvc.domain.pricing.selection_price import PricedSelection, Pricing, adjusted, price_selection
from bundlesvc.domain.product import MarketPrice
from bundlesvc.domain.rules.configure_rules import check_rules
from bundlesvc.domain.rules.limit_rules import Scope
from bundlesvc.domain.run_conditions import graph_of
from bundlesvc.domain.selection import SelectionRequest, check_count
from bundlesvc.domain.shop import EMBEDDED, Shop, ShopSettings, Tenant
from bundlesvc.domain.subscription import (
    ChosenSubscription,
    choose_subscription,
    requires_subscription,
    subscription_missing,
)
from bundlesvc.immutable import immutable
from bundlesvc.ports import Platform
from bundlesvc.request_deadline import RequestDeadline
from bundlesvc.services.concurrent_reads import read_both
from bundlesvc.services.known_selections import KnownSelections, selection_key
from bundlesvc.services.offers import Offers, PricedLines

_NUMBER = re.compile(r"[0-9]{1,15}(\.[0-9]{1,15})?\Z")


@immutable
class Quote:
    """A selection of items that the bundle offers, with its prices, before the rules are checked. `one_time` is the price without
    the subscription, and `base_price` is the one-time price in the home market. `presentment` is the price in the market's own
    currency, and `promise` is what a shopper in the market is charged without the subscription. `anywhere` is True when nothing
    in the promise depends on the market; `countries_read` lists the countries that the bundle's conditions test."""

    lines: tuple[Line, ...]
    outcome: Outcome
    priced: PricedSelection
    settings: ShopSettings
    market_prices: Mapping[int, MarketPrice]
    subscription: ChosenSubscription | None
    one_time: Pricing
    base_price: Decimal
    presentment: Presentment | None
    promise: Presentment
    anywhere: bool
    countries_read: Sequence[str]

    @property
    def ghost_price(self) -> GhostPrice:
        """The price of a ghost variant for this selection. It does not include a subscription's discount, which the platform
        itself applies."""
        return GhostPrice(self.base_price, self.one_time.discounted, _day_rate(self.lines, self.market_prices))


@immutable
class _Prices:
    """The prices of a selection in one country, with the outcomes of its conditions. `priced` is the price as requested, and
    `one_time` is the price without the subscription."""

    outcome: Outcome
    priced: PricedSelection
    one_time_outcome: Outcome
    one_time: PricedSelection


@immutable
class _Terms:
    """Everything that a selection's price depends on, apart from its lines and the country."""

    bundle: Bundle
    graph: Graph
    settings: ShopSettings
    subscription: ChosenSubscription | None

    def price(self, lines: Sequence[Line], country: str | None) -> _Prices:
        """Price a selection in a country, or in the home market when `country` is None. The `lines` must already contain the
        prices of that country."""
        unit, currency, chosen = self.settings.weight_unit, self.settings.currency, self.subscription
        outcome = self.graph.evaluate(lines, Facts(unit, country, subscribed=chosen is not None))
        priced = price_selection(self.bundle, outcome, currency, chosen.option.discount if chosen else None)
        if chosen is None:
            return _Prices(outcome, priced, outcome, priced)
        bought_once = self.graph.evaluate(lines, Facts(unit, country, subscribed=False))
        return _Prices(outcome, priced, bought_once, price_selection(self.bundle, bought_once, currency))

    def presentment(
        self, here: _Prices, promised: _Prices, market_prices: Mapping[int, MarketPrice]
    ) -> Presentment | None:
        """Return the price of a selection in its market's currency. `here` contains the prices in that market; `promised`
        contains the prices on which the promise is based; they differ from `here` when the market converts the home price."""
        total = market_total(here.outcome, market_prices, self.settings.currency)
        if total is None:
            return None
        if promised is not here:
            return converted(total, promised.priced.pricing)
        return presentment_of(total, here.priced, self.subscription.option.discount if self.subscription else None)

    def promise(self, here: _Prices, promised: _Prices, market_prices: Mapping[int, MarketPrice]) -> Presentment:
        """Return the price that a shopper in the market of `here` is charged for the selection, without a subscription. `here`,
        `promised` and `market_prices` are as in `presentment`."""
        total = cart_total(here.one_time_outcome, market_prices, self.settings.currency)
        if promised is not here:
            return converted(total, promised.one_time.pricing)
        return presentment_of(total, here.one_time, None)

    def holds_anywhere(self, here: _Prices) -> bool:
        return holds_anywhere(self.bundle, self.graph, here.one_time_outcome, here.one_time)


@immutable
class _Here:
    """A selection with the prices that apply in the request's country."""

    terms: _Terms
    lines: tuple[Line, ...]
    market_prices: Mapping[int, MarketPrice]
    prices: _Prices

    def at_home(self) -> _Prices:
        """Return the prices of the selection in the home market, without a country."""
        currency = self.terms.settings.currency
        return self.terms.price([line.at_home(currency) for line in self.lines], None)

    def presentment(self, promised: _Prices) -> Presentment | None:
        """Return the price in the market's currency, or None in the home market."""
        return self.terms.presentment(self.prices, promised, self.market_prices) if self.market_prices else None


class PriceSelection:
    """Prices selections, using prices and stock that are at most `price_max_age` seconds old."""

    def __init__(self, platform: Platform, price_max_age: float) -> None:
        self._platform = platform
        self._offers = Offers(platform, price_max_age)
        self._known_prices: KnownSelections[tuple[Pricing, Presentment | None]] = KnownSelections()

    async def price(
        self, tenant: Tenant, bundle: Bundle, request: SelectionRequest, deadline: RequestDeadline
    ) -> tuple[Pricing, Presentment | None]:
        """Return the prices of a selection as a shopper sees them. Raises the same errors as `quote`."""
        key = selection_key(tenant, bundle, request)
        known = self._known_prices.get(key)
        if known is not None:
            return known
        here = await self._here(tenant, bundle, request, deadline)
        promised = here.prices
        if request.country is not None and _may_convert(tenant, bundle):
            promised = await self._promised(tenant, request.country, promised, here.at_home(), deadline)
        prices = promised.priced.pricing, here.presentment(promised)
        self._known_prices.add(key, prices)
        return prices

    async def quote(
        self, tenant: Tenant, bundle: Bundle, request: SelectionRequest, deadline: RequestDeadline
    ) -> Quote:
        """Price a selection, and gather all the data that a promise needs. Raises SelectionInvalid, PersonalisationInvalid,
        SubscriptionInvalid, ConditionsDiscountMismatch and whatever `Platform` raises."""
        found = await self._here(tenant, bundle, request, deadline)
        terms, market_prices, here = found.terms, found.market_prices, found.prices
        home = promised = here
        if request.country is not None and bundle.cart_variant_id is None:
            home = found.at_home()
            if _may_convert(tenant, bundle):
                promised = await self._promised(tenant, request.country, here, home, deadline)
        promise = presentment = found.presentment(promised)
        if promise is None or terms.subscription is not None:  # otherwise, both are the same price
            promise = terms.promise(here, promised, market_prices)
        return Quote(
            found.lines,
            here.outcome,
            promised.priced,
            terms.settings,
            market_prices,
            terms.subscription,
            promised.one_time.pricing,
            home.one_time.pricing.discounted,
            presentment,
            promise,
            terms.holds_anywhere(here),
            terms.graph.countries_read,
        )

    async def _here(
        self, tenant: Tenant, bundle: Bundle, request: SelectionRequest, deadline: RequestDeadline
    ) -> _Here:
        check_count(request.units)
        shop, found = tenant.shop, self._offers.cached(tenant, bundle, request.units, request.country)
        if found is None:
            terms, found = await self._fetched(tenant, bundle, request, deadline)
        else:
            settings = shop.settings or await self._platform.shop(tenant, deadline)
            terms = _terms(shop, bundle, request, settings)
        here = terms.price(found.lines, request.country)
        _check_conditions_discount(request.conditions_discount, here.outcome.discount)
        return _Here(terms, found.lines, found.market_prices, here)

    async def _fetched(
        self, tenant: Tenant, bundle: Bundle, request: SelectionRequest, deadline: RequestDeadline
    ) -> tuple[_Terms, PricedLines]:
        """Fetch the terms and the priced lines of a selection from the platform."""
        shop = tenant.shop
        free_variants = graph_of(shop, bundle).free_variant_ids
        settings, chosen = await read_both(
            tenant,
            lambda: self._platform.shop(tenant, deadline),
            lambda: self._offers.choose(tenant, bundle, request.units, free_variants, deadline),
        )
        terms = _terms(shop, bundle, request, settings)
        lines = await self._offers.price(tenant, bundle, chosen, request.country, settings.currency, deadline)
        return terms, lines

    async def _promised(
        self, tenant: Tenant, country: str, here: _Prices, home: _Prices, deadline: RequestDeadline
    ) -> _Prices:
        """Return a country's prices for a bundle that is sold as a ghost variant. In a market without its own price list, the
        platform charges the converted home price, so only that price can be promised there."""
        if (here.priced.pricing, here.one_time.pricing) == (home.priced.pricing, home.one_time.pricing):
            return here
        terms = await self._platform.market_terms(tenant, country, deadline)
        if terms.price_list is not None:
            return here
        currency = home.priced.pricing.currency
        priced, one_time = (adjusted(each, terms.adjustment, currency) for each in (home.priced, home.one_time))
        return _Prices(here.outcome, priced, here.one_time_outcome, one_time)


def _may_convert(tenant: Tenant, bundle: Bundle) -> bool:
    """Whether the price in a market may be the converted home price. This can be the case when the bundle is sold as ghost
    variants on a live platform."""
    return tenant.shop.platform.kind != EMBEDDED and bundle.cart_variant_id is None


def _terms(shop: Shop, bundle: Bundle, request: SelectionRequest, settings: ShopSettings) -> _Terms:
    """Gather everything that a selection's price depends on, apart from its lines and the country. Raises PersonalisationInvalid,
    SubscriptionInvalid."""
    check_answers(shop, bundle, request.units, complete=request.type is not None)
    choice = request.subscription
    subscription = None if choice is None else choose_subscription(shop, bundle, choice)
    return _Terms(bundle, graph_of(shop, bundle), settings, subscription)


def _day_rate(lines: Iterable[Line], prices: Mapping[int, MarketPrice]) -> Decimal | None:
    """Return the exchange rate (market currency per shop currency) at which the platform converted the prices of the
    selection."""
    sold = [(line.count, prices[line.variant.id]) for line in lines if line.variant.id in prices]
    market = sum((count * price.presentment_price for count, price in sold), ZERO)
    shop = sum((count * price.price_in_shop_currency for count, price in sold), ZERO)
    return market / shop if market and shop else None


def check_quote(shop: Shop, bundle: Bundle, request: SelectionRequest, quote: Quote) -> int:
    """Check that the selection may be configured. Returns the id of the bundle's product on the platform. Raises
    SubscriptionInvalid, and RulesNotMet with every rule that is not met."""
    if quote.subscription is None and requires_subscription(shop, bundle):
        raise subscription_missing()
    type_ = bundle.type if request.type is None else request.type
    scope = Scope(quote.priced, quote.settings.weight_unit)
    faults = check_rules(bundle, type_, quote.lines, quote.outcome, scope, quote.market_prices)
    if faults or bundle.product_id is None:
        raise RulesNotMet(faults)
    return bundle.product_id


def _check_conditions_discount(sent: object, fired: GraphDiscount | None) -> None:
    """Check that a discount sent by the client equals the discount of the action that fired (docs/contract.md#conditions)."""
    if sent is None or (fired is not None and _names_discount(sent, fired)):
        return
    own = None if fired is None else {"type": fired.type, "value": amount_text(fired.value)}
    message = (
        "The conditions give no discount." if own is None else f"The conditions give {own['value']} ({own['type']})."
    )
    fault = Fault("bundleContent.conditionsDiscount", "mismatch", message, {"conditionsDiscount": own})
    raise ConditionsDiscountMismatch([fault])


def _names_discount(sent: object, fired: GraphDiscount) -> bool:
    """Whether two discounts have the same type and equal numeric values."""
    if not isinstance(sent, Mapping) or sent.get("type") != fired.type:
        return False
    value = sent.get("value")
    if not isinstance(value, str | int | float) or not _NUMBER.match(str(value)):
        return False
    return Decimal(str(value)) == fired.value

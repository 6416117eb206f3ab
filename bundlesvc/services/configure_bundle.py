"""Configures a bundle: turns a valid selection into a configured bundle, which is stored before the response is sent
(docs/contract.md#configure)."""

from collections.abc import Awaitable, Callable, Mapping, Sequence
from datetime import UTC, datetime
from typing import Any

from bundlesvc.domain.access.caller import Caller
from bundlesvc.domain.assignment import Assignment, assignment_of
from bundlesvc.domain.bundle import Bundle
from bundlesvc.domain.checkout.cart_payload import (
    SelectionLine,
    bundles_entry,
    cart_lines,
    entry_items,
    selection_lines,
)
from bundlesvc.domain.checkout.discount_claims import SelectionPromise, discount_claims, promise_claims
from bundlesvc.domain.configured import (
    ConfiguredBundle,
    ConfiguredItem,
    PendingSubscription,
    RecordedIds,
    configured_items,
    fee_counts,
    variant_counts,
)
from bundlesvc.domain.expected_price import check_expected_price
from bundlesvc.domain.idempotency import IdempotencyKey, StoredResponse
from bundlesvc.domain.money import ZERO
from bundlesvc.domain.pricing.presentment import Presentment
from bundlesvc.domain.pricing.selection_price import Pricing
from bundlesvc.domain.selection import SelectionRequest
from bundlesvc.domain.shop import AB_TESTING, Tenant
from bundlesvc.domain.subscription import next_date
from bundlesvc.immutable import immutable
from bundlesvc.ports import Clock, Ids, ShopStore, TokenCipher
from bundlesvc.request_deadline import RequestDeadline
from bundlesvc.services.known_selections import KnownSelections, selection_key
from bundlesvc.services.price_selection import PriceSelection, Quote, check_quote
from bundlesvc.services.recent_keys import RecentKeys
from bundlesvc.services.record_bundle import RecordBundle


@immutable
class CartPayload:
    """The cart payload of a native bundle: its cart lines, and its entry in the cart attribute `_bundles`."""

    lines: list[dict[str, Any]]
    entry: Mapping[str, Any]


@immutable
class ConfigureResult:
    """The content of a configure response."""

    configured_bundle_id: int
    variant_id: int
    product_id: int
    discount: str
    subscription_id: int | None
    pricing: Pricing
    presentment: Presentment | None
    cart: CartPayload | None


@immutable
class _ValidSelection:
    """A selection that meets all rules, with everything that is the same each time it is configured: its quote, the bundle's
    product on the platform, the items to store, the cart lines of a native bundle, its items in the cart attribute, and the
    claims about the selection."""

    quote: Quote
    product_id: int
    items: tuple[ConfiguredItem, ...]
    lines: Sequence[SelectionLine]
    entry_items: Sequence[Mapping[str, int]]
    claims: Mapping[str, Any]


class ConfigureBundle:
    """Checks, prices and stores a selection, and prepares what the cart needs."""

    def __init__(
        self,
        price_selection: PriceSelection,
        shops: ShopStore,
        recorder: RecordBundle,
        cipher: TokenCipher,
        clock: Clock,
        ids: Ids,
    ) -> None:
        self._price_selection = price_selection
        self._shops = shops
        self._recorder = recorder
        self._cipher = cipher
        self._clock = clock
        self._ids = ids
        self._recent_keys = RecentKeys()
        self._known: KnownSelections[_ValidSelection] = KnownSelections(lambda valid: len(valid.quote.outcome.verdicts))

    async def once(
        self, caller: Caller, key: IdempotencyKey, configure: Callable[[], Awaitable[StoredResponse]]
    ) -> StoredResponse:
        """Return the response stored for this key or, if there is none, the response of `configure`, which stores it. Raises
        IdempotencyKeyReused, StorageUnavailable, and what `configure` raises.

        A key that this process has not seen recently is looked up only if `configure` fails
        (docs/decisions/0051-keys-looked-up-late.md)."""
        is_new = self._recent_keys.add(caller.tenant.id, key)
        if not is_new and (stored := await self._stored_response(caller, key)):
            return stored
        try:
            return await configure()
        except Exception:
            # Another process may have stored a response. A retry gets that response even if the same request would fail now.
            if is_new and (stored := await self._stored_response(caller, key)):
                return stored
            raise

    async def _stored_response(self, caller: Caller, key: IdempotencyKey) -> StoredResponse | None:
        return await self._recorder.stored_response(caller, key, int(self._clock.now()))

    async def configure(
        self,
        caller: Caller,
        bundle: Bundle,
        request: SelectionRequest,
        key: IdempotencyKey | None,
        render: Callable[[ConfigureResult], bytes],
        deadline: RequestDeadline,
    ) -> StoredResponse:
        """Check, price and store a selection. Returns the rendered response, which is already stored on disk; if `key` is given,
        it is stored under this key as well.

        Raises RulesNotMet, PriceChanged, and whatever `PriceSelection.quote` and `RecordBundle.record` raise.
        """
        tenant = caller.tenant
        valid = await self._valid_selection(tenant, bundle, request, deadline)
        quote, product_id = valid.quote, valid.product_id
        check_expected_price(request.expected, quote.priced.pricing, quote.presentment)
        assigned = await self._assignment(tenant, bundle, request.visitor_id)
        configured = self._draft(caller, bundle, request, valid, assigned)
        claims = discount_claims(configured, tenant.shop.handle, valid.claims)

        def rendered(recorded: RecordedIds) -> bytes:
            # Sealed here because, on SQLite, this runs in the writer's thread: sealing releases the interpreter lock, and in the
            # event loop's thread it would have to wait to get the lock back. May run more than once; only the last token is
            # stored and sent.
            token = self._cipher.seal(claims, configured.configured_at)
            cart = _cart(configured, bundle, valid, token)
            return render(
                ConfigureResult(
                    configured.id,
                    recorded.variant_id,
                    product_id,
                    token,
                    recorded.subscription_id,
                    configured.pricing,
                    quote.presentment,
                    cart,
                )
            )

        return await self._recorder.record(caller, bundle, configured, quote, key, rendered, deadline)

    async def _valid_selection(
        self, tenant: Tenant, bundle: Bundle, request: SelectionRequest, deadline: RequestDeadline
    ) -> _ValidSelection:
        """Check and price a selection, unless its result is cached."""
        key = selection_key(tenant, bundle, request)
        known = self._known.get(key)
        if known is not None:
            return known
        quote = await self._price_selection.quote(tenant, bundle, request, deadline)
        product_id = check_quote(tenant.shop, bundle, request, quote)
        valid = _valid(bundle, request.country, quote, product_id)
        self._known.add(key, valid)
        return valid

    async def _assignment(self, tenant: Tenant, bundle: Bundle, visitor_id: str | None) -> Assignment | None:
        """Return the A/B test in which this bundle is the visitor's arm. The assignment is computed here, and never taken from
        the client."""
        if visitor_id is None or not tenant.shop.has(AB_TESTING):
            return None
        return assignment_of(await self._shops.experiments(tenant), bundle.id, visitor_id)

    def _draft(
        self,
        caller: Caller,
        bundle: Bundle,
        request: SelectionRequest,
        valid: _ValidSelection,
        assigned: Assignment | None,
    ) -> ConfiguredBundle:
        now = int(self._clock.now())
        id_, unique_id = self._ids.configured_bundle()
        return ConfiguredBundle(
            id=id_,
            bundle_id=bundle.id,
            bundle_type=bundle.type,
            title=bundle.name,
            product_id=valid.product_id,
            country=request.country,
            test=caller.key.test,
            unique_id=unique_id,
            pricing=valid.quote.priced.pricing,
            items=valid.items,
            configured_at=now,
            subscription=_pending(valid.quote, now),
            visitor_id=request.visitor_id,
            assignment=assigned,
        )


def _valid(bundle: Bundle, country: str | None, quote: Quote, product_id: int) -> _ValidSelection:
    items = configured_items(bundle, quote.lines)
    units = variant_counts(items)
    promise = SelectionPromise(
        units=units,
        fees=fee_counts(items),
        one_time=quote.one_time,
        country=country,
        parent_variant_id=bundle.cart_variant_id,
        prices=quote.promise,
        anywhere=quote.anywhere,
        countries_read=quote.countries_read,
    )
    is_native = bundle.cart_variant_id is not None
    return _ValidSelection(
        quote,
        product_id,
        items,
        lines=selection_lines(items) if is_native else (),
        entry_items=entry_items(units) if is_native else (),
        claims=promise_claims(promise),
    )


def _pending(quote: Quote, now: int) -> PendingSubscription | None:
    chosen = quote.subscription
    if chosen is None:
        return None
    option = chosen.option
    following = next_date(datetime.fromtimestamp(now, UTC).date(), option.frequency, option.unit)
    return PendingSubscription(
        chosen.group.id,
        option.frequency,
        option.unit,
        chosen.email or "",
        following,
        option.discount or ZERO,
    )


def _cart(configured: ConfiguredBundle, bundle: Bundle, valid: _ValidSelection, token: str) -> CartPayload | None:
    variant_id = bundle.cart_variant_id
    if variant_id is None:
        return None
    lines = cart_lines(configured, variant_id, valid.lines)
    return CartPayload(lines, bundles_entry(configured, bundle, valid.entry_items, token))

"""Implements the `PlatformOrders` port with the Admin GraphQL API. The only data about the shopper that it reads is the
country."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from decimal import Decimal
from typing import Any

from bundlesvc.domain.errors import PlatformUnavailable
from bundlesvc.domain.money import presentment_units
from bundlesvc.domain.orders.contract import Contract
from bundlesvc.domain.orders.order import Order
from bundlesvc.domain.orders.waiting import OrderIds
from bundlesvc.domain.shop import Tenant
from bundlesvc.domain.subscription import CANCELLED, EXPIRED
from bundlesvc.platforms.shopify.client.admin_session import AdminSession
from bundlesvc.platforms.shopify.client.graphql import VARIANT, amount, at, gid, next_cursor, number_of
from bundlesvc.platforms.shopify.client.sessions import AdminSessions
from bundlesvc.platforms.shopify.orders.changes import Agreement, read_changes
from bundlesvc.platforms.shopify.orders.lines import LineTerms, money, read_lines, titles_to_check
from bundlesvc.platforms.shopify.orders.merged import merged_variants, with_full_prices
from bundlesvc.ports import Clock

Node = Mapping[str, Any]

ORDER, BUNDLES = "Order", "_bundles"
CONTRACT = "SubscriptionContract"
ENDED = {"CANCELLED": CANCELLED, "FAILED": CANCELLED, "EXPIRED": EXPIRED}
"""The states of contracts that have ended, mapped to states of subscriptions. A paused contract has not ended."""

FIRST_TITLE = "Bundle discount"
"""The title with which the app's automatic discount is created; merchants can change it."""

OLD_ORDERS, SHOWN_DAYS, DAY = "read_all_orders", 60, 86_400
"""The access scope without which the platform shows only orders of the last `SHOWN_DAYS` days."""

TITLES_KEPT = 600.0
"""Seconds for which the titles of a shop's own discounts are cached."""

TRIES = 3
"""The maximum number of attempts to read an order that changes while it is being read."""

CHANGES_IN_A_SECOND = 1000
"""The number of versions of an order that can be told apart within a second, because the platform's times are in whole
seconds."""

_NO_ORDER: Node = {"order": None}
_NO_TITLES: Node = {"discountNodes": {"nodes": [], "pageInfo": {"hasNextPage": False, "endCursor": None}}}


@dataclass(frozen=True, slots=True)
class _Snapshot:
    """A consistent snapshot of an order, with all its lines and agreements."""

    id: str
    head: Node
    agreements: Sequence[Agreement]
    lines: Sequence[Node]
    country: str | None


class ShopifyOrders:
    """Reads the orders of the shops that `AdminSessions` serves. Raises the same errors as `AdminSessions`."""

    def __init__(self, sessions: AdminSessions, clock: Clock) -> None:
        self._sessions = sessions
        self._clock = clock
        self._titles: dict[int, tuple[float, Collection[str]]] = {}
        """The titles of each shop's own discounts, with the time at which they were read."""

    async def order(self, tenant: Tenant, order_id: str) -> Order | None:
        """Fetch the order in its current state; None when it does not exist. If the order changes while it is being read, it is
        read again. Raises PlatformUnavailable if it keeps changing."""
        for _ in range(TRIES):
            session = await self._sessions.open(tenant)
            data = await session.run("order", id=gid(ORDER, int(order_id)))
            if data["order"] is None:
                return None
            snapshot = await _snapshot(session, order_id, data["order"])
            if snapshot is not None:
                return await self._order(tenant, snapshot)
        raise PlatformUnavailable

    async def contract(self, tenant: Tenant, contract_id: str) -> Contract | None:
        session = await self._sessions.open(tenant)
        none: Node = {"subscriptionContract": None}
        data = await session.run_or("subscription_contract", none, id=gid(CONTRACT, int(contract_id)))
        with session.reading():
            node = data["subscriptionContract"]
            if node is None:
                return None
            origin = at(node, "originOrder", "id")
            return Contract(contract_id, None if origin is None else str(number_of(origin)), ENDED.get(node["status"]))

    async def order_ids(self, tenant: Tenant, since: int, cursor: str | None) -> OrderIds:
        begin = datetime.fromtimestamp(since, UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
        session = await self._sessions.open(tenant)
        data = await session.run("order_ids", query=f"created_at:>='{begin}'", after=cursor)
        with session.reading():
            return OrderIds(
                [str(number_of(node["id"])) for node in data["orders"]["nodes"]], next_cursor(data["orders"])
            )

    async def hidden(self, tenant: Tenant, since: int) -> str | None:
        begin = int(self._clock.now()) - SHOWN_DAYS * DAY
        if since >= begin:
            return None
        session = await self._sessions.open(tenant)
        data = await session.run("access_scopes")
        with session.reading():
            scopes = {scope["handle"] for scope in data["currentAppInstallation"]["accessScopes"]}
        if OLD_ORDERS in scopes:
            return None
        return (
            f"orders older than {SHOWN_DAYS} days are not shown to the app. To import them, request the access scope "
            f"{OLD_ORDERS} from the platform, approve it in the shop, and run: "
            f"bundlesvc platform connect --shop {tenant.shop.handle}"
        )

    async def _order(self, tenant: Tenant, found: _Snapshot) -> Order:
        session = await self._sessions.open(tenant)
        head, currency = found.head, found.head["presentmentCurrencyCode"]
        global_id = gid(ORDER, int(found.id))
        changes = await read_changes(session, global_id, head, found.agreements, currency)
        own_titles = await self._own_titles(tenant, session) if titles_to_check(found.lines) else ()
        contracts = await _contracts(session, global_id, found.lines)
        with session.reading():
            lines = read_lines(found.lines, LineTerms(currency, own_titles, changes.purchases, contracts))
        prices = await _prices(session, merged_variants(lines), found.country, currency)
        with session.reading():
            return Order(
                id=found.id,
                version=_version(head, found.agreements),
                name=head["name"],
                placed_at=_seconds(head["createdAt"]),
                currency=currency,
                lines=with_full_prices(lines, prices),
                country=found.country,
                rate=_rate(head),
                test=head["test"],
                cancelled=head["cancelledAt"] is not None,
                bundles=_attribute(head["customAttributes"], BUNDLES),
                edits=changes.edits,
                refunds=changes.refunds,
            )

    async def _own_titles(self, tenant: Tenant, session: AdminSession) -> Collection[str]:
        """Return the titles of the app's own automatic discounts. If the app lacks the scope for discounts, return only the title
        that they are created with."""
        read_at, titles = self._titles.get(tenant.id, (0.0, ()))
        now = self._clock.monotonic()
        if not titles or now - read_at > TITLES_KEPT:
            data = await session.run_or("own_discount_titles", _NO_TITLES)
            with session.reading():
                nodes = data["discountNodes"]["nodes"]
                titles = {FIRST_TITLE, *(at(node, "discount", "title") for node in nodes if node["metafield"])}
            self._titles[tenant.id] = now, titles
        return titles


async def _snapshot(session: AdminSession, order_id: str, head: Node) -> _Snapshot | None:
    """Read an entire order; None when the order changes while it is being read."""
    global_id = gid(ORDER, int(order_id))
    agreements = await _agreements(session, global_id, head)
    lines = await _lines(session, global_id, head)
    if lines is None or agreements is None:
        return None
    return _Snapshot(order_id, head, agreements, lines, await _country(session, global_id))


async def _agreements(session: AdminSession, order: str, head: Node) -> list[Agreement] | None:
    found, before = list[Agreement](), None
    page = head["agreements"]
    while True:
        with session.reading():
            for edge in page["edges"]:
                found.append(Agreement(edge["node"]["reason"], before))
                before = edge["cursor"]
            cursor = next_cursor(page)
        if cursor is None:
            return found
        data = await session.run("order", id=order, after=cursor)
        if _has_changed(data, head):
            return None
        page = data["order"]["agreements"]


async def _lines(session: AdminSession, order: str, head: Node) -> list[Node] | None:
    found: list[Node] = []
    more, cursor = True, None
    while more:
        data = await session.run("order_lines", id=order, after=cursor)
        if _has_changed(data, head):
            return None
        with session.reading():
            found += data["order"]["lineItems"]["nodes"]
            cursor = next_cursor(data["order"]["lineItems"])
            more = cursor is not None
    return found


def _has_changed(data: Node, head: Node) -> bool:
    return data["order"] is None or data["order"]["updatedAt"] != head["updatedAt"]


async def _country(session: AdminSession, order: str) -> str | None:
    """Fetch the buyer's country. Returns None when the order has no address, or when the app is not allowed to read it."""
    data = await session.run_or("order_country", _NO_ORDER, id=order)
    with session.reading():
        country: str | None = at(data, "order", "displayAddress", "countryCodeV2")
        return country


async def _contracts(session: AdminSession, order: str, lines: Sequence[Node]) -> Mapping[str, str]:
    """Fetch the subscription contracts of the lines with a selling plan. Returns none if the app is not allowed to read them."""
    found: dict[str, str] = {}
    more, cursor = any(node["sellingPlan"] for node in lines), None
    while more:
        data = await session.run_or("order_contracts", _NO_ORDER, id=order, after=cursor)
        if data["order"] is None:
            return {}
        with session.reading():
            page = data["order"]["lineItems"]
            found |= {
                str(number_of(node["id"])): str(number_of(node["contract"]["id"]))
                for node in page["nodes"]
                if node["contract"]
            }
            cursor = next_cursor(page)
            more = cursor is not None
    return found


async def _prices(
    session: AdminSession, variants: Sequence[int], country: str | None, currency: str
) -> Mapping[int, int]:
    """Fetch the prices of variants in a country, in minor units of the order's currency. Omits prices in other currencies."""
    if country is None or not variants:
        return {}
    batches = await session.in_batches(
        "variant_prices", variants, lambda ids: {"ids": [gid(VARIANT, id_) for id_ in ids], "country": country}
    )
    prices: dict[int, int] = {}
    with session.reading():
        for node in (node for _, data in batches for node in data["nodes"] if node):
            price = node["contextualPricing"]["price"]
            if price["currencyCode"] == currency:
                prices[number_of(node["id"])] = presentment_units(amount(price["amount"]), currency)
    return prices


def _version(head: Node, agreements: Sequence[Agreement]) -> int:
    """Return a number that increases with every change to the order. It combines the time of the last change, in whole seconds,
    with the number of agreements, which never decreases."""
    changes = len(agreements) + (head["cancelledAt"] is not None)
    return _seconds(head["updatedAt"]) * CHANGES_IN_A_SECOND + min(changes, CHANGES_IN_A_SECOND - 1)


def _seconds(time: str) -> int:
    return int(datetime.fromisoformat(time).timestamp())


def _rate(head: Node) -> Decimal:
    """Return the exchange rate (the order's currency per unit of the shop's currency). It is computed from the order's total,
    because that is the largest amount stated in both currencies."""
    if head["presentmentCurrencyCode"] == head["currencyCode"]:
        return Decimal(1)
    total = head["totalPriceSet"]
    home = amount(at(total, "shopMoney", "amount"))
    rate = money(total) / home if home else Decimal(0)
    return rate.quantize(Decimal("0.00000001")) or Decimal(1)


def _attribute(attributes: Sequence[Node], key: str) -> str | None:
    return next((each["value"] for each in attributes if each["key"] == key), None)

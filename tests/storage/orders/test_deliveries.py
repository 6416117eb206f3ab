"""Subscriptions follow their orders, on both databases, whatever the sequence in which orders, cancellations and contracts
arrive."""

from collections.abc import Sequence
from dataclasses import replace
from decimal import Decimal
from itertools import permutations
from random import Random
from typing import Any

import pytest

from bundlesvc.domain.access.caller import Caller
from bundlesvc.domain.orders.contract import Contract
from bundlesvc.domain.orders.judged import STORED, UNCHANGED, OrderFilter
from bundlesvc.domain.orders.order import Order
from bundlesvc.domain.retention import Retention
from bundlesvc.domain.shop import ShopSettings, Tenant
from bundlesvc.domain.subscription import ACTIVE, CANCELLED, EXPIRED, PENDING
from bundlesvc.request_deadline import NO_DEADLINE, RequestDeadline
from bundlesvc.services.orders.intake import OrderIntake
from bundlesvc.storage.configured.bundles import SqlConfiguredStore
from bundlesvc.storage.database.interface import Database
from bundlesvc.storage.maintenance.housekeeping import prune
from bundlesvc.storage.orders.deliveries import SqlSubscriptionStates
from bundlesvc.storage.orders.orders import SqlOrderStore
from bundlesvc.storage.shoppers.subscriptions import SqlSubscriptions
from bundlesvc.token_cipher import discount_cipher, new_secret_key
from tests.domain.orders.orders import line, order
from tests.process.shop import BOX_VARIANT, PLAIN_MUG, SHIRT_M
from tests.storage.configured_bundles import DAY, MONTHLY, NOW, configured, render_response

CONTRACT = "contract-1"
States = Sequence[tuple[str, str | None, str | None]]


class Settings:
    """A fake of the `ShopSettingsReader` port."""

    async def shop(self, tenant: Tenant, deadline: RequestDeadline = NO_DEADLINE) -> ShopSettings:
        return ShopSettings("EUR", "€{{amount}}", "kg")


@pytest.fixture
def intake(database: Database) -> OrderIntake:
    return OrderIntake(SqlOrderStore(database), Settings(), discount_cipher([new_secret_key()]))


@pytest.fixture
def states(database: Database) -> SqlSubscriptionStates:
    return SqlSubscriptionStates(database)


@pytest.fixture
async def subscribed(tenant: Tenant, configured_store: SqlConfiguredStore) -> None:
    """Two subscriptions: one to configured bundle 1, and one to configured bundle 2."""
    for number in (1, 2):
        bundle = configured(number, subscription=MONTHLY)
        await configured_store.record(tenant, bundle, BOX_VARIANT, None, render_response)


def delivery(number: int, configured_id: int = 1, version: int = 1, **changes: object) -> Order:
    """Build an order for a delivery of a subscription, placed `number` days from now."""
    mark = {"_bundle_data": f"{configured_id}#9001#{configured_id:032x}"}
    planned: dict[str, Any] = {
        "properties": mark,
        "selling_plan": "monthly",
        "contract": CONTRACT if configured_id == 1 else None,
    }
    lines = line("a", SHIRT_M, 2, 1899, **planned), line("b", PLAIN_MUG, 1, 760, **planned)
    made = order(*lines, bundles=None)
    return replace(made, id=f"{number}", placed_at=NOW + number * DAY, version=version, **changes)  # type: ignore[arg-type]


async def stored(database: Database) -> States:
    return [(one.status, one.order_id, one.contract) for one in await SqlSubscriptions(database).all()]


async def deliveries(database: Database, tenant: Tenant) -> dict[str, str | None]:
    found = await SqlOrderStore(database).orders(tenant, OrderFilter())
    return {each.order.id: each.verdicts[0].delivery for each in found}


async def test_order_makes_its_subscription_active(
    tenant: Tenant, database: Database, intake: OrderIntake, subscribed: None
) -> None:
    assert await stored(database) == [(PENDING, None, None)] * 2
    await intake.take_read(tenant, delivery(1))
    assert await stored(database) == [(ACTIVE, "1", CONTRACT), (PENDING, None, None)]
    await intake.take_read(tenant, delivery(2))
    await intake.take_read(tenant, delivery(3, configured_id=2))
    assert await stored(database) == [(ACTIVE, "1", CONTRACT), (ACTIVE, "3", None)]
    assert await deliveries(database, tenant) == {"1": "first", "2": "renewal", "3": "first"}


async def test_bundle_that_is_bought_once_leaves_its_subscription_pending(
    tenant: Tenant, database: Database, intake: OrderIntake, subscribed: None
) -> None:
    once = delivery(1)
    await intake.take_read(tenant, replace(once, lines=tuple(replace(each, selling_plan=None) for each in once.lines)))
    assert (await stored(database))[0] == (PENDING, None, None)


async def test_orders_in_any_order_end_in_the_same_state(
    tenant: Tenant, database: Database, intake: OrderIntake, subscribed: None
) -> None:
    """The sequence in which orders arrive does not affect the final state: the order with the earliest time counts as the
    purchase."""
    for index, sequence in enumerate(permutations((1, 2, 3))):
        for number in sequence:
            made = delivery(number)
            mark = {"_bundle_data": f"{100 + index}#9001#u"}
            lines = tuple(replace(each, properties=mark) for each in made.lines)
            await intake.take_read(tenant, replace(made, id=f"{index}-{number}", lines=lines))
        found = await deliveries(database, tenant)
        assert [found[f"{index}-{number}"] for number in (1, 2, 3)] == ["first", "renewal", "renewal"]
        verdicts = {
            each.order.id: each.verdicts[0].outcome
            for each in await SqlOrderStore(database).orders(tenant, OrderFilter())
        }
        assert [verdicts[f"{index}-{number}"] for number in (1, 2, 3)] == ["promise_unknown", "equal", "equal"]


async def test_orders_cancellations_and_contracts_in_any_order(
    tenant: Tenant,
    database: Database,
    intake: OrderIntake,
    states: SqlSubscriptionStates,
    subscribed: None,
    caller: Caller,
) -> None:
    """Orders, cancellations and contracts may arrive in any sequence. The contract's last state is recorded at the end, because
    the service reads a contract again when it reads the order."""
    for seed in range(30):
        chance = Random(seed)
        ended = chance.choice((None, "cancelled", "expired"))
        contract = Contract(CONTRACT, "1", ended)
        orders = [delivery(1), delivery(2), delivery(1, version=2, cancelled=True)]
        if chance.random() < 0.5:
            orders.append(delivery(2, version=2, cancelled=True))
        messages = chance.choices(orders, k=2) + orders
        chance.shuffle(messages)
        for message in messages:
            version = seed * 10 + message.version
            await intake.take(caller, replace(message, version=version), Decimal(1), NO_DEADLINE)
            if chance.random() < 0.5:
                await states.record_contract(tenant, Contract(CONTRACT, "1", None))
        await states.record_contract(tenant, contract)
        expected = ended or (CANCELLED if len(orders) == 4 else ACTIVE)
        assert (await stored(database))[0] == (expected, "1", CONTRACT), seed


async def test_contract_that_ended_before_its_order_came(
    tenant: Tenant, database: Database, intake: OrderIntake, states: SqlSubscriptionStates, subscribed: None
) -> None:
    assert await states.record_contract(tenant, Contract(CONTRACT, "1", "cancelled")) == 0
    await intake.take_read(tenant, delivery(1))
    assert await states.record_contract(tenant, Contract(CONTRACT, "1", "cancelled")) == 1
    assert (await stored(database))[0] == (CANCELLED, "1", CONTRACT)
    assert await states.record_contract(replace(tenant, id=tenant.id + 1), Contract(CONTRACT, "1", None)) == 0


async def test_contract_is_found_by_the_order_that_it_began_with(
    tenant: Tenant, database: Database, intake: OrderIntake, states: SqlSubscriptionStates, subscribed: None
) -> None:
    await intake.take_read(tenant, delivery(1, configured_id=2))
    assert await states.record_contract(tenant, Contract("77", "1", "expired")) == 1
    assert (await stored(database))[1] == (EXPIRED, "1", "77")


async def test_subscription_without_an_order_expires(
    tenant: Tenant, database: Database, intake: OrderIntake, states: SqlSubscriptionStates, subscribed: None
) -> None:
    """A subscription without an order expires, but only in a shop that receives orders. In other shops, the service cannot know
    the state of the subscription."""
    assert await states.expire(NOW + 1) == 0
    await intake.take_read(tenant, delivery(1))
    assert await states.expire(NOW) == 0
    assert await states.expire(NOW + 1) == 1
    assert [status for status, *_ in await stored(database)] == [ACTIVE, EXPIRED]
    await intake.take_read(tenant, delivery(3, configured_id=2))
    assert [status for status, *_ in await stored(database)] == [ACTIVE, ACTIVE]


async def test_operator_ends_subscriptions(
    tenant: Tenant, database: Database, intake: OrderIntake, subscribed: None
) -> None:
    """A pending subscription that an operator has ended still starts if its order arrives. An active subscription that an
    operator has ended does not start again."""
    await intake.take_read(tenant, delivery(1))
    first, second = [one.id for one in await SqlSubscriptions(database).all()]
    assert await SqlSubscriptions(database).cancel(first)
    assert await SqlSubscriptions(database).cancel(second)
    assert not await SqlSubscriptions(database).cancel(second)
    for number in (1, 2):
        await intake.take_read(tenant, delivery(number + 3, configured_id=number))
    assert [status for status, *_ in await stored(database)] == [CANCELLED, ACTIVE]


async def test_order_that_lost_its_plan_or_its_bundle(
    tenant: Tenant, database: Database, intake: OrderIntake, subscribed: None
) -> None:
    await intake.take_read(tenant, delivery(1))
    without = tuple(replace(each, properties={}, contract=None) for each in delivery(1).lines)
    await intake.take_read(tenant, delivery(1, version=2, lines=without))
    assert (await stored(database))[0][:2] == (PENDING, None)


async def test_expired_subscriptions_are_pruned_with_cancelled_ones(
    tenant: Tenant, database: Database, intake: OrderIntake, states: SqlSubscriptionStates, subscribed: None
) -> None:
    await intake.take_read(tenant, delivery(1))
    await states.expire(NOW + 1)
    deleted = await prune(database, NOW + DAY, Retention(cancelled_subscriptions=1))
    assert deleted["cancelled subscriptions"] == 1
    assert [status for status, *_ in await stored(database)] == [ACTIVE]


async def test_sent_orders_count_as_well(
    tenant: Tenant, database: Database, intake: OrderIntake, subscribed: None, caller: Caller
) -> None:
    await intake.take(caller, delivery(1), Decimal(1), NO_DEADLINE)
    assert (await stored(database))[0] == (ACTIVE, "1", CONTRACT)


@pytest.fixture
def caller(tenant: Tenant) -> Caller:
    from tests.storage.methods import KEY  # noqa: PLC0415

    return Caller(KEY, tenant)


async def test_renewal_without_the_properties_of_the_first_order(
    tenant: Tenant, database: Database, intake: OrderIntake, subscribed: None
) -> None:
    """A renewal without the properties of the first order is assigned to its subscription through the contract. The renewal is
    recognised when it arrives a second time."""
    await intake.take_read(tenant, delivery(1))
    bare = tuple(replace(each, properties={}) for each in delivery(2).lines)
    assert (await intake.take_read(tenant, delivery(2, lines=bare))).result == STORED
    assert (await intake.take_read(tenant, delivery(2, lines=bare))).result == UNCHANGED
    fee = (*bare, line("fee", SHIRT_M, 1, 500, properties={"_bundle_fee": "1"}, selling_plan="m", contract=CONTRACT))
    await intake.take_read(tenant, delivery(3, lines=fee))
    assert await deliveries(database, tenant) == {"1": "first", "2": "renewal", "3": "renewal"}
    found = await SqlOrderStore(database).order(tenant, "3")
    assert found is not None
    assert [verdict.line_ids for verdict in found.verdicts] == [("a", "b")]

"""Orders reported by webhooks are read from the platform, with retries until it responds, and each is stored in its latest
state."""

from collections.abc import Sequence
from dataclasses import replace

import pytest

from bundlesvc.domain.errors import Fault, PlatformUnavailable
from bundlesvc.domain.live_platform.platform_change import CONTRACT, ORDER, Notice
from bundlesvc.domain.orders.contract import Contract
from bundlesvc.domain.orders.order import Order
from bundlesvc.domain.orders.refusals import OrderInvalid
from bundlesvc.domain.orders.waiting import OrderIds, Waiting
from bundlesvc.domain.shop import EMBEDDED, Tenant
from bundlesvc.services.orders.intake import OrderIntake
from bundlesvc.services.orders.platform_orders import FAILED, LEASE, NOT_FOUND, READ, REFUSED, PlatformOrderIntake
from bundlesvc.services.shops import Tenants
from tests.domain.orders.orders import order
from tests.fakes import START, FakeClock
from tests.services.fakes import FakeAccess


class Inbox:
    """Implements the `OrderInbox` port in memory."""

    def __init__(self, *ids: str, shop_id: int = 1) -> None:
        self.due = {
            Notice(ORDER, id_): (int(START), Waiting(shop_id, Notice(ORDER, id_), 1, 0, int(START))) for id_ in ids
        }

    async def claim(self, now: int, until: int, limit: int) -> Sequence[Waiting]:
        found = [waiting for due_at, waiting in self.due.values() if due_at <= now][:limit]
        self.due |= {waiting.notice: (until, waiting) for waiting in found}
        return found

    async def close(self, waiting: Waiting, now: int) -> None:
        del self.due[waiting.notice]

    async def postpone(self, waiting: Waiting, due_at: int) -> None:
        self.due[waiting.notice] = due_at, replace(waiting, attempts=waiting.attempts + 1)

    async def counts(self) -> tuple[int, int | None]:
        return len(self.due), min((waiting.received_at for _, waiting in self.due.values()), default=None)


class Reader:
    """Implements the `PlatformOrders` port with a few orders."""

    def __init__(self, *orders: Order) -> None:
        self.orders = {each.id: each for each in orders}
        self.fails = 0
        self.contracts: dict[str, Contract] = {}

    async def order(self, tenant: Tenant, order_id: str) -> Order | None:
        if self.fails:
            self.fails -= 1
            raise PlatformUnavailable(retry_after=40)
        return self.orders.get(order_id)

    async def order_ids(self, tenant: Tenant, since: int, cursor: str | None) -> OrderIds:
        raise AssertionError

    async def contract(self, tenant: Tenant, contract_id: str) -> Contract | None:
        return self.contracts.get(contract_id)

    async def hidden(self, tenant: Tenant, since: int) -> str | None:
        raise AssertionError


class Intake(OrderIntake):
    """An intake that accepts all orders except the one with the id "bad"."""

    def __init__(self) -> None:
        self.taken: list[str] = []

    async def take_read(self, tenant: Tenant, order: Order) -> None:  # type: ignore[override]
        if order.id == "bad":
            raise OrderInvalid([Fault("lines.0", "negative_amount", "The line is less than nothing.")])
        self.taken.append(order.id)


class States:
    """Implements the `SubscriptionStates` port: records the contracts passed to it."""

    def __init__(self) -> None:
        self.recorded: list[Contract] = []

    async def record_contract(self, tenant: Tenant, contract: Contract) -> int:
        self.recorded.append(contract)
        return 1

    async def expire(self, created_before: int) -> int:
        raise AssertionError


async def reading(
    inbox: Inbox, reader: Reader, clock: FakeClock | None = None, states: States | None = None
) -> tuple[PlatformOrderIntake, Intake]:
    clock = clock or FakeClock()
    tenants, intake = Tenants(FakeAccess("demo"), clock), Intake()
    await tenants.refresh()
    states = states or States()
    return PlatformOrderIntake(inbox, {EMBEDDED: reader}, tenants, intake, states, clock), intake


async def test_all_that_is_due_is_read_and_taken_in() -> None:
    ids = [str(number) for number in range(20)]
    inbox = Inbox(*ids)
    platform, intake = await reading(inbox, Reader(*(replace(order(), id=id_) for id_ in ids)))
    await platform.run()
    assert sorted(intake.taken) == sorted(ids)
    assert inbox.due == {}
    assert platform.readings == {(READ, "demo"): 20}


async def test_platform_that_is_away_is_asked_again_until_it_answers() -> None:
    inbox, reader, clock = Inbox("1"), Reader(replace(order(), id="1")), FakeClock()
    reader.fails = 2
    platform, intake = await reading(inbox, reader, clock)
    await platform.run()
    assert [due_at for due_at, _ in inbox.due.values()] == [START + 40]
    await platform.run()
    clock.move(40)
    await platform.run()
    assert intake.taken == []
    clock.move(40)
    await platform.run()
    assert (intake.taken, inbox.due) == (["1"], {})
    assert platform.readings == {(FAILED, "demo"): 2, (READ, "demo"): 1}


async def test_order_that_the_platform_does_not_show_is_let_go() -> None:
    inbox = Inbox("1")
    platform, _ = await reading(inbox, Reader())
    await platform.run()
    assert inbox.due == {}
    assert platform.readings == {(NOT_FOUND, "demo"): 1}


async def test_order_that_contradicts_itself_is_named_in_the_log(caplog: pytest.LogCaptureFixture) -> None:
    inbox = Inbox("bad")
    platform, _ = await reading(inbox, Reader(replace(order(), id="bad")))
    await platform.run()
    assert inbox.due == {}
    assert platform.readings == {(REFUSED, "demo"): 1}
    assert caplog.messages == ["demo: order bad was not accepted: The line is less than nothing."]


async def test_notice_of_a_shop_that_is_gone_is_dropped() -> None:
    inbox = Inbox("1", shop_id=99)
    platform, intake = await reading(inbox, Reader())
    await platform.run()
    assert (inbox.due, intake.taken) == ({}, [])


async def test_claim_lasts_for_the_lease_and_the_waiting_are_counted() -> None:
    clock, inbox = FakeClock(), Inbox("1", "2")
    platform, _ = await reading(inbox, Reader(), clock)
    await inbox.claim(int(clock.now()), int(clock.now()) + LEASE, 1)
    await platform.count()
    assert platform.waiting == (2, START)


async def test_contract_is_recorded_by_its_own_notice_and_with_its_order() -> None:
    """A contract is recorded when a notice about it arrives, and again with its order, because it may have ended before the order
    was read."""
    known, gone = Contract("7", "1", "cancelled"), Notice(CONTRACT, "8")
    lines = tuple(replace(line, contract="7") for line in order().lines)
    reader, states, inbox = Reader(replace(order(), id="1", lines=lines)), States(), Inbox("1")
    reader.contracts = {"7": known}
    for notice in (Notice(CONTRACT, "7"), gone):
        inbox.due[notice] = (int(START), Waiting(1, notice, 1, 0, int(START)))
    platform, intake = await reading(inbox, reader, states=states)
    await platform.run()
    assert (inbox.due, intake.taken, states.recorded) == ({}, ["1"], [known, known])
    assert platform.readings == {(READ, "demo"): 2, (NOT_FOUND, "demo"): 1}

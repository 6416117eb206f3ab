"""Order imports resume where they stopped, wait for the platform, and report the orders that were refused."""

from collections.abc import Mapping
from dataclasses import replace

import pytest

from bundlesvc.domain.errors import Fault, PlatformNotConnected, PlatformUnavailable
from bundlesvc.domain.orders.contract import Contract
from bundlesvc.domain.orders.judged import STORED, WITHOUT_BUNDLE, JudgedOrder
from bundlesvc.domain.orders.order import Order
from bundlesvc.domain.orders.refusals import OrderInvalid
from bundlesvc.domain.orders.waiting import ImportProgress, OrderIds
from bundlesvc.domain.shop import Tenant
from bundlesvc.services.orders.importing import LONGEST_WAIT, PATIENCE, OrderImport, Reports
from bundlesvc.services.orders.intake import IntakeResult, OrderIntake
from tests.domain.orders.orders import order
from tests.services.fakes import FakeAccess

TENANT = FakeAccess("demo").shops[1]
SINCE = 1_790_000_000
PART = 10


class Store:
    """Implements the `ImportStore` port in memory."""

    def __init__(self) -> None:
        self.saved: ImportProgress | None = None

    async def progress(self, tenant: Tenant) -> ImportProgress | None:
        return self.saved

    async def save(self, tenant: Tenant, progress: ImportProgress) -> None:
        self.saved = progress


class Reader:
    """Implements the `PlatformOrders` port with orders whose ids are 0, 1, 2 and so on. `faults` holds errors by order id; each
    is raised once."""

    def __init__(self, count: int) -> None:
        self.count = count
        self.faults: dict[str, list[Exception]] = {}

    async def order(self, tenant: Tenant, order_id: str) -> Order | None:
        if self.faults.get(order_id):
            raise self.faults[order_id].pop()
        return None if order_id == "7" else replace(order(), id=order_id)

    async def order_ids(self, tenant: Tenant, since: int, cursor: str | None) -> OrderIds:
        assert since == SINCE
        begin = int(cursor or 0)
        end = min(begin + PART, self.count)
        return OrderIds([str(number) for number in range(begin, end)], str(end) if end < self.count else None)

    async def contract(self, tenant: Tenant, contract_id: str) -> Contract | None:
        raise AssertionError

    async def hidden(self, tenant: Tenant, since: int) -> str | None:
        return None


class Intake(OrderIntake):
    """An order intake that reports every third order as having no bundle, and rejects order 5 as invalid."""

    def __init__(self) -> None:
        self.taken: list[int] = []

    async def take_read(self, tenant: Tenant, order: Order) -> IntakeResult:
        number = int(order.id)
        if number == 5:
            raise OrderInvalid([Fault("lines.0", "negative_amount", "Less than nothing.")])
        self.taken.append(number)
        return IntakeResult(WITHOUT_BUNDLE if number % 3 == 0 else STORED, JudgedOrder(order, ()))


class Run:
    """An import of orders, with fakes for all of its dependencies."""

    def __init__(self, count: int = 25) -> None:
        self.store, self.reader, self.intake = Store(), Reader(count), Intake()
        self.shown: list[ImportProgress] = []
        self.refused: list[str] = []
        self.slept: list[float] = []

    async def sleep(self, seconds: float) -> None:
        self.slept.append(seconds)

    async def __call__(self, since: int = SINCE) -> ImportProgress:
        reports = Reports(self.shown.append, self.refused.append)
        return await OrderImport(self.store, self.reader, self.intake, self.sleep).run(TENANT, since, reports)


async def test_every_order_is_taken_in_once() -> None:
    run = Run()
    done = await run()
    assert sorted(run.intake.taken) == [number for number in range(25) if number not in (5, 7)]
    assert done == ImportProgress(SINCE, None, 25, 14, done=True)
    assert run.store.saved == done
    assert [progress.read for progress in run.shown] == [0, 10, 20, 25]
    assert run.refused == ["order 5: Less than nothing."]


async def test_shop_without_orders() -> None:
    assert await Run(0)() == ImportProgress(SINCE, None, 0, 0, done=True)


async def test_interrupted_import_goes_on_after_the_last_part() -> None:
    run = Run()
    run.reader.faults = {"14": [PlatformNotConnected()]}
    with pytest.raises(PlatformNotConnected):
        await run()
    assert run.store.saved == ImportProgress(SINCE, "10", 10, 4)
    run.intake.taken.clear()
    assert (await run()).read == 25
    assert sorted(run.intake.taken) == list(range(10, 25))
    run.intake.taken.clear()
    assert (await run()).read == 25, "a new one begins again"
    assert min(run.intake.taken) == 0


async def test_import_since_another_day_begins_anew() -> None:
    run = Run()
    run.store.saved = ImportProgress(SINCE - 1, "20", 20, 9)
    assert (await run()).read == 25


@pytest.mark.parametrize(("faults", "patient"), [(PATIENCE - 1, True), (PATIENCE, False)])
async def test_platform_that_is_out_of_points_is_waited_for(faults: int, patient: bool) -> None:
    run = Run()
    unavailable: Mapping[str, list[Exception]] = {"3": [PlatformUnavailable(retry_after=7) for _ in range(faults)]}
    run.reader.faults = {**unavailable}
    if patient:
        assert (await run()).done
    else:
        with pytest.raises(PlatformUnavailable):
            await run()
    assert run.slept == [7] * (PATIENCE - 1)


async def test_shop_that_is_closed_is_not_waited_for() -> None:
    run = Run()
    run.reader.faults = {"3": [PlatformUnavailable(retry_after=LONGEST_WAIT + 1)]}
    with pytest.raises(PlatformUnavailable):
        await run()
    assert run.slept == []

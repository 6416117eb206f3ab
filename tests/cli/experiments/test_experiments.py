"""`bundlesvc experiments show` prints the arms with their comparison and, if a result is withheld, the reason."""

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from uuid import UUID

import pytest

from bundlesvc.api.manage.experiments.responses import ExperimentResultSchema
from bundlesvc.domain.assignment import Exposure
from bundlesvc.domain.orders.judged import JudgedOrder
from bundlesvc.ports.experiments import SeenArm
from bundlesvc.storage.access.keys import SqlKeyStore
from bundlesvc.storage.database.interface import Database
from bundlesvc.storage.experiments.visitors import SqlExperimentStore
from bundlesvc.storage.orders.orders import SqlOrderStore
from tests.cli.command_line import Run, assert_error
from tests.cli.conftest import in_database
from tests.domain.orders.orders import line, order
from tests.storage.configured_bundles import NOW

Visit = Callable[..., None]


@pytest.fixture
def visit(loaded: Run, database_path: Path) -> Visit:
    """Return a function that stores visitors for each arm of an experiment, and orders for a given number of them."""

    def store(visitors: tuple[int, int], buyers: tuple[int, int]) -> None:
        async def use(database: Database) -> None:
            tenant = await SqlKeyStore(database).tenant("demo")
            assert tenant is not None
            for arm, (count, bought) in enumerate(zip(visitors, buyers, strict=True)):
                ids = [str(UUID(int=arm << 64 | number)) for number in range(count)]
                seen = [SeenArm(tenant.id, Exposure("exp-1", arm, visitor), NOW, test=False) for visitor in ids]
                await SqlExperimentStore(database).add(seen)
                for visitor in ids[:bought]:
                    item = line("a", 11, 1, 2000 + int(visitor[-1], 16), properties={})
                    made = replace(order(item), id=visitor, placed_at=NOW, visitor_id=visitor, bundles=None)
                    await SqlOrderStore(database).record(tenant, JudgedOrder(made, ()), None)

        in_database(database_path, use)

    return store


def show(run: Run, *arguments: str) -> list[list[str]]:
    return [text.split() for text in run("experiments", "show", *arguments, "--shop", "demo").out.splitlines()]


def test_arm_that_is_better(loaded: Run, visit: Visit) -> None:
    visit((300, 300), (15, 90))

    heading, first, second = show(loaded, "exp-1")

    assert heading[:4] == ["experiment", "arm", "bundle", "visitors"]
    assert first[:5] == ["exp-1", "0", "42", "300", "15"]
    assert second[:5] == ["exp-1", "1", "43", "300", "90"]
    assert (first[-1], second[-1]) == ("-", "better")


def test_every_test_is_shown_without_an_id(loaded: Run, visit: Visit) -> None:
    assert show(loaded)[1:] == show(loaded, "exp-1")[1:]
    assert show(loaded, "exp-1")[2][-1] == "too_few_orders"


def test_json_is_that_of_the_api(loaded: Run, visit: Visit) -> None:
    visit((300, 300), (15, 90))

    found = loaded("experiments", "show", "exp-1", "--shop", "demo", "--format", "json").json

    assert ExperimentResultSchema().validate(found) == {}
    [comparison] = found["comparisons"]
    assert comparison["lower"] < comparison["difference"] < comparison["upper"]
    assert comparison["relative"] == pytest.approx(5, rel=0.1)


def test_missing_visitors_withhold_the_result(loaded: Run, visit: Visit) -> None:
    visit((300, 200), (15, 90))

    result = loaded("experiments", "show", "exp-1", "--shop", "demo")

    assert "better" not in result.out
    assert "withheld: arm 0 has 300 visitors, arm 1 has 200 visitors, where the weights predict 250, 250" in result.out


def test_unknown_shop_and_test(loaded: Run) -> None:
    assert_error(loaded("experiments", "show", "exp-1", "--shop", "none"), "there is no shop none")
    assert_error(loaded("experiments", "show", "none", "--shop", "demo"), "has no A/B test none", "exp-1")

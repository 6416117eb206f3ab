"""`bundlesvc orders`: lists with filters, one order line by line, and refund quotes."""

import csv
import io
import re
import time
from dataclasses import replace
from decimal import Decimal
from pathlib import Path

import pytest

from bundlesvc.domain.orders.judged import JudgedOrder
from bundlesvc.domain.orders.order import Order
from bundlesvc.domain.orders.verdict import DIFFERS, EQUAL, Verdict
from bundlesvc.storage.access.keys import SqlKeyStore
from bundlesvc.storage.database.interface import Database
from bundlesvc.storage.orders.orders import SqlOrderStore
from tests.cli.command_line import Run, assert_error, assert_usage
from tests.cli.conftest import Record, in_database
from tests.conftest import SECRET_KEY
from tests.domain.orders.orders import line, order
from tests.process.shop import PLAIN_MUG, SHIRT_M
from tests.storage.configured_bundles import configured

NOON = 1_795_348_800
"""Noon of 2026-11-22, in seconds since 1970."""


def sold(id_: str, placed_at: int, charged: int) -> Order:
    """An order for two shirts and a mug, as in `configured`."""
    mark = {"_bundle_data": f"700{id_}#9001#u1"}
    shirts = line("shirts", SHIRT_M, 2, 1999, 3998 + 800 - charged, properties=mark)
    lines = shirts, line("mug", PLAIN_MUG, 1, 800, properties=mark)
    return replace(order(*lines), id=id_, name=f"#{id_}", placed_at=placed_at, bundles=None)


ORDERS = (
    JudgedOrder(sold("1", NOON, 4318), (Verdict(7001, 42, ("shirts", "mug"), EQUAL, 4318, 4318),)),
    JudgedOrder(
        sold("2", NOON + 1, 4798), (Verdict(7002, 42, ("shirts", "mug"), DIFFERS, 4798, 4318, "function_inactive"),)
    ),
)


@pytest.fixture
def ordered(loaded: Run, record: Record, database_path: Path) -> Run:
    """The command line, with two orders of the loaded shop."""

    async def use(database: Database) -> None:
        tenant = await SqlKeyStore(database).tenant("demo")
        assert tenant is not None
        for judged in ORDERS:
            await SqlOrderStore(database).record(tenant, judged, None)

    record(configured(7001))
    in_database(database_path, use)
    return loaded


def test_list_has_a_line_for_each_bundle(ordered: Run) -> None:
    rows = [text.split() for text in ordered("orders", "list", "--shop", "demo").out.splitlines()]

    assert rows == [
        "order placed bundle configured promised charged difference currency verdict cause reason delivery".split(),
        "2 2026-11-22T12:00:01Z 42 7002 43.18 47.98 4.80 EUR differs function_inactive - -".split(),
        "1 2026-11-22T12:00:00Z 42 7001 43.18 43.18 0.00 EUR equal - - -".split(),
    ]


@pytest.mark.parametrize(
    ("options", "ids"),
    [
        (["--verdict", "differs"], ["2"]),
        (["--verdict", "function_inactive"], ["2"]),
        (["--verdict", "equal", "--bundle", "42"], ["1"]),
        (["--bundle", "43"], []),
        (["--since", "2026-11-22"], ["2", "1"]),
        (["--since", "2026-11-23"], []),
    ],
)
def test_list_is_filtered(ordered: Run, options: list[str], ids: list[str]) -> None:
    found = ordered("orders", "list", "--shop", "demo", "--format", "json", *options).json

    assert [each["id"] for each in found] == ids


def test_long_list_is_read_in_parts(ordered: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("bundlesvc.cli.orders.orders._PART", 1)

    assert len(ordered("orders", "list", "--shop", "demo", "--format", "json").json) == len(ORDERS)


def test_csv_has_the_same_rows(ordered: Run) -> None:
    rows = list(csv.DictReader(io.StringIO(ordered("orders", "list", "--shop", "demo", "--format", "csv").out)))

    assert [(row["order"], row["difference"], row["cause"]) for row in rows] == [
        ("2", "4.80", "function_inactive"),
        ("1", "0.00", ""),
    ]


def test_order_is_shown_line_by_line(ordered: Run) -> None:
    text = ordered("orders", "show", "2", "--shop", "demo").out

    assert text.startswith("#2, 2026-11-22T12:00:01Z, EUR\n")
    assert "function_inactive" in text
    assert [words[:7] for words in map(str.split, text.splitlines()[-2:])] == [
        ["shirts", str(SHIRT_M), "2", "39.98", "39.98", "0.00", "39.98"],
        ["mug", str(PLAIN_MUG), "1", "8.00", "8.00", "0.00", "8.00"],
    ]
    assert ordered("orders", "show", "2", "--shop", "demo", "--format", "json").json["lines"][0]["revenue"] == "39.98"


def test_csv_of_an_order_has_the_revenue_of_each_component(ordered: Run) -> None:
    out = ordered("orders", "show", "1", "--shop", "demo", "--format", "csv").out

    revenue = [Decimal(row["revenue"]) for row in csv.DictReader(io.StringIO(out))]
    assert (revenue, sum(revenue)) == ([Decimal("35.98"), Decimal("7.20")], Decimal("43.18"))


@pytest.mark.parametrize(
    ("policy", "amount"), [("proportional", "8.00"), ("remainder-full", "3.20"), ("keep-rules", "7.20")]
)
def test_refund_is_quoted(ordered: Run, policy: str, amount: str) -> None:
    command = ("orders", "refund-quote", "1", "--shop", "demo", "--line", "mug", "1", "--policy", policy)

    assert ordered(*command, "--format", "json").json["amount"] == amount
    assert ordered(*command).out.splitlines()[-1].split() == ["total", "-", amount, "0.00", "EUR"]


def test_faults_are_reported(ordered: Run) -> None:
    quote = ("orders", "refund-quote", "1", "--shop", "demo", "--policy", "proportional", "--line")

    assert_error(ordered("orders", "show", "9", "--shop", "demo"), "no order 9")
    assert_error(ordered("orders", "list", "--shop", "nobody"), "no shop nobody")
    assert_error(ordered(*quote, "mug", "2"), "Only 1 of line mug can be returned.")
    assert_error(ordered("orders", "refund-quote", "9", *quote[3:], "mug", "1"), "no order 9")
    assert_usage(ordered(*quote, "mug", "1", "--line", "mug", "1"), "name each line once")
    assert_usage(ordered("orders", "list", "--shop", "demo", "--verdict", "good"), "good")


def test_bundle_that_is_gone_has_no_rules(ordered: Run) -> None:
    command = ("orders", "refund-quote", "2", "--shop", "demo", "--line", "mug", "1", "--policy", "keep-rules")

    assert_error(ordered(*command), "Choose another policy")


def test_doctor_says_whether_promises_were_kept(
    loaded: Run, database_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """`doctor` reports whether promises were kept, with the most frequent cause of violations and the command that lists the
    affected orders."""
    now = int(time.time())

    async def use(database: Database) -> None:
        tenant = await SqlKeyStore(database).tenant("demo")
        assert tenant is not None
        for number in range(2):
            made = ORDERS[number]
            placed = replace(made, order=replace(made.order, placed_at=now - 60))
            await SqlOrderStore(database).record(tenant, placed, None)

    in_database(database_path, use)
    monkeypatch.setenv("BUNDLESVC_SECRET_KEYS", SECRET_KEY)
    out = loaded("doctor").out
    assert "• demo: 1 of 2 orders of the last 7 days as promised; 1 function_inactive. Activate the checkout" in out
    (command,) = re.findall(r"bundlesvc (orders list .*)", out)
    rows = loaded(*command.split()).out.splitlines()
    assert len(rows) == 2
    assert "function_inactive" in rows[1]

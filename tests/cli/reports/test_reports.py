"""`bundlesvc reports bundles` prints tables, CSV, JSON, and a page that is accessible to screen readers."""

import csv
import io
import re
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import pytest

from bundlesvc.api.manage.reports.responses import BundleReportSchema
from bundlesvc.domain.assignment import Assignment
from bundlesvc.domain.reports.bundle_report import DIMENSIONS
from bundlesvc.storage.access.keys import SqlKeyStore
from bundlesvc.storage.database.interface import Database
from bundlesvc.storage.orders.orders import SqlOrderStore
from tests.cli.command_line import Run, assert_error, assert_usage
from tests.cli.conftest import Record, in_database
from tests.cli.orders.test_orders import NOON, ORDERS
from tests.process.shop import BOX
from tests.storage.configured_bundles import configured

NOVEMBER = ("--from", "2026-11-20", "--to", "2026-11-22")
EVIL = '<script>alert("x")</script>'


@pytest.fixture
def traded(loaded: Run, record: Record, database_path: Path) -> Run:
    """The command line, with three configured bundles and two orders of the loaded shop."""

    async def use(database: Database) -> None:
        tenant = await SqlKeyStore(database).tenant("demo")
        assert tenant is not None
        for judged in ORDERS:
            await SqlOrderStore(database).record(tenant, judged, None)

    record(configured(7001, configured_at=NOON - 86_400, country="DE", assignment=Assignment(EVIL, 1, BOX)))
    record(configured(7002, configured_at=NOON))
    record(configured(7003, configured_at=NOON))
    in_database(database_path, use)
    return loaded


def report(run: Run, *options: object) -> Any:
    return run("reports", "bundles", "--shop", "demo", *NOVEMBER, *options)


class Page(HTMLParser):
    """A parser that collects the elements of a page and the text of its table cells."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.elements: list[tuple[str, dict[str, str | None]]] = []
        self.tables: list[list[list[str]]] = []
        self._cell = False
        self.feed(html)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.elements.append((tag, dict(attrs)))
        if tag == "table":
            self.tables.append([])
        elif tag == "tr":
            self.tables[-1].append([])
        elif tag in ("td", "th"):
            self.tables[-1][-1].append("")
        self._cell = tag in ("td", "th")

    def handle_data(self, data: str) -> None:
        if self._cell:
            self.tables[-1][-1][-1] += data

    def handle_endtag(self, tag: str) -> None:
        self._cell = False


def test_table_has_a_total_and_the_orders(traded: Run) -> None:
    heading, *rows, total, _, _, orders = report(traded, "--by", "day").out.splitlines()

    assert heading.split()[:6] == ["day", "configured", "ordered", "share", "sold", "units"]
    assert [row.split()[0] for row in rows] == ["2026-11-20", "2026-11-21", "2026-11-22"]
    assert total.split() == ["total", "3", "2", "0.6667", "2", "6", "91.16", "4.80", "0.00"]
    assert orders.split() == ["with", "a", "bundle", "EUR", "2", "91.16", "45.58"]


def test_csv_adds_up(traded: Run) -> None:
    rows = list(csv.DictReader(io.StringIO(report(traded, "--by", "country", "--format", "csv").out)))

    assert {row["countryCode"] for row in rows} == {"DE", ""}
    assert sum(int(row["configured"]) for row in rows) == 3
    assert sum(float(row["revenue EUR"]) for row in rows) == pytest.approx(91.16)


def test_json_is_that_of_the_api(traded: Run) -> None:
    found = report(traded, "--format", "json").json

    assert BundleReportSchema().validate(found) == {}
    assert (found["total"]["configured"], found["total"]["ordered"]) == (3, 2)


def test_report_of_one_bundle_or_of_tests_has_nothing_else(traded: Run) -> None:
    assert report(traded, "--bundle", 999, "--format", "json").json["rows"] == []
    assert report(traded, "--test").out == "none\n"


@pytest.mark.parametrize("by", DIMENSIONS)
def test_page_has_a_table_for_each_chart(traded: Run, tmp_path: Path, by: str) -> None:
    file = tmp_path / "report.html"

    result = report(traded, "--by", by, "--html", file)

    assert (result.code, result.out) == (0, "")
    html = file.read_text("utf-8")
    page = Page(html)
    tags = [tag for tag, _ in page.elements]
    assert tags.count("figure") == 3
    assert [table[-1] for table in page.tables] == [
        ["Total", "3", "2", "66.67%"],
        ["Total", "6", "2"],
        ["Total", "91.16", "4.80", "0.00"],
        ["with a bundle", "EUR", "2", "91.16", "45.58"],
    ]
    assert all(attributes["aria-hidden"] == "true" for tag, attributes in page.elements if tag == "figure")
    identified = [attributes["id"] for _, attributes in page.elements if "id" in attributes]
    assert len(set(identified)) == len(identified) == 4


@pytest.mark.parametrize("by", DIMENSIONS)
def test_page_needs_nothing_else(traded: Run, tmp_path: Path, by: str) -> None:
    file = tmp_path / "report.html"

    report(traded, "--by", by, "--html", file)

    html = file.read_text("utf-8")
    assert not {tag for tag, _ in Page(html).elements} & {"script", "link", "img", "iframe", "object"}
    assert not re.search(r"(?:src|href)=|url\(|@import|https?://", html)
    assert EVIL not in html


def test_page_of_a_period_without_anything(traded: Run, tmp_path: Path) -> None:
    file = tmp_path / "report.html"

    traded("reports", "bundles", "--shop", "demo", "--from", "2020-01-01", "--to", "2020-01-02", "--html", file)

    assert [table[1][0] for table in Page(file.read_text()).tables] == ["none", "none", "none"]


def test_bars_are_as_long_as_their_share_of_the_longest(traded: Run, tmp_path: Path) -> None:
    file = tmp_path / "report.html"

    report(traded, "--by", "day", "--html", file)

    bars = [attributes for tag, attributes in Page(file.read_text()).elements if tag == "rect"]
    heights = [(bar["class"], bar["height"]) for bar in bars]
    assert heights[:4] == [("whole", "500"), ("part", "500"), ("whole", "1000"), ("part", "500")]


def test_unknown_shop_and_unwritable_page(traded: Run, tmp_path: Path) -> None:
    assert_error(traded("reports", "bundles", "--shop", "other"), "there is no shop other")
    assert_error(report(traded, "--html", tmp_path / "none" / "report.html"), "No such file")


@pytest.mark.parametrize(
    ("options", "word"),
    [
        (("--by", "hour"), "'hour' is not one of"),
        (("--from", "2026-11-23"), "must not be after"),
        (("--from", "2020-01-01"), "at most 1,100 days"),
        (("--to", "1950-01-01"), "No report begins before"),
        (("--bundle", "0"), "not a whole number"),
    ],
)
def test_wrong_options(traded: Run, options: tuple[str, ...], word: str) -> None:
    assert_usage(traded("reports", "bundles", "--shop", "demo", "--to", "2026-11-22", *options), word)

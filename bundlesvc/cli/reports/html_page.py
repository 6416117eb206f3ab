"""A report as one self-contained HTML page: no scripts, no other files, no third-party content."""

from importlib.resources import files
from pathlib import Path

from bundlesvc.cli.reports.charts import FULL, charts
from bundlesvc.cli.reports.labels import order_rows
from bundlesvc.services.reports.bundle_reports import NamedReport

_PAGE = Path(str(files("bundlesvc.cli.reports") / "page"))

TITLES = {
    "bundle": "What sells, by bundle",
    "day": "What sells, by day",
    "country": "What sells, by country",
    "arm": "What sells, by arm of an A/B test",
    "tier": "What sells, by tier",
}


def html_page(named: NamedReport, shop: str) -> str:
    """Render a shop's report as an HTML page."""
    from jinja2 import Environment, FileSystemLoader, StrictUndefined  # noqa: PLC0415 - slow to import

    templates = Environment(
        loader=FileSystemLoader(_PAGE), autoescape=True, undefined=StrictUndefined, trim_blocks=True, lstrip_blocks=True
    )
    query = named.report.query
    return templates.get_template("report.html.j2").render(
        title=TITLES[query.by],
        shop=shop,
        query=query,
        name=None if query.bundle_id is None else named.names.get(query.bundle_id, f"Bundle {query.bundle_id}"),
        heading=query.by.capitalize(),
        charts=charts(named),
        orders=order_rows(named),
        full=FULL,
        style=(_PAGE / "report.css").read_text("utf-8"),
    )

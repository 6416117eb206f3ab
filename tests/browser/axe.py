"""Finds accessibility violations in a page with axe-core: https://github.com/dequelabs/axe-core."""

from functools import cache

from playwright.sync_api import Page

from tests.packages.npm import require_packages

SERIOUS = ("serious", "critical")

RUN = """async () => {
  const { violations } = await axe.run(document, { resultTypes: ["violations"] });
  const text = (id, { target, failureSummary }) => `${id}: ${target.flat().join(" ")}: ${failureSummary}`;
  return violations.flatMap(({ id, impact, nodes }) => nodes.map((node) => [impact, text(id, node)]));
}"""


@cache
def _source() -> str:
    return (require_packages() / "axe-core" / "axe.min.js").read_text("utf-8")


def serious_faults(page: Page) -> list[str]:
    """The serious and critical accessibility violations on a page."""
    return [text for impact, text in _violations(page) if impact in SERIOUS]


def faults(page: Page) -> list[str]:
    """All accessibility violations on a page."""
    return [text for _, text in _violations(page)]


def _violations(page: Page) -> list[tuple[str, str]]:
    """All accessibility violations on a page, each with its impact."""
    if not page.evaluate("'axe' in window"):
        page.evaluate(_source())
    return [(impact, text) for impact, text in page.evaluate(RUN)]

"""A shop in which every string is an attack (`hostile_shop.yaml`): no attack runs or sends a request."""

import re

import pytest
from playwright.sync_api import Request, expect

from tests.browser.keyboard import Keyboard
from tests.browser.visit import Visit

NO_SANITISER = "delete Element.prototype.setHTML"
TITLE = "<img src=x onerror=window.robbed=3>"


@pytest.fixture
def calls(visit: Visit) -> list[str]:
    """A list that collects requests to evil.example, and requests that only an injected element would send."""
    requests: list[str] = []

    def note(request: Request) -> None:
        if "evil.example" in request.url or request.url.endswith("/x"):
            requests.append(request.url)

    visit.context.on("request", note)
    visit.context.route(re.compile("evil.example"), lambda route: route.abort())
    return requests


def look_at_everything(visit: Visit) -> None:
    """Open, hover over, focus and choose everything in the hostile shop's bundle."""
    builder = visit.show(1, shop="hostile")
    expect(builder.name).to_have_text("<script>window.robbed=41</script>Trap")
    expect(builder.card(TITLE)).to_contain_text("A kind word")
    for summary in builder.root.locator("summary").all():
        if summary.is_visible():
            summary.click()
    for label in builder.card(TITLE).locator("label").all():
        label.click()
        builder.card(TITLE).locator("[part~=more]").click()
    for link in builder.card(TITLE).get_by_role("link").all():
        link.click(no_wait_after=True)
    builder.card(TITLE).get_by_text("A kind word").hover()
    builder.card("${window.robbed=40}").locator("[part~=more]").click()
    Keyboard(visit.page).tab_to(builder.buy.inner_text())
    builder.try_to_buy()
    expect(builder.reasons.first).to_be_visible()


@pytest.mark.parametrize("sanitiser", [True, False], ids=["the browser's sanitiser", "plain text"])
def test_hostile_texts_do_nothing(visit: Visit, calls: list[str], sanitiser: bool) -> None:
    """Hostile text does nothing, even without a content security policy: it does not run a script, open a dialog, send a request
    or navigate to another page."""
    if not sanitiser:
        visit.context.add_init_script(NO_SANITISER)
    look_at_everything(visit)

    assert visit.page.evaluate("window.robbed") is None
    assert calls == []
    assert visit.page.url.startswith(visit.site.origin)
    assert len(visit.context.pages) == 1


def test_attacks_work_in_a_page_that_trusts_them(visit: Visit, calls: list[str]) -> None:
    """The attacks work on a page that inserts descriptions as trusted HTML, which proves that the other tests can fail."""
    visit.show(1, shop="hostile")
    robbed = """(builder) => new Promise((resolve) => {
      const page = document.createElement("iframe");
      document.body.append(page);
      Object.defineProperty(page.contentWindow, "robbed", { set: resolve });
      page.contentDocument.body.innerHTML = builder.bundle.products[0].descriptionHtml;
    })"""
    assert visit.builder.root.evaluate(robbed)
    assert calls


def test_description_keeps_only_text_and_formatting(visit: Visit) -> None:
    html = visit.show(1, shop="hostile").card(TITLE).locator("[part~=description]").inner_html()
    assert "A kind word" in html
    assert not re.search(
        r"<(script|img|iframe|object|embed|style|link|form|input|button|video|audio|meta|base)\b| on\w+=|javascript:",
        html,
    )


def test_description_without_a_sanitiser_is_plain_text(visit: Visit) -> None:
    """Without a sanitiser, a description is shown as plain text, without the code of its scripts."""
    visit.context.add_init_script(NO_SANITISER)
    builder = visit.show(1, shop="hostile")
    card = builder.card("{{constructor.constructor('window.robbed=38')()}}")
    expect(card.locator("[part~=description]")).to_have_text("Plain")
    assert card.locator("[part~=description] *").count() == 0


def test_description_with_a_sanitiser_keeps_its_formatting(visit: Visit) -> None:
    expect(visit.show(111).card("First Light").locator("[part~=description] > p")).to_contain_text("hazelnut")

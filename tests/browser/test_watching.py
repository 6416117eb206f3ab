"""The checks that other tests rely on detect the faults that they look for."""

import pytest

from tests.browser.axe import serious_faults
from tests.browser.component.test_states import BEYOND
from tests.browser.visit import Visit

INSERT = "(builder, html) => builder.shadowRoot.firstElementChild.insertAdjacentHTML('afterbegin', html)"


def test_field_without_a_name_is_found(visit: Visit) -> None:
    """The accessibility check reports a field without an accessible name, even inside the component."""
    builder = visit.show(111)
    assert serious_faults(visit.page) == []
    builder.root.evaluate(INSERT, "<input>")
    (fault,) = serious_faults(visit.page)
    assert fault.startswith("label: bundle-builder ")


def test_element_that_is_too_wide_is_found(visit: Visit) -> None:
    builder = visit.show(111)
    builder.root.evaluate(INSERT, "<p>Wide</p>")
    builder.root.locator("p", has_text="Wide").evaluate("(node) => (node.style.width = '2000px')")
    assert visit.page.evaluate(BEYOND) == ["html.", "p."]


def test_layout_shift_is_found(visit: Visit) -> None:
    builder = visit.show(111)
    visit.after_painting()
    before = visit.jumps()
    builder.root.evaluate(INSERT, "<div style='height: 200px'>Late</div>")
    visit.after_painting()
    assert visit.jumps() > before + 0.02


@pytest.mark.parametrize(
    ("script", "alarm"),
    [("alert('Boo')", "dialog: Boo"), ("setTimeout(() => { throw new Error('Oops') })", "Oops")],
)
def test_script_activity_is_found(visit: Visit, script: str, alarm: str) -> None:
    visit.show(111)
    visit.page.evaluate(f"() => {{ {script} }}")
    visit.after_painting()
    assert visit.alarms == [alarm]
    visit.alarms.clear()

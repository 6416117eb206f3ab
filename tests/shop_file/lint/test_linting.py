"""Linting a whole file: it reports every finding with its line and severity, and never fails."""

import json
from pathlib import Path
from typing import Any

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st

from bundlesvc.shop_file.lint import lint_bytes, lint_file
from bundlesvc.shop_file.lint.findings import ERROR, NOTE, SEVERITIES, WARNING, Code, Finding
from bundlesvc.shop_file.loading import read_shop_file
from bundlesvc.shop_file.tree_nodes import TreeNode
from tests.running.properties import examples
from tests.shop_file.lint.linted import TEA, action, condition, found, lint, nodes, rules, shop
from tests.shop_file.lint.small_shops import as_live, shops
from tests.shop_file.shop_files import FULL, HERE, SAMPLE, SHOP_JSON, SHOP_YAML
from tests.shop_file.test_hostile import ODD_TREES, spots

ROOT = Path(__file__).parents[3]
EVERY_FINDING = HERE / "lint" / "every_finding.yaml"
DEMO_SHOP = ROOT / "config" / "demo-shop.yaml"

ERRORS = """
rule-never-holds rules-contradict no-whole-number multiples-out-of-bounds section-offers-nothing too-few-products
amounts-contradict totals-contradict required-out-of-bounds weight-unreachable price-unreachable nothing-offered
bundle-without-product subscription-without-options section-out-of-stock bundle-out-of-stock required-not-active
required-out-of-stock bundle-product-not-active discount-takes-all always-blocked
""".split()
"""The codes of the findings with severity error in the file that causes every finding."""


@pytest.fixture(scope="module")
def every_finding() -> list[Finding]:
    return lint_file(EVERY_FINDING)


def test_progress_is_reported_until_every_bundle_is_linted() -> None:
    reported: list[tuple[str, int, int]] = []
    lint_file(DEMO_SHOP, lambda *report: reported.append(report))
    (first, *_, last) = [report for report in reported if report[0] == "linting"]
    assert first == ("linting", 1, last[2])
    assert last[1] == last[2] > 1
    assert {stage for stage, _, _ in reported} >= {"reading", "bundles", "linting"}


def test_every_finding_is_reported_once(every_finding: list[Finding]) -> None:
    assert sorted(finding.code for finding in every_finding) == sorted(set(Code) - {Code.INVALID})


def test_findings_are_errors_if_nobody_can_buy(every_finding: list[Finding]) -> None:
    assert {finding.code for finding in every_finding if finding.severity == ERROR} == set(ERRORS)
    assert {finding.severity for finding in every_finding} == set(SEVERITIES)


def test_each_bundle_has_the_finding_in_its_name(every_finding: list[Finding]) -> None:
    bundles = read_shop_file(EVERY_FINDING).bundles
    lines = EVERY_FINDING.read_text().splitlines()
    for finding in every_finding:
        if finding.path.startswith("bundles."):
            assert bundles[int(finding.path.split(".")[1])].name == finding.code
        else:
            assert finding.line
            assert str(finding.code) in lines[finding.line - 1]


def test_findings_have_the_lines_of_their_parts(every_finding: list[Finding]) -> None:
    lines = EVERY_FINDING.read_text().splitlines()
    reported = {finding.code: lines[(finding.line or 0) - 1].strip() for finding in every_finding}
    assert reported["rules-contradict"] == '{type: total-number-of-products, operation: lte, value: "3"}]}'
    assert reported["section-offers-nothing"].startswith("limitRules: [{type: total-number-of-products, operation: gte")
    assert reported["tier-never-wins"] == '{type: total_products, operation: gte, value: "3", discount: "5.00"}]}}'
    assert reported["nothing-offered"].startswith("- {id: 14, name: nothing-offered")
    assert reported["section-sells-nothing"].startswith("sections: [{id: 2, order: 2, products:")


def test_findings_are_sorted_by_line(every_finding: list[Finding]) -> None:
    lines = [finding.line for finding in every_finding]
    assert lines == sorted(lines, key=lambda line: line or 0)


def test_findings_are_plain_sentences_with_a_hint(every_finding: list[Finding]) -> None:
    hints = {code.value: code.hint for code in Code}
    for finding in every_finding:
        assert finding.file == str(EVERY_FINDING)
        assert finding.message.isprintable()
        assert finding.message.endswith(".")
        assert finding.hint == hints[finding.code]
        assert not finding.hint.endswith(".")


def test_every_code_is_explained() -> None:
    text = (ROOT / "docs" / "lint.md").read_text("utf-8")
    assert [code for code in Code if f"| `{code}` |" not in text] == []


def test_unpublished_bundles_have_no_errors(every_finding: list[Finding]) -> None:
    unpublished = lint(_unpublished())
    unfinished = {Code.NOTHING_OFFERED, Code.BUNDLE_WITHOUT_PRODUCT}
    assert {finding.severity for finding in unpublished} == {WARNING, NOTE}
    assert {finding.code for finding in unpublished} == {finding.code for finding in every_finding} - unfinished
    assert len(unpublished) == len(every_finding) - len(unfinished)


def _unpublished() -> str:
    tree = yaml.load(EVERY_FINDING.read_text(), Loader=yaml.BaseLoader)
    for bundle in tree["bundles"]:
        bundle["published"] = "false"
    return json.dumps(tree, indent=1)


def test_a_file_that_does_not_load_has_its_faults_as_errors(tmp_path: Path) -> None:
    path = tmp_path / "shop.yaml"
    path.write_text(
        "shop: {handle: s, currency: EUR}\nbundles:\n- {id: 1, name: B, type: nativ}\n- {id: 1, name: B, type: native}\n"
    )
    findings = lint_file(path)
    assert [(finding.file, finding.line, finding.severity, finding.code, finding.path) for finding in findings] == [
        (str(path), 3, "error", "invalid", "bundles.0.type"),
        (str(path), 4, "error", "invalid", "bundles.1.id"),
    ]
    assert findings[1].message == "Bundle 1 already exists."


def test_a_file_that_cannot_be_read_is_invalid(tmp_path: Path) -> None:
    (finding,) = lint_file(tmp_path / "none.yaml")
    assert (finding.code, finding.line, finding.path) == ("invalid", None, "")
    assert "No such file" in finding.message


def test_a_good_shop_is_clean() -> None:
    assert found(shop(rules("items gte 2", "items lte 10"))) == []
    assert lint("shop: {handle: s, currency: EUR}") == []


def test_the_sample_lacks_one_translation() -> None:
    (finding,) = lint(SAMPLE)
    assert finding.message == "Not translated: descriptionHtml."


@pytest.mark.skipif(not DEMO_SHOP.exists(), reason="there is no demo shop yet")
def test_the_demo_shop_has_notes_only() -> None:
    assert {finding.severity for finding in lint_file(DEMO_SHOP)} == {NOTE}


def _tree(text: str) -> Any:
    return yaml.load(text, Loader=yaml.BaseLoader)


MANY = shop(
    TEA,
    "discount: {type: fixed, value: 3, minimum: 4, tiers: [{type: bulk_buy, operation: gte, value: 2, discount: 9}]}",
    "requiredProducts: [{platformProductId: 100, quantity: 2}]",
    rules("items gte 2", "items eq 4", "items eq 6", "weight lte 9", "price gt 3", "each lte 4 @1", "different gte 1"),
    nodes(condition("c", "total-products", "gte", "3"), action("a", "free-item", "c", variantId=2001)),
    "subscription: {mode: required, groups: [{id: 1, options: [{frequency: 1, unit: month, discount: 50}]}]}",
    "translations: {de: {name: Kiste}}",
    markets="{countryCode: US, currency: JPY, exchangeRate: 150, unavailableVariantIds: [1001, 1002]}",
)


def test_the_shop_with_some_of_everything_loads() -> None:
    codes = {finding.code for finding in lint_bytes(json.dumps(_tree(MANY)).encode(), SHOP_JSON)}
    assert codes == {Code.MARKET_OUT_OF_REACH, Code.TRANSLATION_MISSING, Code.BOUND_TO_A_MARKET}


ODD_NUMBERS = st.sampled_from("0 0.5 1 2 3 200 201 999999999999 0.000000000001".split())


def _alike(tree: Any) -> dict[object, list[str]]:
    """Return the strings in the tree of a shop file, grouped by the key or index under which they are found."""
    values: dict[object, list[str]] = {}
    for holder, step in spots(tree):
        if isinstance(holder[step], str):
            values.setdefault(step, []).append(holder[step])
    return values


@examples(150)
@given(st.data())
def test_no_file_that_loads_makes_it_fail(data: st.DataObject) -> None:
    """Linting never fails for a file that loads, even when values are removed, or replaced by arbitrary values or by other values
    of the same key."""
    tree = json.loads(json.dumps(_tree(data.draw(st.sampled_from([MANY, EVERY_FINDING.read_text("utf-8"), FULL])))))
    alike = _alike(tree)
    for _ in range(data.draw(st.integers(1, 6))):
        holder, step = data.draw(st.sampled_from(spots(tree)))
        if isinstance(holder[step], str):
            number = holder[step].replace(".", "").isdigit() and step != "id"
            holder[step] = data.draw(
                ODD_NUMBERS if number and data.draw(st.booleans()) else st.sampled_from(alike.get(step, ["1"]))
            )
        elif isinstance(holder, list):
            del holder[step]
        elif data.draw(st.integers(0, 9)) == 0:
            holder[step] = data.draw(ODD_TREES)
    assert_well_formed(lint_bytes(json.dumps(tree).encode(), SHOP_JSON))


@examples(50)
@given(shops())
def test_no_small_shop_makes_it_fail(tree: Any) -> None:
    for each in (tree, as_live(tree)):
        assert_well_formed(lint_bytes(json.dumps(each, indent=1).encode(), SHOP_JSON))


def assert_well_formed(findings: list[Finding]) -> None:
    for finding in findings:
        assert finding.severity in SEVERITIES
        assert finding.code in set(Code)
        assert finding.message.isprintable()
        assert finding.path.isprintable()


def test_a_deep_graph_is_linted() -> None:
    depth = 2000
    chain = [f"id: g{place}, kind: group, mode: none, children: [g{place + 1}]" for place in range(depth)]
    graph = nodes(*chain, condition(f"g{depth}", "country", "eq", "CH"), action("a", "message", "g0", text="Hello"))
    assert found(shop(graph)) == []


def test_a_large_bundle_is_linted() -> None:
    tree = _tree(MANY)
    tree["products"] = [_product(str(id_)) for id_ in range(1001, 1201)] + tree["products"][-1:]
    (bundle,) = tree["bundles"]
    offered = [{"bundleItemId": str(id_), "platformProductId": str(id_)} for id_ in range(1001, 1201)]
    bundle["sections"] = [{"id": "1", "products": offered}]
    bundle["limitRules"].append({"type": "amount-of-one-product", "operation": "eq", "value": "2"})
    tiers = [{"type": "total_price", "operation": "gte", "value": str(n), "discount": str(n)} for n in range(1, 50)]
    bundle["discount"] = {"type": "percentage", "tiers": tiers}
    bundle["requiredProducts"], bundle["conditions"], tree["markets"] = [], [], []
    data = json.dumps(tree).encode()
    assert {finding.code for finding in lint_bytes(data, SHOP_JSON)} == {"tier-never-wins", "translation-missing"}


def _product(id_: str) -> dict[str, Any]:
    variants = [{"id": f"{id_}0{n}", "price": f"{id_}.99", "grams": "9", "optionValues": [str(n)]} for n in range(10)]
    return {"id": id_, "title": "Product", "options": [{"name": "Size"}], "variants": variants}


def test_a_shop_with_twice_the_bundles_is_read_twice_not_four_times(monkeypatch: pytest.MonkeyPatch) -> None:
    """The number of places visited in the file grows linearly with the number of bundles, not quadratically."""
    places = 0
    items = TreeNode.items

    def counting(place: TreeNode, key: str | None = None) -> list[TreeNode]:
        nonlocal places
        found = items(place, key)
        places += len(found)
        return found

    monkeypatch.setattr(TreeNode, "items", counting)

    def places_of(bundles: int) -> int:
        nonlocal places
        places = 0
        listed = "\n".join(f"- {{id: {number}, name: Box, type: native}}" for number in range(1, bundles + 1))
        lint_bytes(f"shop: {{handle: s, currency: EUR}}\nbundles:\n{listed}".encode(), SHOP_YAML)
        return places

    assert places_of(80) < 3 * places_of(40)

"""Every finding of the linter is true: each finding is checked against all small selections in the shop."""

import json
from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from decimal import Decimal

from hypothesis import given

from bundlesvc.domain.bundle import Bundle, Discount, Tier
from bundlesvc.domain.checkout.market_dependence import holds_anywhere
from bundlesvc.domain.conditions.free_items import SetAside
from bundlesvc.domain.line import in_section, total_count
from bundlesvc.domain.measures import holds
from bundlesvc.domain.pricing.selection_price import largest_product_count, own_reduction
from bundlesvc.domain.shop_files.shop_file import ShopFile
from bundlesvc.shop_file.lint import lint_bytes
from bundlesvc.shop_file.lint.findings import ERROR, Code, Finding
from bundlesvc.shop_file.loading import parse_shop_file
from tests.running.properties import examples
from tests.shop_file.lint.small_shops import Made, Tree, as_live, graph_of, selections, shops
from tests.shop_file.shop_files import SHOP_JSON

EUR = "EUR"
Claim = Callable[[ShopFile, list[Made], Finding], bool]


@examples(100)
@given(shops())
def test_no_finding_is_false(shop: Tree) -> None:
    assert_true(shop, shop)


@examples(50)
@given(shops())
def test_no_finding_is_false_for_a_live_platform(shop: Tree) -> None:
    """Findings about a shop on a live platform are true whatever the shop's products are."""
    assert_true(as_live(shop), shop)


@examples(100)
@given(shops())
def test_bundles_without_notes_have_one_discount_in_all_markets(shop: Tree) -> None:
    findings = lint_bytes(json.dumps(shop).encode(), SHOP_JSON)
    if any(finding.code == Code.BOUND_TO_A_MARKET for finding in findings):
        return
    found: dict[object, object] = {}
    for one in selections(parse_shop_file(json.dumps(shop).encode(), SHOP_JSON)):
        units = [(line.variant.id, line.section_id, line.count) for line in one.lines]
        pricing = one.priced.pricing
        value = (pricing.discount_type, pricing.discount_value)
        assert found.setdefault((*units, one.priced.amount > 0, one.facts.subscribed), value) == value


def assert_true(shop: Tree, known: Tree) -> None:
    """Check the findings for `shop` against every selection in `known`, which is the same shop with known products."""
    findings = lint_bytes(json.dumps(shop).encode(), SHOP_JSON)
    claims = [(finding, claim) for finding in findings if (claim := _claim(finding))]
    if claims:
        shop_file = parse_shop_file(json.dumps(known).encode(), SHOP_JSON)
        made = list(selections(shop_file))
        for finding, claim in claims:
            assert claim(shop_file, made, finding), finding


def _claim(finding: Finding) -> Claim | None:
    """Return the claim that must hold if the finding is true, or None if small selections cannot verify the finding."""
    if finding.severity == ERROR and finding.code != "discount-takes-all":
        return _nothing_can_be_bought
    return CLAIMS.get(finding.code)


def bought(made: Iterable[Made]) -> list[Made]:
    return [one for one in made if one.can_be_bought]


def _nothing_can_be_bought(_: ShopFile, made: list[Made], __: Finding) -> bool:
    return not bought(made)


def _discount(shop_file: ShopFile) -> Discount:
    discount = shop_file.bundles[0].discount
    assert discount
    return discount


def _place(finding: Finding) -> int:
    """Return the list index at the end of the finding's path."""
    return int(finding.path.rsplit(".", 1)[1])


def _discounted(shop_file: ShopFile, made: list[Made]) -> list[Made]:
    """Return the selections that can be bought and reach the discount's minimum."""
    minimum = _discount(shop_file).minimum or Decimal(0)
    return [one for one in bought(made) if one.priced.amount >= minimum]


def _tier_holds(tier: Tier, made: Made) -> bool:
    lines = made.priced.paid
    measures: Mapping[str, Decimal | int] = {
        "total_products": total_count(lines),
        "bulk_buy": largest_product_count(lines),
        "total_price": made.priced.amount,
    }
    return holds(measures[tier.type], tier.operation, tier.threshold)


def _minimum_is_never_reached(shop_file: ShopFile, made: list[Made], _: Finding) -> bool:
    return not _discounted(shop_file, made)


def _tier_is_never_reached(shop_file: ShopFile, made: list[Made], finding: Finding) -> bool:
    tier = _discount(shop_file).tiers[_place(finding)]
    return not any(_tier_holds(tier, one) for one in _discounted(shop_file, made))


def _tier_makes_no_difference(shop_file: ShopFile, made: list[Made], finding: Finding) -> bool:
    discount, place = _discount(shop_file), _place(finding)
    others = replace(discount, tiers=(*discount.tiers[:place], *discount.tiers[place + 1 :]))
    return all(
        own_reduction(discount, one.priced.paid, one.priced.amount, EUR).amount
        == own_reduction(others, one.priced.paid, one.priced.amount, EUR).amount
        for one in bought(made)
    )


def _nothing_is_taken_off(shop_file: ShopFile, made: list[Made], finding: Finding) -> bool:
    discount = _discount(shop_file)
    if ".tiers." in finding.path:
        discount = replace(discount, tiers=(discount.tiers[_place(finding)],))
    return all(not own_reduction(discount, one.priced.paid, one.priced.amount, EUR).amount for one in bought(made))


def _discount_never_wins(shop_file: ShopFile, made: list[Made], finding: Finding) -> bool:
    id_ = shop_file.bundles[0].conditions[_place(finding)]["id"]
    return all(one.outcome.discount is None or one.outcome.discount.action_id != id_ for one in made)


def _holds(shop_file: ShopFile, made: Made, finding: Finding) -> bool:
    graph, node = graph_of(shop_file), shop_file.bundles[0].conditions[_place(finding)]
    aside = SetAside(made.lines, [action for action in graph.actions if action["type"] == "free-item"])
    return graph._judge(aside.rest(), made.facts)[node["id"]].holds


def _meant(made: list[Made], finding: Finding) -> list[Made]:
    return bought(made) if "can be bought" in finding.message else made


def _never_holds(shop_file: ShopFile, made: list[Made], finding: Finding) -> bool:
    return not any(_holds(shop_file, one, finding) for one in _meant(made, finding))


def _always_holds(shop_file: ShopFile, made: list[Made], finding: Finding) -> bool:
    return all(_holds(shop_file, one, finding) for one in _meant(made, finding))


def _market_is_out_of_reach(_: ShopFile, made: list[Made], __: Finding) -> bool:
    return not any(one.country == "US" for one in bought(made))


def _alternative_is_never_met(shop_file: ShopFile, made: list[Made], finding: Finding) -> bool:
    bundle: Bundle = shop_file.bundles[0]
    rule = bundle.limit_rules[_place(finding)]
    if rule.type != "total-number-of-products":
        return True
    owing = [one for one in bought(made) if rule.section_id not in one.outcome.hidden_sections]
    return not any(total_count(in_section(one.priced.paid, rule.section_id)) == rule.limit for one in owing)


def _is_hidden_whenever_it_fires(shop_file: ShopFile, made: list[Made], finding: Finding) -> bool:
    node = shop_file.bundles[0].conditions[_place(finding)]
    fired = [one for one in made if one.outcome.verdicts[node["id"]].holds]
    return all(node["sectionId"] in one.outcome.hidden_sections for one in fired)


def _is_always_hidden(shop_file: ShopFile, made: list[Made], finding: Finding) -> bool:
    node = shop_file.bundles[0].conditions[_place(finding)]
    return all(one.outcome.verdicts[node["id"]].holds for one in made)


def _is_bound_to_a_market(shop_file: ShopFile, made: list[Made], finding: Finding) -> bool:
    """Claim: no selection affected by the part named in the finding is promised a discount that is valid in every market."""
    bundle, graph = shop_file.bundles[0], graph_of(shop_file)
    concerned = [one for one in made if _concerns(finding, bundle, one)]
    return not any(holds_anywhere(bundle, graph, one.outcome, one.priced) for one in concerned)


def _concerns(finding: Finding, bundle: Bundle, made: Made) -> bool:
    """Whether the part named in a finding affects a selection. The bundle's own discount affects selections for which no action
    grants a discount. An action affects those to which it grants its discount or its free product. Any other part affects all
    selections."""
    parts = finding.path.removeprefix("bundles.0.").split(".")
    if parts[0] == "discount":
        return made.outcome.discount is None
    node = bundle.conditions[int(parts[1])] if parts[0] == "conditions" else None
    if node is None or node["kind"] != "action":
        return True
    if node["type"] == "discount":
        return made.outcome.discount is not None and made.outcome.discount.action_id == node["id"]
    free = {line.variant.id for line in made.outcome.granted}
    return made.outcome.verdicts[node["id"]].holds and int(node["variantId"]) in free


def _hides_nothing(shop_file: ShopFile, made: list[Made], finding: Finding) -> bool:
    node = shop_file.bundles[0].conditions[_place(finding)]
    chosen = (in_section(one.lines, node["sectionId"]) for one in made)
    return not any(line.product.id == int(node["productId"]) for lines in chosen for line in lines)


CLAIMS: Mapping[str, Claim] = {
    "minimum-never-reached": _minimum_is_never_reached,
    "tier-never-reached": _tier_is_never_reached,
    "tier-never-wins": _tier_makes_no_difference,
    "discount-takes-nothing": _nothing_is_taken_off,
    "discount-never-wins": _discount_never_wins,
    "condition-never-holds": _never_holds,
    "condition-always-holds": _always_holds,
    "market-out-of-reach": _market_is_out_of_reach,
    "eq-out-of-bounds": _alternative_is_never_met,
    "goto-hidden-section": _is_hidden_whenever_it_fires,
    "always-hidden": _is_always_hidden,
    "hides-nothing": _hides_nothing,
    "bound-to-a-market": _is_bound_to_a_market,
}

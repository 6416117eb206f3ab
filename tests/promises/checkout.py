"""Calculates the charge for a cart: applies the operations of both exports of the function, the merges and the discounts, in
exact arithmetic.

The platform's documentation does not say how a percentage is rounded, and it is ambiguous about whether the platform rejects
every merge of a cart in which any line has a selling plan. So a charge is calculated for each combination of the possible
interpretations.
"""

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from itertools import product

from tests.cart_transform.module import DISCOUNT, MERGE
from tests.promises.amounts import DECIMALS, half_down, half_up, text
from tests.promises.carts import Cart, line_data, run
from tests.promises.markets import Json

Round = Callable[[Fraction, int], Fraction]


@dataclass(frozen=True)
class Charge:
    """The charge for the lines of each configured bundle, the charge for everything else, and the reasons why bundles got no
    discount."""

    bundles: dict[str, Fraction]
    others: Fraction
    reasons: dict[str, str]


def charges(cart: Cart) -> list[Charge]:
    """Calculate the charge under each reading of the platform's rules: amounts are rounded half up or half down; if any line has
    a selling plan, either all merges are rejected or only those of lines with a plan."""
    merges, reasons = run(cart, [line_data(cart, line) for line in cart.lines], MERGE)
    strict = any(line.plan for line in cart.lines)
    readings = [(rounded, rejects) for rounded, rejects in product((half_up, half_down), {False, strict})]
    return [_charge(cart, merges, reasons, rounded, rejects_all=rejects) for rounded, rejects in readings]


def _charge(cart: Cart, merges: list[Json], reasons: list[str], rounded: Round, *, rejects_all: bool) -> Charge:
    by_id = {f"gid://shopify/CartLine/{line.id}": line for line in cart.lines}
    left = {id_: line_data(cart, line) for id_, line in by_id.items()}
    costs = {id_: line.amount for id_, line in by_id.items()}
    for operation in merges:
        merge = operation["linesMerge"]
        ids = [each["cartLineId"] for each in merge["cartLines"]]
        assert all(each["quantity"] == by_id[each["cartLineId"]].quantity for each in merge["cartLines"])
        if rejects_all or any(by_id[id_].plan for id_ in ids):
            continue
        off = Fraction(merge["price"]["percentageDecrease"]["value"]) if merge.get("price") else Fraction(0)
        full = sum((costs[id_] for id_ in ids), Fraction(0))
        _share(costs, ids, rounded(full * (1 - off / 100), DECIMALS[cart.currency]))
        attributes = {each["key"]: each["value"] for each in merge["attributes"]}
        merged = sum((costs[id_] for id_ in ids), Fraction(0))
        for id_ in ids:
            del left[id_]
        left[ids[0]] = {
            "id": ids[0],
            "quantity": 1,
            "attribute": attributes,
            "cost": {"amountPerQuantity": {"amount": text(merged), "currencyCode": cart.currency}},
            "sellingPlanAllocation": None,
            "merchandise": {"id": merge["parentVariantId"]},
        }
    operations, others = run(cart, list(left.values()), DISCOUNT)
    for operation in operations:
        for candidate in operation["productDiscountsAdd"]["candidates"]:
            _discount(cart, candidate, costs, rounded)
    named = {id_: line.configured for id_, line in by_id.items()}
    return Charge(
        {
            configured: sum((costs[id_] for id_, name in named.items() if name == configured), Fraction(0))
            for configured in {name for name in named.values() if name}
        },
        sum((costs[id_] for id_, name in named.items() if name is None), Fraction(0)),
        _reasons(reasons) | _reasons(others),
    )


def _share(costs: dict[str, Fraction], ids: list[str], amount: Fraction) -> None:
    """Assign the amount of a merged line to the first of its component lines, and zero to the others."""
    for id_ in ids:
        costs[id_] = Fraction(0)
    costs[ids[0]] = amount


def _discount(cart: Cart, candidate: Json, costs: dict[str, Fraction], rounded: Round) -> None:
    ids = [target["cartLine"]["id"] for target in candidate["targets"]]
    full = sum((costs[id_] for id_ in ids), Fraction(0))
    value = candidate["value"]
    if "percentage" in value:
        off = rounded(full * Fraction(value["percentage"]["value"]) / 100, DECIMALS[cart.currency])
    else:
        assert not value["fixedAmount"].get("appliesToEachItem")
        off = rounded(Fraction(value["fixedAmount"]["amount"]), DECIMALS[cart.currency])
    _share(costs, ids, full - min(off, full))


def _reasons(log: list[str]) -> dict[str, str]:
    """Return the reasons why bundles got no discount, by configured bundle. `selling_plan` is left out: it only means that the
    function's other export makes the decision."""
    found = (each.split(" ") for each in log)
    return {words[0]: words[-1] for words in found if words[-1] != "selling_plan"}

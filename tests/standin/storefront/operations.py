"""Applies the operations returned by functions to the lines of a checkout.

Where the platform does not document how it rounds, amounts are rounded half up.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from decimal import Decimal
from typing import Any

from bundlesvc.domain.money import HUNDRED, ZERO, round_presentment
from tests.standin.data.shop import Shop
from tests.standin.mutations.subjects import number_of
from tests.standin.storefront.inputs import InputLine

MERGED = "-merged"
"""The suffix that is appended to the id of the first part to form the id of a merged line."""


class ResultRefused(Exception):
    """Raised when the platform would not accept the result of a function. The message says why."""


@dataclass(frozen=True)
class Charge:
    """A line of the checkout. `parts` are the lines of which a merged line consists. `off` holds the discounts applied, each with
    its amount and message."""

    line: InputLine
    title: str
    amount: Decimal
    parts: tuple[InputLine, ...] = ()
    off: tuple[tuple[str, Decimal], ...] = ()

    @property
    def full(self) -> Decimal:
        """The amount before discounts."""
        return sum((part.amount for part in self.parts), ZERO) if self.parts else self.line.amount


def merged(shop: Shop, charges: Sequence[Charge], operations: Sequence[Any], currency: str) -> list[Charge]:
    """Apply all `linesMerge` operations to the charges, or none of them. Raises ResultRefused."""
    left = {charge.line.id: charge for charge in charges}
    if operations and shop.rejects_merges_of_plans and any(charge.line.plan for charge in charges):
        raise ResultRefused("a line of the cart has a selling plan: nothing can be merged")
    made: list[Charge] = []
    for operation in operations:
        if set(operation) != {"linesMerge"}:
            raise ResultRefused(f"{', '.join(operation)}: only linesMerge is known to the stand-in")
        made.append(_merge(shop, left, operation["linesMerge"], currency))
    return [*made, *left.values()]


def _merge(shop: Shop, left: dict[str, Charge], merge: Mapping[str, Any], currency: str) -> Charge:
    parent = shop.variant(number_of("ProductVariant", merge["parentVariantId"]))
    if parent is None:
        raise ResultRefused(f"{merge['parentVariantId']} does not exist")
    parts = tuple(_taken(left, given["cartLineId"], given["quantity"]) for given in merge["cartLines"])
    if not parts:
        raise ResultRefused("a merge without lines")
    percentage = _percentage(merge)
    full = sum((part.amount for part in parts), ZERO)
    amount = round_presentment(full * (1 - percentage / HUNDRED), currency)
    attributes = {each["key"]: each["value"] for each in merge.get("attributes") or ()}
    line = InputLine(f"{parts[0].id}{MERGED}", 1, attributes, *parent, unit_price=amount)
    off = ((f"{percentage.normalize():f}%", full - amount),) if percentage else ()
    return Charge(line, merge.get("title") or parent[0].title, amount, parts, off)


def _taken(left: dict[str, Charge], line_id: str, quantity: int) -> InputLine:
    """From a line, take `quantity` units that have not been merged yet, and return them as a separate line. Raises
    ResultRefused."""
    charge = left.get(line_id)
    if charge is None or not 0 < quantity <= charge.line.quantity:
        raise ResultRefused(f"{line_id} has no {quantity} units left")
    if charge.line.plan is not None:
        raise ResultRefused(f"{line_id} has a selling plan: it cannot be merged")
    rest = replace(charge.line, quantity=charge.line.quantity - quantity)
    if rest.quantity:
        left[line_id] = Charge(rest, charge.title, rest.amount)
    else:
        del left[line_id]
    return replace(charge.line, quantity=quantity)


def _percentage(merge: Mapping[str, Any]) -> Decimal:
    decrease = (merge.get("price") or {}).get("percentageDecrease")
    percentage = Decimal(str(decrease["value"])) if decrease else ZERO
    if not 0 <= percentage <= HUNDRED:
        raise ResultRefused(f"a decrease by {percentage}%")
    return percentage


def discounted(charges: Sequence[Charge], operations: Sequence[Any], currency: str) -> list[Charge]:
    """Apply `productDiscountsAdd` operations to the charges. Raises ResultRefused."""
    found = {charge.line.id: charge for charge in charges}
    for operation in operations:
        if set(operation) != {"productDiscountsAdd"}:
            raise ResultRefused(f"{', '.join(operation)}: only productDiscountsAdd is known to the stand-in")
        for candidate in _chosen(operation["productDiscountsAdd"], found):
            _discount(candidate, found, currency)
    return list(found.values())


def _chosen(discounts: Mapping[str, Any], charges: Mapping[str, Charge]) -> Sequence[Mapping[str, Any]]:
    """Return the candidates that the selection strategy chooses."""
    candidates: Sequence[Mapping[str, Any]] = discounts["candidates"]
    if discounts["selectionStrategy"] == "ALL":
        return candidates
    if discounts["selectionStrategy"] == "FIRST":
        return candidates[:1]
    return sorted(candidates, key=lambda one: -sum(amount for _, amount in _amounts(one, charges)))[:1]


def _discount(candidate: Mapping[str, Any], charges: dict[str, Charge], currency: str) -> None:
    message = candidate.get("message") or ""
    for line_id, wanted in _amounts(candidate, charges):
        charge = charges[line_id]
        amount = min(charge.amount, round_presentment(wanted, currency))
        charges[line_id] = replace(charge, amount=charge.amount - amount, off=(*charge.off, (message, amount)))


def _amounts(candidate: Mapping[str, Any], charges: Mapping[str, Charge]) -> Iterator[tuple[str, Decimal]]:
    """Yield, for each cart line that a discount candidate targets, the amount that the candidate takes off the line, before
    rounding."""
    targets = [_target(target["cartLine"], charges) for target in candidate["targets"]]
    value = candidate["value"]
    if "percentage" in value:
        for charge, quantity in targets:
            yield (
                charge.line.id,
                charge.line.unit_price * quantity * Decimal(str(value["percentage"]["value"])) / HUNDRED,
            )
        return
    fixed, full = (
        Decimal(str(value["fixedAmount"]["amount"])),
        sum((charge.line.unit_price * quantity for charge, quantity in targets), ZERO),
    )
    for charge, quantity in targets:
        if value["fixedAmount"]["appliesToEachItem"]:
            yield charge.line.id, fixed * quantity
        else:
            yield charge.line.id, fixed * charge.line.unit_price * quantity / full if full else ZERO


def _target(target: Mapping[str, Any], charges: Mapping[str, Charge]) -> tuple[Charge, int]:
    charge = charges.get(target["id"])
    quantity = target.get("quantity")
    if charge is None or (quantity is not None and not 0 < quantity <= charge.line.quantity):
        raise ResultRefused(f"{target['id']} has no {quantity} units")
    return charge, charge.line.quantity if quantity is None else quantity

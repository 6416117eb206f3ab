"""Renders the response body of a completion as plain data."""

from collections.abc import Sequence
from typing import Any

from bundlesvc.api.responses import rendering
from bundlesvc.domain.completion.difference import Change
from bundlesvc.domain.completion.impossible import Reason
from bundlesvc.domain.money import amount_text
from bundlesvc.services.completion.complete_selection import Completion, Solution

Json = dict[str, Any]


def completion(found: Completion) -> Json:
    reasons = _reasons(found.reasons)
    bound = found.bound
    return {
        "solutions": [_solution(solution, reasons) for solution in found.solutions],
        "proven": found.proven,
        "bound": bound and {"changes": bound.changes, "price": amount_text(bound.price)},
        "impossible": None if found.impossible is None else _reasons(found.impossible),
    }


def _solution(solution: Solution, reasons: list[Json]) -> Json:
    difference, quote = solution.difference, solution.quote
    return {
        "products": [rendering.selected_unit(item) for item in difference.items],
        "pricing": rendering.price(quote.priced.pricing, quote.presentment),
        "added": [_change(change) for change in difference.added],
        "removed": [_change(change) for change in difference.removed],
        "reasons": reasons,
    }


def _change(change: Change) -> Json:
    return {**rendering.selected_unit(change.item), "quantity": change.quantity}


def _reasons(reasons: Sequence[Reason]) -> list[Json]:
    return [reason._asdict() for reason in reasons]

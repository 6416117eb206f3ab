"""Explanations of why a selection cannot be completed: the rules and facts that conflict."""

from collections.abc import Iterator, Sequence
from decimal import Decimal

import pytest

from bundlesvc.domain.bundle import LimitRule, RequiredProduct
from bundlesvc.domain.completion.impossible import Explanation, Fact, LeftOut
from bundlesvc.domain.completion.task import Task, UnitKind, Wishes
from bundlesvc.domain.conditions.condition_types import Facts
from tests.domain.builders import EUR, bundle, line_of, offer, product, rule, section, variant
from tests.domain.completion.brute_force import best, searched
from tests.domain.completion.random_tasks import random_task

NO_WISHES = Wishes()
TEA, JAM = product(1, variant(11, price="4.00", stock=2)), product(2, variant(21, price="6.00"))
TOTAL, PRICE = "total-number-of-products", "bundle-price"


def explained(
    *rules: LimitRule,
    required: tuple[RequiredProduct, ...] = (),
    conditions: tuple[dict[str, str], ...] = (),
    wishes: Wishes = NO_WISHES,
) -> set[str]:
    """The reasons why a box of tea and jam cannot be completed, as codes with their rules."""
    made = bundle(
        sections=(section(1, offer(1), offer(2)),),
        limit_rules=rules,
        required_products=required,
        conditions=conditions,
    )
    kinds = tuple(UnitKind(line_of(each, each.variants[0].id), 0, grows=True) for each in (TEA, JAM))
    task = Task(made, made.graph, kinds, Facts("kg"), EUR, {}, wishes)
    _, explanation = explanation_of(task, 20_000)
    assert explanation.smallest
    return {f"{reason.code} {reason.rule}".strip() for reason in explanation.reasons}


NO_MORE_THAN_3 = rule(TOTAL, "lte", "3")


@pytest.mark.parametrize(
    ("rules", "others", "reasons"),
    [
        ((NO_MORE_THAN_3, rule(TOTAL, "gte", "5")), {}, {"limit_not_met limitRules.0", "limit_not_met limitRules.1"}),
        (
            (rule("number-of-different-products", "gte", "1"), NO_MORE_THAN_3, rule("multiples-of", "", "4")),
            {},
            {"limit_not_met limitRules.1", "limit_not_met limitRules.2"},
        ),
        (
            (NO_MORE_THAN_3,),
            {"required": (RequiredProduct(1, (), 3),)},
            {"sold_out", "required_missing requiredProducts.0"},
        ),
        (
            (NO_MORE_THAN_3, rule(TOTAL, "gte", "3")),
            {"wishes": Wishes(budget=Decimal("10.00"))},
            {"over_budget", "limit_not_met limitRules.1"},
        ),
        (
            (NO_MORE_THAN_3,),
            {"conditions": ({"id": "a", "kind": "action", "type": "block-cart", "text": "Closed."},)},
            {"conditions conditions"},
        ),
    ],
)
def test_reasons(rules: tuple[LimitRule, ...], others: dict[str, object], reasons: set[str]) -> None:
    assert explained(*rules, **others) == reasons  # type: ignore[arg-type] # each value has the type of its parameter


def test_no_reason_of_random_shops_can_be_left_out() -> None:
    """No reason that explains why a completion is impossible can be left out.

    Brute force finds no selection when all the reasons apply, but it finds one when any single reason is left out."""
    explained = [explanation_of(task, WORK) for task in impossible_tasks(30)]
    smallest = [(task, explanation) for task, explanation in explained if explanation.smallest]
    assert len(smallest) > len(explained) / 2
    for task, explanation in smallest:
        others = [fact for fact in explanation.facts if fact not in explanation.needed]
        assert best(without(others).of(task)) == []
        for each in explanation.needed:
            assert searched(without([*others, each]).of(task), WORK).result.found


def test_without_work_some_reasons_may_be_left_out() -> None:
    """With a work limit of 0, some of the reported reasons may be superfluous, but together they still rule out every
    selection."""
    explained = [(task, explanation_of(task, 0)[1]) for task in impossible_tasks(20)]
    assert not all(explanation.smallest for _, explanation in explained)
    for task, explanation in explained:
        others = [fact for fact in explanation.facts if fact not in explanation.needed]
        assert best(without(others).of(task)) == []


WORK = 4000


def impossible_tasks(shops: int) -> Iterator[Task]:
    return (task for task in map(random_task, range(shops)) if not best(task))


def explanation_of(task: Task, most_work: int) -> tuple[Task, Explanation]:
    explanation = Explanation(task, most_work)
    for _ in explanation.run():
        pass
    return task, explanation


def without(facts: Sequence[Fact]) -> LeftOut:
    left_out = LeftOut()
    for fact in facts:
        left_out = fact.leave_out(left_out)
    return left_out

"""Limit rules: when a rule is met, and the fault when it is not (docs/contract.md#limit-rules)."""

from collections.abc import Callable, Iterator, Sequence
from decimal import ROUND_CEILING, ROUND_FLOOR, ROUND_HALF_UP, Decimal
from fractions import Fraction
from typing import Any

from bundlesvc.domain.bundle import LimitRule
from bundlesvc.domain.errors import Fault
from bundlesvc.domain.line import in_section
from bundlesvc.domain.measures import GRAMS_PER_UNIT, MONEY, WEIGHT, holds, in_grams
from bundlesvc.domain.money import ZERO, exponent, plain_text
from bundlesvc.domain.pricing.selection_price import PricedSelection
from bundlesvc.domain.rules.rule_types import Measure, Measured, type_of
from bundlesvc.immutable import immutable

_OPERATION_WORDS = {"gt": "more than", "gte": "at least", "lt": "less than", "lte": "at most", "eq": "exactly"}
_MILLI = Decimal("0.001")

THIS_SECTION = "this section"


@immutable
class Scope:
    """The input to limit rules: the priced selection without its free units, and the shop's weight unit."""

    priced: PricedSelection
    weight_unit: str


def check_limit_rules(
    rules: Sequence[LimitRule], scope: Scope, void_sections: frozenset[int] = frozenset()
) -> list[Fault]:
    """Return the fault of every rule that is not met, in the order of the bundle's rules. Rules of void (hidden) sections are
    skipped."""
    if _are_met(rules, scope, void_sections):
        return []  # the usual case, for which no alternatives are needed
    active = [group for group in alternatives_of(rules) if rules[group[0]].section_id not in void_sections]
    failures = [failure for group in active for failure in _check_alternatives(rules, group, scope)]
    return [fault for _, fault in sorted(failures, key=lambda failure: failure[0])]


def count_test(rules: Sequence[LimitRule]) -> Callable[[int], bool]:
    """Return a function that says whether a count meets all these rules. All the rules must apply to the same count. `eq` rules
    of the same type are alternatives."""
    groups = [[(rules[place], rules[place].limit) for place in group] for group in alternatives_of(rules)]

    def meets(count: int) -> bool:
        measured = Decimal(count)
        return all(any(_meets(rule, measured, limit) for rule, limit in group) for group in groups)

    return meets


def demand(rules: Sequence[LimitRule], weight_unit: str, currency: str, section: str = THIS_SECTION) -> str:
    """Describe a rule in a sentence that does not depend on a selection. If there are several rules, they are alternatives.
    `section` is the name of the section to which the rules apply."""
    first, row = rules[0], type_of(rules[0])
    demanded = row.sentence.partition("; now")[0]
    wanted = _wanted(first, [rule.value for rule in rules] if len(rules) > 1 else [])
    unit = weight_unit if row.unit == WEIGHT else currency
    return f"{demanded.format(where=_where(first, section), wanted=wanted, unit=unit, subject='each')}."


def alternatives_of(rules: Sequence[LimitRule]) -> list[list[int]]:
    """Group the positions of the rules: `eq` rules of the same type and scope are alternatives, and any other rule is a group of
    its own."""
    groups: dict[tuple[str, int | None] | int, list[int]] = {}
    for place, rule in enumerate(rules):
        together = rule.operation == "eq" and not type_of(rule).is_multiple
        groups.setdefault((rule.type, rule.section_id) if together else place, []).append(place)
    return list(groups.values())


def _are_met(rules: Sequence[LimitRule], scope: Scope, void_sections: frozenset[int]) -> bool:
    """Whether every rule is met, even without its alternatives. Rules with the same measure share its result: usually, one of
    them is the minimum and the other the maximum."""
    results: dict[tuple[Measure, int | None], Sequence[Measured]] = {}
    for rule in rules:
        if rule.section_id in void_sections:
            continue
        key = type_of(rule).measure, rule.section_id
        if key not in results:
            results[key] = _measure(rule, scope)
        if _failures(rule, results[key], scope):
            return False
    return True


def _check_alternatives(rules: Sequence[LimitRule], places: Sequence[int], scope: Scope) -> Iterator[tuple[int, Fault]]:
    """If none of the alternative rules is met, yield the faults of the rule that is closest to being met, each with that rule's
    position. If there are several alternatives, yield only the first of these faults."""
    measured = _measure(rules[places[0]], scope)
    failed = {place: _failures(rules[place], measured, scope) for place in places}
    if not all(failed.values()):
        return
    nearest = min(places, key=lambda place: sum(_distance(rules[place], one, scope) for one in failed[place]))
    alternatives = [rules[place].value for place in places] if len(places) > 1 else []
    for one in failed[nearest][:1] if alternatives else failed[nearest]:
        yield nearest, _fault(nearest, rules[nearest], one, alternatives, scope)


def _measure(rule: LimitRule, scope: Scope) -> Sequence[Measured]:
    lines = in_section(scope.priced.paid, rule.section_id)
    return type_of(rule).measure(lines, rule.section_id, scope.priced)


def _failures(rule: LimitRule, measured: Sequence[Measured], scope: Scope) -> list[Measured]:
    """Return the measurements that do not meet a rule."""
    limit = _limit(rule, scope)
    return [one for one in measured if not _meets(rule, one.actual, limit)]


def _meets(rule: LimitRule, actual: Decimal, limit: Decimal) -> bool:
    if type_of(rule).is_multiple:
        return not limit or (actual > 0 and actual % limit == 0)
    return holds(actual, rule.operation, limit)


def _limit(rule: LimitRule, scope: Scope) -> Decimal:
    """Return the rule's limit in the unit in which selections are measured: grams for weights."""
    return in_grams(rule.limit, scope.weight_unit) if type_of(rule).unit == WEIGHT else rule.limit


def _distance(rule: LimitRule, measured: Measured, scope: Scope) -> Decimal:
    return abs(measured.actual - _limit(rule, scope))


def _missing(rule: LimitRule, measured: Measured, scope: Scope) -> Decimal:
    """Return how much must be added to meet the rule; 0 when there is already too much."""
    if type_of(rule).is_multiple:
        step = Fraction(rule.limit).numerator  # the smallest whole number that is a multiple of the limit
        return step - measured.actual % step
    limit = _limit(rule, scope)
    if rule.operation not in ("gt", "gte", "eq") or measured.actual > limit:
        return ZERO
    return _target(rule, limit, scope) - measured.actual


def _target(rule: LimitRule, limit: Decimal, scope: Scope) -> Decimal:
    """Return the smallest amount that meets the rule. For `gt`, it is one step above the limit."""
    unit = type_of(rule).unit
    if unit == WEIGHT:
        return limit + 1 if rule.operation == "gt" else limit
    step = Decimal(1).scaleb(-exponent(scope.priced.pricing.currency)) if unit == MONEY else Decimal(1)
    if rule.operation == "gt":
        return ((limit / step).to_integral_value(ROUND_FLOOR) + 1) * step
    return (limit / step).to_integral_value(ROUND_CEILING) * step


def _fault(place: int, rule: LimitRule, measured: Measured, alternatives: Sequence[str], scope: Scope) -> Fault:
    actual = _in_rule_unit(rule, measured.actual, scope)
    missing = _in_rule_unit(rule, _missing(rule, measured, scope), scope)
    extra: dict[str, Any] = {
        "rule": rule.type,
        "unit": type_of(rule).unit,
        "operation": rule.operation,
        "sectionId": rule.section_id,
        "limit": rule.value,
        "actual": actual,
        "missing": missing,
        **dict(measured.names),
    }
    if alternatives:
        extra["alternatives"] = list(alternatives)
    return Fault(f"limitRules.{place}", "limit_not_met", _sentence(rule, measured, alternatives, actual, scope), extra)


def _in_rule_unit(rule: LimitRule, number: Decimal, scope: Scope) -> str:
    if type_of(rule).unit == WEIGHT:
        number = (number / GRAMS_PER_UNIT[scope.weight_unit]).quantize(_MILLI, ROUND_HALF_UP)
    return plain_text(number)


def _sentence(rule: LimitRule, measured: Measured, alternatives: Sequence[str], actual: str, scope: Scope) -> str:
    """Describe the rule and the current amount in a sentence for shoppers."""
    row, wanted = type_of(rule), _wanted(rule, alternatives)
    unit = scope.weight_unit if row.unit == WEIGHT else scope.priced.pricing.currency
    return row.sentence.format(where=_where(rule), wanted=wanted, unit=unit, subject=measured.subject, actual=actual)


def _where(rule: LimitRule, section: str = THIS_SECTION) -> str:
    return section if rule.section_id is not None else "the bundle"


def _wanted(rule: LimitRule, alternatives: Sequence[str]) -> str:
    if alternatives:
        return f"exactly {', '.join(alternatives[:-1])} or {alternatives[-1]}"
    return rule.value if type_of(rule).is_multiple else f"{_OPERATION_WORDS[rule.operation]} {rule.value}"

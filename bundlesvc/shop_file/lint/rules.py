"""Checks of limit rules on their own: rules that can never be met, contradict one another or have no effect, whatever the bundle
offers."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

from bundlesvc.domain import measures
from bundlesvc.domain.rules.rule_types import RuleType
from bundlesvc.shop_file.lint.findings import Code, Remark, error_if, warning
from bundlesvc.shop_file.lint.reasoning import ANY_NUMBER, ITEMS, Limit, Numbers
from bundlesvc.shop_file.lint.subject import Subject, rule_text, unit_name

_ALL_SIZES = f"a selection has from 1 to {ITEMS.most} items"


@dataclass(frozen=True)
class _Measure:
    """The rules of one type (`row`) for a section, or for the whole bundle if `section_id` is None."""

    subject: Subject
    row: RuleType
    section_id: int | None
    limits: Sequence[Limit]

    @cached_property
    def domain(self) -> Numbers:
        """Every value that the measure can have."""
        return self.subject.limits.domain(self.row, self.section_id)

    @cached_property
    def bounds(self) -> Numbers:
        """The values of the measure that the rules allow, apart from `eq` alternatives."""
        return self.subject.limits.bounds(self.row, self.section_id)

    @cached_property
    def alternatives(self) -> list[Limit]:
        return [limit for limit in self.limits if limit.is_alternative]

    def fault(self, code: Code, limit: Limit, message: str) -> Remark:
        """Report a rule that cannot be met: as an error, or as a warning if a selection need not contain what the rule
        measures."""
        return error_if(self._must_be_met(), code, self.subject.at_limit(limit), message)

    def _must_be_met(self) -> bool:
        if self.section_id in self.subject.terms.hideable:
            return False
        return not self.row.of_each or 0 not in self.subject.limits.counts(self.section_id)


def check_rules(subject: Subject) -> Iterator[Remark]:
    measures = [_Measure(subject, *key, limits) for key, limits in subject.limits.by_measure.items()]
    for measure in measures:
        for limit in measure.limits:
            yield from _rule_without_effect(measure, limit)
            yield from _rule_never_holds(measure, limit)
        if measure.row.is_multiple:
            yield from _multiples_out_of_bounds(measure)
        else:
            yield from _bounds_contradict(measure)
            yield from _no_alternative_holds(measure)
    for measure in measures:
        yield from _eq_out_of_bounds(measure)


def _rule_without_effect(measure: _Measure, limit: Limit) -> Iterator[Remark]:
    everything = ITEMS if measure.row.unit == measures.ITEMS else ANY_NUMBER
    if everything <= limit.numbers:
        message = f"{rule_text(limit.rule)} holds for every selection."
        yield warning(Code.RULE_WITHOUT_EFFECT, measure.subject.at_limit(limit), message)


def _rule_never_holds(measure: _Measure, limit: Limit) -> Iterator[Remark]:
    if not limit.is_alternative and not limit.numbers & measure.domain:
        reason = _ALL_SIZES if measure.row.unit == measures.ITEMS else "nothing is less than 0"
        yield measure.fault(Code.RULE_NEVER_HOLDS, limit, f"{rule_text(limit.rule)} never holds: {reason}.")


def _bounds_contradict(measure: _Measure) -> Iterator[Remark]:
    """Report bounds that contradict each other. Bounds are ranges, so if no number satisfies all of them, at least two of them
    contradict each other."""
    earlier: list[Limit] = []
    for limit in measure.limits:
        if limit.is_alternative or not limit.numbers & measure.domain:
            continue
        other = next((one for one in earlier if not one.numbers & limit.numbers & measure.domain), None)
        if other is None:
            earlier.append(limit)
        elif _leave_a_fraction(limit, other):
            yield _no_whole_number(measure, limit, other)
        else:
            message = f"{rule_text(limit.rule)} contradicts {_with_place(other)}."
            yield measure.fault(Code.RULES_CONTRADICT, limit, message)


def _no_whole_number(measure: _Measure, limit: Limit, other: Limit) -> Remark:
    message = (
        f"No whole number of {unit_name(measure.row)} meets both {rule_text(limit.rule)} and {_with_place(other)}."
    )
    return measure.fault(Code.NO_WHOLE_NUMBER, limit, message)


def _with_place(limit: Limit) -> str:
    return f"{rule_text(limit.rule)} (limitRules.{limit.place})"


def _leave_a_fraction(limit: Limit, other: Limit) -> bool:
    """Whether a fraction would meet both rules, although no whole number does."""
    lower, upper = sorted((limit.rule, other.rule), key=lambda rule: rule.operation.startswith("l"))
    inclusive = lower.operation == "gte" and upper.operation == "lte"
    return lower.limit < upper.limit or (lower.limit == upper.limit and inclusive)


def _no_alternative_holds(measure: _Measure) -> Iterator[Remark]:
    """Report `eq` alternatives if none of them can be met. If at least one of them can be met, `_eq_out_of_bounds` reports those
    that cannot."""
    alternatives, bounds = measure.alternatives, measure.bounds
    if not alternatives or any(limit.numbers & bounds for limit in alternatives):
        return
    first, texts = alternatives[0], " or ".join(rule_text(limit.rule) for limit in alternatives)
    if not any(limit.numbers for limit in alternatives):
        message = f"No whole number of {unit_name(measure.row)} meets {texts}."
        yield measure.fault(Code.NO_WHOLE_NUMBER, first, message)
    elif any(limit.numbers & measure.domain for limit in alternatives):
        message = f"The other rules about the same measure never allow {texts}."
        yield measure.fault(Code.RULES_CONTRADICT, first, message)
    else:
        yield measure.fault(Code.RULE_NEVER_HOLDS, first, f"{texts} never holds: {_ALL_SIZES}.")


def _multiples_out_of_bounds(measure: _Measure) -> Iterator[Remark]:
    counts = measure.subject.limits.totals(measure.section_id)
    for limit in measure.limits:
        if limit.numbers and not counts & limit.numbers:
            message = f"The other rules allow no number of items that meets {rule_text(limit.rule)}."
            yield measure.fault(Code.MULTIPLES_OUT_OF_BOUNDS, limit, message)
        counts = counts & limit.numbers or counts


def _eq_out_of_bounds(measure: _Measure) -> Iterator[Remark]:
    """Report `eq` alternatives that no selection can meet although another alternative can be met."""
    bounds = measure.bounds
    met = [limit for limit in measure.alternatives if limit.numbers & bounds and _can_be_reached(measure, limit)]
    for limit in measure.alternatives if met else ():
        if limit not in met:
            message = f"{rule_text(limit.rule)} can never be met: the other rules, or what is offered, exclude it."
            yield warning(Code.EQ_OUT_OF_BOUNDS, measure.subject.at_limit(limit), message)


def _can_be_reached(measure: _Measure, limit: Limit) -> bool:
    """Whether the offered products can add up to a number of items that the rule allows. Rules about other measures are not
    examined."""
    subject, section_id = measure.subject, measure.section_id
    if not measure.row.counts_units or not subject.is_possible:
        return True
    if section_id is None:
        return bool(subject.by_terms.whole.counts & limit.numbers)
    counts = subject.by_terms.counts_in(section_id) & limit.numbers
    return any(subject.by_terms.counts_with(section_id, count) for count in counts)

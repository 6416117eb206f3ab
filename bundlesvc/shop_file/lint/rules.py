"""Limit rules by themselves: rules that never hold, contradict one another, or say nothing. What is for sale is not looked at."""

from collections.abc import Iterator, Sequence

from bundlesvc.domain.limit_rules import MULTIPLES_OF, PER_PRODUCT_TYPES, PRICE_TYPES, WEIGHT_TYPE
from bundlesvc.shop_file.lint.findings import ERROR, WARNING, Code, Remark, remark, warning
from bundlesvc.shop_file.lint.limits import TOTAL, Limit
from bundlesvc.shop_file.lint.ranges import ANY_NUMBER, ITEMS, Numbers
from bundlesvc.shop_file.lint.subject import Subject
from bundlesvc.shop_file.lint.words import rule_text, step_name


def check_rules(subject: Subject) -> Iterator[Remark]:
    """Every fault of the rules of one measure, and of multiples against the numbers of items."""
    for (rule_type, section_id), limits in subject.limits.by_measure.items():
        severity = severity_of(subject, rule_type, section_id)
        domain = subject.limits.domain(rule_type, section_id)
        yield from _check_each(subject, limits, domain, severity)
        if rule_type == MULTIPLES_OF:
            yield from _check_multiples(subject, limits, section_id, severity)
        else:
            yield from _check_bounds(subject, limits, domain, severity)
            yield from _check_alternatives(subject, limits, severity)


def severity_of(subject: Subject, rule_type: str, section_id: int | None) -> str:
    """How bad it is that nothing meets a rule: not so bad where a selection may do without what it measures."""
    if section_id in subject.terms.hideable:
        return WARNING
    if rule_type in PER_PRODUCT_TYPES:
        return WARNING if 0 in subject.limits.counts(section_id) else ERROR
    return ERROR


def _check_each(subject: Subject, limits: Sequence[Limit], domain: Numbers, severity: str) -> Iterator[Remark]:
    for limit in limits:
        if _says_nothing(limit):
            message = f"{rule_text(limit.rule)} holds whatever is chosen."
            yield warning(Code.RULE_WITHOUT_EFFECT, _at(subject, limit), message)
        elif not limit.is_alternative and not limit.numbers & domain:
            message = f"{rule_text(limit.rule)} never holds: a selection has from 1 to {ITEMS.most} items."
            if limit.rule.type in (*PRICE_TYPES, WEIGHT_TYPE):
                message = f"{rule_text(limit.rule)} never holds: nothing is less than 0."
            yield remark(severity, Code.RULE_NEVER_HOLDS, _at(subject, limit), message)


def _says_nothing(limit: Limit) -> bool:
    everything = ANY_NUMBER if limit.rule.type in (*PRICE_TYPES, WEIGHT_TYPE) else ITEMS
    return everything <= limit.numbers


def _check_bounds(subject: Subject, limits: Sequence[Limit], domain: Numbers, severity: str) -> Iterator[Remark]:
    """Bounds are ranges, so where several leave nothing, two of them do."""
    earlier: list[Limit] = []
    for limit in limits:
        if limit.is_alternative or not limit.numbers & domain:
            continue
        other = next((one for one in earlier if not one.numbers & limit.numbers & domain), None)
        if other is None:
            earlier.append(limit)
        elif _leave_a_fraction(limit, other):
            message = (
                f"{rule_text(limit.rule)} and {rule_text(other.rule)} (limitRules.{other.place}) leave no whole "
                f"{step_name(limit.rule.type)} between them."
            )
            yield remark(severity, Code.NO_WHOLE_NUMBER, _at(subject, limit), message)
        else:
            message = f"{rule_text(limit.rule)} contradicts {rule_text(other.rule)} (limitRules.{other.place})."
            yield remark(severity, Code.RULES_CONTRADICT, _at(subject, limit), message)


def _leave_a_fraction(limit: Limit, other: Limit) -> bool:
    """Whether a number that is not whole would meet both."""
    lower, upper = sorted((limit.rule, other.rule), key=lambda rule: rule.operation.startswith("l"))
    inclusive = lower.operation == "gte" and upper.operation == "lte"
    return lower.limit < upper.limit or (lower.limit == upper.limit and inclusive)


def _check_alternatives(subject: Subject, limits: Sequence[Limit], severity: str) -> Iterator[Remark]:
    """Alternatives that all fail; one that fails beside others that hold is `alternatives`' business."""
    alternatives = [limit for limit in limits if limit.is_alternative]
    if not alternatives:
        return
    first = alternatives[0]
    bounds = subject.limits.bounds(first.rule.type, first.rule.section_id)
    texts = " and ".join(rule_text(limit.rule) for limit in alternatives)
    if any(limit.numbers & bounds for limit in alternatives):
        return
    if not any(limit.numbers for limit in alternatives):
        message = f"{texts}: there is no whole {step_name(first.rule.type)} of that number."
        yield remark(severity, Code.NO_WHOLE_NUMBER, _at(subject, first), message)
    elif any(limit.numbers & subject.limits.domain(first.rule.type, first.rule.section_id) for limit in alternatives):
        message = f"{texts}: the other rules of this measure leave none of them."
        yield remark(severity, Code.RULES_CONTRADICT, _at(subject, first), message)
    else:
        message = f"{texts} never holds: a selection has from 1 to {ITEMS.most} items."
        yield remark(severity, Code.RULE_NEVER_HOLDS, _at(subject, first), message)


def _check_multiples(
    subject: Subject, limits: Sequence[Limit], section_id: int | None, severity: str
) -> Iterator[Remark]:
    counts = subject.limits.admitted(TOTAL, section_id)
    for limit in limits:
        if not limit.numbers:
            continue
        if counts & limit.numbers:
            counts &= limit.numbers
        else:
            message = f"{rule_text(limit.rule)}: the other rules leave no number of items that is a multiple of it."
            yield remark(severity, Code.MULTIPLES_OUT_OF_BOUNDS, _at(subject, limit), message)


def _at(subject: Subject, limit: Limit) -> tuple[str | int, ...]:
    return subject.at("limitRules", limit.place)

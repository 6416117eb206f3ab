"""`eq` alternatives (6, 12 or 24) of which some can never be: above the bundle's maximum, say, while others are fine."""

from collections.abc import Iterator

from bundlesvc.shop_file.lint.findings import Code, Remark, warning
from bundlesvc.shop_file.lint.limits import TOTAL, Limit
from bundlesvc.shop_file.lint.ranges import Numbers
from bundlesvc.shop_file.lint.subject import Subject
from bundlesvc.shop_file.lint.words import rule_text


def check_alternatives(subject: Subject) -> Iterator[Remark]:
    """Alternatives that nothing can meet, where another one of the same measure can be met."""
    for (rule_type, section_id), limits in subject.limits.by_measure.items():
        alternatives = [limit for limit in limits if limit.is_alternative]
        bounds = subject.limits.bounds(rule_type, section_id)
        met = [limit for limit in alternatives if limit.numbers & bounds and _can_be(subject, limit, section_id)]
        for limit in alternatives if met else ():
            if limit not in met:
                message = f"{rule_text(limit.rule)} can never be met: the other rules or what is offered leave it out."
                yield warning(Code.EQ_OUT_OF_BOUNDS, subject.at("limitRules", limit.place), message)


def _can_be(subject: Subject, limit: Limit, section_id: int | None) -> bool:
    """Whether a number of items can be reached; of other measures nothing more is known."""
    if limit.rule.type != TOTAL or not subject.is_possible:
        return True
    if section_id is None:
        return bool(subject.by_terms.whole.counts & limit.numbers)
    return any(_fits(subject, section_id, count) for count in subject.by_terms.counts_in(section_id) & limit.numbers)


def _fits(subject: Subject, section_id: int, count: int) -> Numbers:
    return subject.by_terms.counts_with(section_id, count)

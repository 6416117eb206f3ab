"""Checks limit rules, regardless of stock, against the products that the bundle offers, its sections, and its required
products."""

from collections.abc import Iterator
from typing import assert_never

from bundlesvc.domain.measures import ITEMS, MONEY, WEIGHT
from bundlesvc.domain.rules.rule_types import DIFFERENT, RULE_TYPES, RuleType
from bundlesvc.shop_file.lint.findings import Code, Remark, error, error_if
from bundlesvc.shop_file.lint.reasoning import ITEMS as ANY_COUNT
from bundlesvc.shop_file.lint.reasoning import ZERO_ONLY, Cause
from bundlesvc.shop_file.lint.subject import Subject, counted
from bundlesvc.shop_file.tree import TreePath


def check_totals(subject: Subject) -> Iterator[Remark]:
    """Report why no selection can meet all rules together: one reason per section, and one for the whole bundle."""
    for section in subject.bundle.sections:
        if section.id not in subject.hidden_sections and subject.limits.of_section(section.id):
            yield from _check_section(subject, section.id)
    yield from _required_out_of_bounds(subject)
    yield from _check_whole(subject)


def _check_section(subject: Subject, section_id: int) -> Iterator[Remark]:
    if not subject.terms.offers.within(section_id):
        yield _section_offers_nothing(subject, section_id)
    elif cause := subject.by_terms.sections[section_id].cause:
        yield _out_of_reach(subject, cause, section_id)


def _section_offers_nothing(subject: Subject, section_id: int) -> Remark:
    """Report rules for a section that offers nothing. The remark is an error if an empty section cannot meet one of these rules
    and no condition ever hides the section."""
    limits = subject.limits.of_section(section_id)
    owed = [limit for limit in limits if 0 not in limit.numbers and _is_owed(subject, limit.type, section_id)]
    message = f"This rule is about {subject.section_name(section_id)}, which offers nothing."
    must_be_met = owed and section_id not in subject.terms.hideable
    return error_if(must_be_met, Code.SECTION_OFFERS_NOTHING, subject.at_limit((owed or limits)[0]), message)


def _is_owed(subject: Subject, row: RuleType, section_id: int) -> bool:
    """Whether the rules of a type cannot be met by an empty section."""
    if row.of_each:
        return False
    if row.counts_units:
        return 0 not in subject.limits.counts(section_id)
    return 0 not in subject.limits.admitted(row, section_id)


def _required_out_of_bounds(subject: Subject) -> Iterator[Remark]:
    """Report required products that the rules forbid. Required products that are always hidden are reported as `always-hidden`
    instead."""
    for need in subject.by_terms.unmet:
        if any(choice.product_id == need.product_id for choice in subject.terms.offers.within(None)):
            most = subject.by_terms.products.get(need.product_id, ZERO_ONLY).most
            message = f"The bundle requires {counted(need.quantity, 'unit')}, but its rules allow at most {most}."
            yield error(Code.REQUIRED_OUT_OF_BOUNDS, subject.at("requiredProducts", need.place), message)


def _check_whole(subject: Subject) -> Iterator[Remark]:
    cause, reach = subject.by_terms.whole.cause, subject.by_terms
    if cause is Cause.REQUIRED:
        yield _all_required_out_of_bounds(subject)
    elif cause is Cause.SECTIONS:
        if not any(found.cause for found in reach.sections.values()):
            yield _totals_contradict(subject)
    elif cause and cause is not Cause.OFFER:  # `nothing-offered` reports the latter
        yield _out_of_reach(subject, cause, None)


def _all_required_out_of_bounds(subject: Subject) -> Remark:
    needed = counted(sum(need.quantity for need in subject.by_terms.met), "item")
    message = f"The required products come to {needed}, which the rules for the whole bundle do not allow."
    return error(Code.REQUIRED_OUT_OF_BOUNDS, subject.at("requiredProducts"), message)


def _totals_contradict(subject: Subject) -> Remark:
    counts = [subject.by_terms.counts_in(section_id) for section_id in subject.by_terms.sections]
    least, most = sum(count.least for count in counts), min(sum(count.most for count in counts), ANY_COUNT.most)
    message = (
        f"By their own rules, the sections take {least} to {most} items in all, but the rules for the whole bundle allow "
        "no total that they can have."
    )
    return error(Code.TOTALS_CONTRADICT, _at_types(subject, None, *_in_unit(ITEMS)), message)


def _out_of_reach(subject: Subject, cause: Cause, section_id: int | None) -> Remark:
    """Report why the offered products cannot meet the rules of a section, or of the whole bundle."""
    where = subject.section_name(section_id)
    match cause:
        case Cause.WEIGHT:
            code, types = Code.WEIGHT_UNREACHABLE, _in_unit(WEIGHT)
            message = f"Nothing that can be chosen in {where} has a weight that its rules allow."
        case Cause.PRICE:
            code, types = Code.PRICE_UNREACHABLE, _in_unit(MONEY)
            message = f"Nothing that can be chosen in {where} has a price that its rules allow."
        case Cause.DIFFERENT:
            code, message = _different(subject, section_id)
            types = [DIFFERENT]
        case Cause.AMOUNTS | Cause.OFFER | Cause.REQUIRED | Cause.SECTIONS:
            code, types = Code.AMOUNTS_CONTRADICT, [row for row in _in_unit(ITEMS) if not row.counts_units]
            message = (
                f"The allowed units of each product or variant cannot add up to a number of items that {where} allows."
            )
        case _:
            assert_never(cause)
    return error_if(section_id not in subject.terms.hideable, code, _at_types(subject, section_id, *types), message)


def _in_unit(unit: str) -> list[RuleType]:
    return [row for row in RULE_TYPES.values() if row.unit == unit]


def _different(subject: Subject, section_id: int | None) -> tuple[Code, str]:
    where = subject.section_name(section_id)
    offered, needed = subject.by_terms.products_offered(section_id), subject.limits.admitted(DIFFERENT, section_id)
    if needed.least > offered:
        message = f"The rules ask for {needed.least} different products in {where}, but only {offered} can be chosen."
        return Code.TOO_FEW_PRODUCTS, message
    message = f"No number of items that {where} allows fits the number of different products that it allows."
    return Code.AMOUNTS_CONTRADICT, message


def _at_types(subject: Subject, section_id: int | None, *types: RuleType) -> TreePath:
    """Return the path of the first rule of these types for the section, or otherwise for the whole bundle. When there is no such
    rule, return the path of all rules."""
    for scope in dict.fromkeys((section_id, None)):
        limits = [limit for row in types for limit in subject.limits.of(row, scope)]
        if limits:
            return subject.at_limit(min(limits, key=lambda limit: limit.place))
    return subject.at("limitRules")

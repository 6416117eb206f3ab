"""Limit rules against what the bundle offers, against its sections and against its required products, whatever is in stock."""

from collections.abc import Iterator

from bundlesvc.domain.limit_rules import COUNT_TYPES, PER_PRODUCT_TYPES, PRICE_TYPES, WEIGHT_TYPE
from bundlesvc.shop_file.document import TreePath
from bundlesvc.shop_file.lint.findings import ERROR, WARNING, Code, Remark, error, remark
from bundlesvc.shop_file.lint.limits import DIFFERENT, EACH_PRODUCT, EACH_VARIANT
from bundlesvc.shop_file.lint.narrowing import Cause
from bundlesvc.shop_file.lint.ranges import ITEMS, ZERO_ONLY
from bundlesvc.shop_file.lint.subject import Subject
from bundlesvc.shop_file.lint.words import counted

_COUNTED = (*COUNT_TYPES, *PER_PRODUCT_TYPES)


def check_totals(subject: Subject) -> Iterator[Remark]:
    """Why no selection can meet all rules at once: one reason for each section, and one for the whole."""
    for section in subject.bundle.sections:
        if section.id not in subject.hidden_sections:
            yield from _check_section(subject, section.id)
    yield from _check_required(subject)
    yield from _check_whole(subject)


def _check_section(subject: Subject, section_id: int) -> Iterator[Remark]:
    severity = WARNING if section_id in subject.terms.hideable else ERROR
    limits = subject.limits.of_section(section_id)
    if not limits:
        return
    if not subject.terms.offers.within(section_id):
        owing = [limit for limit in limits if 0 not in limit.numbers and _is_owed(subject, limit.rule.type, section_id)]
        limit = owing[0] if owing else limits[0]
        message = f"This is a rule about {subject.section_name(section_id)}, which offers nothing."
        yield remark(
            severity if owing else WARNING, Code.SECTION_OFFERS_NOTHING, _at_rule(subject, limit.place), message
        )
        return
    cause = subject.by_terms.sections[section_id].cause
    if cause:
        yield _explained(subject, cause, section_id, severity)


def _is_owed(subject: Subject, rule_type: str, section_id: int) -> bool:
    """Whether the rules of a measure ask for something, even of a section of which nothing is chosen."""
    if rule_type in PER_PRODUCT_TYPES:
        return False
    if rule_type in COUNT_TYPES and rule_type != DIFFERENT:
        return 0 not in subject.limits.counts(section_id)
    return 0 not in subject.limits.admitted(rule_type, section_id)


def _check_required(subject: Subject) -> Iterator[Remark]:
    """Requirements that the rules forbid; of products that are always hidden `actions` speaks."""
    for need in subject.by_terms.unmet:
        most = subject.by_terms.products.get(need.product_id, ZERO_ONLY).most
        if any(choice.product_id == need.product_id for choice in subject.terms.offers.within(None)):
            message = f"Required: {counted(need.quantity, 'unit')}; the rules allow at most {most}."
            path = subject.at("requiredProducts", need.place)
            yield error(Code.REQUIRED_OUT_OF_BOUNDS, path, message)


def _check_whole(subject: Subject) -> Iterator[Remark]:
    cause, reach = subject.by_terms.whole.cause, subject.by_terms
    if cause is Cause.REQUIRED:
        needed = sum(need.quantity for need in reach.met)
        message = (
            f"The required products are {counted(needed, 'item')}, which the rules for the whole bundle do not allow."
        )
        yield error(Code.REQUIRED_OUT_OF_BOUNDS, subject.at("requiredProducts"), message)
    elif cause is Cause.SECTIONS and not any(found.cause for found in reach.sections.values()):
        least = sum(reach.counts_in(section_id).least for section_id in reach.sections)
        most = sum(reach.counts_in(section_id).most for section_id in reach.sections)
        message = (
            f"The sections take at least {least} and at most {min(most, ITEMS.most)} items by their own rules, in numbers "
            "that the rules for the whole bundle do not allow."
        )
        yield error(Code.TOTALS_CONTRADICT, _at_types(subject, None, *_COUNTED), message)
    elif cause and cause not in (Cause.OFFER, Cause.SECTIONS):  # of a bundle that offers nothing `buying` speaks
        yield _explained(subject, cause, None, ERROR)


def _explained(subject: Subject, cause: Cause, section_id: int | None, severity: str) -> Remark:
    """Why the rules of a section, or of the whole, cannot be met by what is offered."""
    where = "the bundle" if section_id is None else subject.section_name(section_id)
    if cause is Cause.WEIGHT:
        path = _at_types(subject, section_id, WEIGHT_TYPE)
        message = f"Nothing that can be chosen in {where} has a weight that its rules allow."
        return remark(severity, Code.WEIGHT_UNREACHABLE, path, message)
    if cause is Cause.PRICE:
        path = _at_types(subject, section_id, *PRICE_TYPES)
        message = f"Nothing that can be chosen in {where} has a price that its rules allow."
        return remark(severity, Code.PRICE_UNREACHABLE, path, message)
    if cause is Cause.DIFFERENT:
        return _explained_different(subject, section_id, severity)
    path = _at_types(subject, section_id, EACH_PRODUCT, EACH_VARIANT)
    message = (
        f"The numbers of each product or variant do not add up to a number of items that the rules of {where} allow."
    )
    return remark(severity, Code.AMOUNTS_CONTRADICT, path, message)


def _explained_different(subject: Subject, section_id: int | None, severity: str) -> Remark:
    where = "The bundle" if section_id is None else f"In {subject.section_name(section_id)} a rule"
    path = _at_types(subject, section_id, DIFFERENT)
    offered, needed = subject.by_terms.products_offered(section_id), subject.limits.admitted(DIFFERENT, section_id)
    if needed.least > offered:
        message = f"{where} asks for {needed.least} different products, and there are {offered}."
        return remark(severity, Code.TOO_FEW_PRODUCTS, path, message)
    message = f"{where} asks for a number of different products that its numbers of items do not allow."
    return remark(severity, Code.AMOUNTS_CONTRADICT, path, message)


def _at_types(subject: Subject, section_id: int | None, *types: str) -> TreePath:
    """The first rule of these types that is about this section, or else about the whole; all rules when there is none."""
    for scope in dict.fromkeys((section_id, None)):
        places = [limit.place for type_ in types for limit in subject.limits.of(type_, scope)]
        if places:
            return _at_rule(subject, min(places))
    return subject.at("limitRules")


def _at_rule(subject: Subject, place: int) -> TreePath:
    return subject.at("limitRules", place)

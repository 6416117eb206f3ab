"""Linting a shop file: every finding, in the order of the file."""

from collections.abc import Iterable, Iterator
from dataclasses import replace
from pathlib import Path

from bundlesvc.domain.bundle import Bundle
from bundlesvc.domain.shop_file import ShopFile
from bundlesvc.shop_file import scalars
from bundlesvc.shop_file.lint.conditions import check_actions, check_conditions
from bundlesvc.shop_file.lint.discounts import check_discount
from bundlesvc.shop_file.lint.findings import ERROR, WARNING, Code, Finding, Remark
from bundlesvc.shop_file.lint.for_sale import check_completeness, check_markets, check_stock
from bundlesvc.shop_file.lint.giveaways import check_giveaways
from bundlesvc.shop_file.lint.reasoning import Catalogue
from bundlesvc.shop_file.lint.rules import check_rules
from bundlesvc.shop_file.lint.shop_wide import check_features, check_translations
from bundlesvc.shop_file.lint.subject import Subject
from bundlesvc.shop_file.lint.totals import check_totals
from bundlesvc.shop_file.loading import FileFault, ShopFileInvalid, parse_with_lines, read_bytes
from bundlesvc.shop_file.places import Place
from bundlesvc.shop_file.tree import ParsedFile, dotted

_BUNDLE_CHECKS = (
    check_rules,
    check_totals,
    check_completeness,
    check_discount,
    check_giveaways,
    check_conditions,
    check_actions,
)


def lint_file(path: Path) -> list[Finding]:
    """Every finding in a file; the faults of a file that does not load are errors."""
    try:
        return lint_bytes(read_bytes(path), path)
    except ShopFileInvalid as invalid:
        return _faults(invalid)


def lint_bytes(data: bytes, path: Path) -> list[Finding]:
    """The same for the bytes of a file; `path` is only its name."""
    try:
        parsed, shop_file = parse_with_lines(data, path)
    except ShopFileInvalid as invalid:
        return _faults(invalid)
    remarks = _remarks(parsed, shop_file)
    found = [_finding(path, parsed, remark) for remark in remarks]
    return sorted(found, key=lambda finding: (finding.line or 0, finding.severity))  # errors before warnings


def _faults(invalid: ShopFileInvalid) -> list[Finding]:
    return [_invalid(fault) for fault in invalid.faults]


def _invalid(fault: FileFault) -> Finding:
    return Finding(fault.file, fault.line, ERROR, Code.INVALID, fault.path, fault.message, Code.INVALID.hint)


def _finding(path: Path, parsed: ParsedFile, remark: Remark) -> Finding:
    return Finding(
        file=str(path),
        line=parsed.line_of(remark.path),
        severity=remark.severity,
        code=remark.code,
        path=dotted(remark.path),
        message=remark.message,
        hint=remark.code.hint,
    )


def _remarks(parsed: ParsedFile, shop_file: ShopFile) -> Iterator[Remark]:
    catalogue = Catalogue.of(shop_file)
    yield from check_features(shop_file)
    for bundle, place in zip(shop_file.bundles, Place((), parsed.tree).items("bundles"), strict=True):
        yield from _bundle_remarks(shop_file, catalogue, bundle, place)
    yield from check_translations(shop_file)


def _bundle_remarks(shop_file: ShopFile, catalogue: Catalogue, bundle: Bundle, place: Place) -> Iterator[Remark]:
    subject = Subject(shop_file.shop, catalogue, bundle, place.path, _section_places(place))
    remarks = [remark for check in _BUNDLE_CHECKS for remark in check(subject)]
    if not catalogue.live:
        remarks += [*check_stock(subject), *check_markets(subject, shop_file.markets)]
    yield from remarks if bundle.published else _as_warnings(remarks)


def _as_warnings(remarks: Iterable[Remark]) -> Iterator[Remark]:
    """An unpublished bundle does no harm yet."""
    for remark in remarks:
        yield replace(remark, severity=WARNING)


def _section_places(bundle: Place) -> dict[int, int]:
    """The place of each section in the file; a loaded bundle has its sections sorted by their `order`."""
    ids = (section.at("id").read(scalars.number_id) for section in bundle.items("sections"))
    return {section_id: place for place, section_id in enumerate(ids) if section_id is not None}

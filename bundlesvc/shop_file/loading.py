"""Loading a shop file (design 15): everything is validated, every fault reported, each with file, line and path."""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, TypeAlias

from marshmallow import Schema, ValidationError

from bundlesvc.domain.bundle import Bundle
from bundlesvc.domain.shop_file import ShopFile
from bundlesvc.shop_file.bundle_format import BundleSchema
from bundlesvc.shop_file.checks import check_tree
from bundlesvc.shop_file.document import Document, Finding, Unreadable, dotted
from bundlesvc.shop_file.format_fields import MISSING, NO_LIST, findings_of, unknown_key
from bundlesvc.shop_file.place import Place
from bundlesvc.shop_file.product_format import ProductSchema
from bundlesvc.shop_file.reading import read_document
from bundlesvc.shop_file.shop_format import ExperimentSchema, MarketSchema, ShopSchema

Progress: TypeAlias = Callable[[str, int, int], None]
"""Told now and then which stage is under way, and how many of how many things of it are done."""

_LISTS: dict[str, Schema] = {
    "markets": MarketSchema(),
    "products": ProductSchema(),
    "bundles": BundleSchema(),
    "experiments": ExperimentSchema(),
}
_SHOP = ShopSchema()
_KEYS = ("shop", *_LISTS)
_DEFAULT_TEMPLATE = "default"
_STEP = 100


@dataclass(frozen=True, slots=True)
class FileFault:
    """One thing wrong with a shop file; `path` is dotted, `line` None where no line can be told."""

    file: str
    line: int | None
    path: str
    message: str

    def __str__(self) -> str:
        where = self.file if self.line is None else f"{self.file}:{self.line}"
        return ": ".join(part for part in (where, self.path, self.message) if part)


class ShopFileInvalid(Exception):
    """A shop file cannot be loaded; `faults` are all the reasons, in the order of their lines."""

    def __init__(self, path: Path, faults: Iterable[FileFault]) -> None:
        super().__init__(path)
        self.path = path
        self.faults = tuple(sorted(faults, key=lambda fault: fault.line or 0))

    def __str__(self) -> str:
        """A line for each fault: `shop.yaml:41: bundles.0.discount.value: A percentage is at most 100.`"""
        return "\n".join(map(str, self.faults))


def read_shop_file(path: Path, progress: Progress | None = None) -> ShopFile:
    """The shop that a YAML or JSON file holds. Raises ShopFileInvalid."""
    return parse_shop_file(read_bytes(path), path, progress)


def read_bytes(path: Path) -> bytes:
    """What stands in a file. Raises ShopFileInvalid."""
    try:
        return path.read_bytes()
    except OSError as fault:
        message = f"The file cannot be read: {fault.strerror or fault}."
        raise ShopFileInvalid(path, [FileFault(str(path), None, "", message)]) from fault


def parse_shop_file(data: bytes, path: Path, progress: Progress | None = None) -> ShopFile:
    """The shop in the bytes of a file; `path` only names it, in faults too. Raises ShopFileInvalid."""
    return load_document(data, path, progress)[1]


def load_document(data: bytes, path: Path, progress: Progress | None = None) -> tuple[Document, ShopFile]:
    """The same, with the document that tells the line of every part."""
    progress = progress or _silence
    progress("reading", 0, 1)
    try:
        document = read_document(data, path.name)
    except Unreadable as fault:
        raise ShopFileInvalid(path, [_file_fault(path, fault.finding, fault.finding.line)]) from fault
    progress("reading", 1, 1)
    findings = list(document.findings)
    parts = _load_parts(document, findings, progress)
    if findings:
        raise ShopFileInvalid(path, _file_faults(path, document, findings))
    return document, _shop_file(**parts)


def _silence(stage: str, done: int, total: int) -> None:
    """Nobody wants to know."""


def _file_faults(path: Path, document: Document, findings: Iterable[Finding]) -> Iterator[FileFault]:
    for finding in dict.fromkeys(findings):
        yield _file_fault(path, finding, finding.line or document.line_of(finding.path))


def _file_fault(path: Path, finding: Finding, line: int | None) -> FileFault:
    return FileFault(str(path), line, dotted(finding.path), finding.message)


def _load_parts(document: Document, findings: list[Finding], progress: Progress) -> dict[str, Any]:
    """What the schemas make of the parts; every fault, of schemas and of checks, is added to `findings`."""
    top = Place((), document.tree)
    findings += (Finding((key,), unknown_key(key, _KEYS)) for key in document.tree if key not in _KEYS)
    parts: dict[str, Any] = {"shop": _load_shop(top.at("shop"), findings)}
    for key, schema in _LISTS.items():
        parts[key] = _load_list(top.at(key), schema, findings, _every_step(progress, key))
    findings += check_tree(document.tree, _every_step(progress, "references"))
    return parts


def _load_shop(shop: Place, findings: list[Finding]) -> Any:
    if shop.value is None:
        findings.append(shop.finding(MISSING))
        return None
    return _load(shop, _SHOP, findings)


def _load_list(
    place: Place, schema: Schema, findings: list[Finding], progress: Callable[[int, int], None]
) -> tuple[Any, ...]:
    if not isinstance(place.value, list | None):
        findings.append(place.finding(NO_LIST))
    items = place.items()
    loaded = []
    for done, item in enumerate(items, start=1):
        loaded.append(_load(item, schema, findings))
        progress(done, len(items))
    return tuple(loaded)


def _load(place: Place, schema: Schema, findings: list[Finding]) -> Any:
    value: Any = place.value
    try:
        return schema.load(value)
    except ValidationError as fault:
        findings += findings_of(fault.messages, place.path)
        return None


def _every_step(progress: Progress, stage: str) -> Callable[[int, int], None]:
    def tell(done: int, total: int) -> None:
        if done % _STEP == 0 or done == total:
            progress(stage, done, total)

    return tell


def _shop_file(shop: Any, bundles: tuple[Bundle, ...], **others: Any) -> ShopFile:
    template = shop.templates[0] if shop.templates else _DEFAULT_TEMPLATE
    return ShopFile(shop, bundles=tuple(_with_template(bundle, template) for bundle in bundles), **others)


def _with_template(bundle: Bundle, template: str) -> Bundle:
    return bundle if bundle.template_code else replace(bundle, template_code=template)

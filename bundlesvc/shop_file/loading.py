"""Loads a shop file. All faults are reported together, each with its file, line and path."""

import gc
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, TypeAlias

from marshmallow import Schema, ValidationError

from bundlesvc.domain.bundle import Bundle
from bundlesvc.domain.shop_files.shop_file import ShopFile
from bundlesvc.shop_file.bundle_format import BundleSchema
from bundlesvc.shop_file.checks import check_tree
from bundlesvc.shop_file.format_fields import MISSING, NO_LIST, FileSchema, faults_of, unknown_key
from bundlesvc.shop_file.parsing import parse_file
from bundlesvc.shop_file.shop_format import ExperimentSchema, MarketSchema, ProductSchema, ShopSchema
from bundlesvc.shop_file.tree import ParsedFile, Tree, TreeFault, Unreadable, dotted
from bundlesvc.shop_file.tree_nodes import TreeNode

Progress: TypeAlias = Callable[[str, int, int], None]
"""A function that is called now and then with the current stage, the number of items done in this stage, and the total number of
items in it."""


def ignore_progress(stage: str, done: int, total: int) -> None:
    """Ignore progress."""


LISTS: dict[str, FileSchema] = {
    "markets": MarketSchema(),
    "products": ProductSchema(),
    "bundles": BundleSchema(),
    "experiments": ExperimentSchema(),
}
SHOP = ShopSchema()
_KEYS = ("shop", *LISTS)
_DEFAULT_TEMPLATE = "default"
_STEP = 100


@dataclass(frozen=True, slots=True)
class FileFault:
    """A fault in a shop file; `path` is dotted, and `line` is None if it is unknown."""

    file: str
    line: int | None
    path: str
    message: str

    def __str__(self) -> str:
        where = self.file if self.line is None else f"{self.file}:{self.line}"
        return ": ".join(part for part in (where, self.path, self.message) if part)


class ShopFileInvalid(Exception):
    """Raised when a shop file cannot be loaded; `faults` contains all reasons, in the order of their lines."""

    def __init__(self, path: Path, faults: Iterable[FileFault]) -> None:
        super().__init__(path)
        self.path = path
        self.faults = tuple(sorted(faults, key=lambda fault: fault.line or 0))

    def __str__(self) -> str:
        """List the faults, one line each: `shop.yaml:41: bundles.0.discount.value: A percentage must be at most 100.`"""
        return "\n".join(map(str, self.faults))


def read_shop_file(path: Path, progress: Progress = ignore_progress) -> ShopFile:
    """Read a shop from a YAML or JSON file. Raises ShopFileInvalid."""
    return parse_shop_file(read_bytes(path), path, progress)


def read_bytes(path: Path) -> bytes:
    """Read the content of a file. Raises ShopFileInvalid."""
    try:
        return path.read_bytes()
    except OSError as fault:
        message = f"The file cannot be read: {fault.strerror or fault}."
        raise ShopFileInvalid(path, [FileFault(str(path), None, "", message)]) from fault


def parse_shop_file(data: bytes, path: Path, progress: Progress = ignore_progress) -> ShopFile:
    """Parse the bytes of a file as a shop; `path` is used only to name the file in faults. Raises ShopFileInvalid."""
    return parse_with_lines(data, path, progress)[1]


def parse_with_lines(data: bytes, path: Path, progress: Progress = ignore_progress) -> tuple[ParsedFile, ShopFile]:
    """Parse the content of a file as a shop. Also returns the parsed tree, which can find the line of every part. Raises
    ShopFileInvalid."""
    with _collector_paused():
        return _parse(data, path, progress)


@contextmanager
def _collector_paused() -> Iterator[None]:
    """Pause garbage collection within the context. It would slow down loading large files and find nothing, because trees have no
    cycles."""
    was_enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_enabled:
            gc.enable()


def _parse(data: bytes, path: Path, progress: Progress) -> tuple[ParsedFile, ShopFile]:
    progress("reading", 0, 1)
    try:
        parsed = parse_file(data, path.name)
    except Unreadable as failure:
        raise ShopFileInvalid(path, [_file_fault(path, failure.fault, failure.fault.line)]) from failure
    progress("reading", 1, 1)
    faults = list(parsed.faults)
    parts = _load_parts(parsed.tree, faults, progress)
    if faults:
        raise ShopFileInvalid(path, _file_faults(path, parsed, faults))
    return parsed, _shop_file(**parts)


def read_tree(tree: dict[str, Tree]) -> tuple[ShopFile | None, tuple[TreeFault, ...]]:
    """Read the shop in a tree of strings that does not come from a file. Returns the shop and its faults; the shop is None if
    there are any faults."""
    faults: list[TreeFault] = []
    with _collector_paused():
        parts = _load_parts(tree, faults, ignore_progress)
        return None if faults else _shop_file(**parts), tuple(dict.fromkeys(faults))


def _file_faults(path: Path, parsed: ParsedFile, faults: Iterable[TreeFault]) -> Iterator[FileFault]:
    for fault in dict.fromkeys(faults):
        yield _file_fault(path, fault, fault.line or parsed.line_of(fault.path))


def _file_fault(path: Path, fault: TreeFault, line: int | None) -> FileFault:
    return FileFault(str(path), line, dotted(fault.path), fault.message)


def _load_parts(tree: dict[str, Tree], faults: list[TreeFault], progress: Progress) -> dict[str, Any]:
    """Load the parts of a shop file. Adds every fault that the schemas and the checks find to `faults`."""
    top = TreeNode((), tree)
    faults += (TreeFault((key,), unknown_key(key, _KEYS)) for key in tree if key not in _KEYS)
    parts: dict[str, Any] = {"shop": _load_shop(top.at("shop"), faults)}
    for key, schema in LISTS.items():
        parts[key] = _load_list(top.at(key), schema, faults, _every_step(progress, key))
    faults += check_tree(tree, _every_step(progress, "references"))
    return parts


def _load_shop(shop: TreeNode, faults: list[TreeFault]) -> Any:
    if shop.value is None:
        faults.append(shop.fault(MISSING))
        return None
    return _load(shop, SHOP, faults)


def _load_list(
    node: TreeNode, schema: Schema, faults: list[TreeFault], progress: Callable[[int, int], None]
) -> tuple[Any, ...]:
    if not isinstance(node.value, list | None):
        faults.append(node.fault(NO_LIST))
    items = node.items()
    loaded = []
    for done, item in enumerate(items, start=1):
        loaded.append(_load(item, schema, faults))
        progress(done, len(items))
    return tuple(loaded)


def _load(node: TreeNode, schema: Schema, faults: list[TreeFault]) -> Any:
    value: Any = node.value
    try:
        return schema.load(value)
    except ValidationError as fault:
        faults += faults_of(fault.messages, node.path)
        return None


def _every_step(progress: Progress, stage: str) -> Callable[[int, int], None]:
    def report(done: int, total: int) -> None:
        if done % _STEP == 0 or done == total:
            progress(stage, done, total)

    return report


def _shop_file(shop: Any, bundles: tuple[Bundle, ...], **others: Any) -> ShopFile:
    template = shop.templates[0] if shop.templates else _DEFAULT_TEMPLATE
    return ShopFile(shop, bundles=tuple(_completed(bundle, template, shop.timezone) for bundle in bundles), **others)


def _completed(bundle: Bundle, template: str, timezone: str) -> Bundle:
    """Complete a bundle with the template and the time zone of its shop, if it needs them."""
    has_times = bundle.published_from is not None or bundle.published_until is not None
    if bundle.template_code and not has_times:
        return bundle
    return replace(
        bundle, template_code=bundle.template_code or template, timezone=timezone if has_times else bundle.timezone
    )

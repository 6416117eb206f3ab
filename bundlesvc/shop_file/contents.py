"""Reads, writes and checks the contents of revisions in the format of shop files."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from bundlesvc.domain.errors import Fault
from bundlesvc.domain.revisions.difference import Change, difference
from bundlesvc.domain.revisions.finding import Finding
from bundlesvc.domain.revisions.items import ItemName, below
from bundlesvc.domain.revisions.plain import ABSENT, Item, Path, Plain, Step, dotted, item_key
from bundlesvc.domain.revisions.refusals import RevisionInvalid
from bundlesvc.domain.shop_files.shop_file import ShopFile
from bundlesvc.shop_file.lint import remarks_about
from bundlesvc.shop_file.lint.findings import ERROR, Code, Remark
from bundlesvc.shop_file.plain import as_written, canonical_item, plain_content, plain_item, read_content
from bundlesvc.shop_file.tree import Tree, TreeFault, TreePath


class ShopFileContents:
    """An implementation of the `ContentFormat` port for contents in the format of shop files."""

    def content(self, shop_file: ShopFile) -> dict[str, Any]:
        return plain_content(shop_file)

    def item(self, item: ItemName, part: Any) -> Plain:
        return ABSENT if part is None else plain_item(item.kind, part)

    def canonical(self, item: ItemName, plain: Plain) -> Plain:
        return canonical_item(item.kind, plain)

    def shop_file(self, content: Mapping[str, Any]) -> ShopFile:
        shop_file, faults = read_content(content)
        if shop_file is None:
            raise RevisionInvalid([*_faults(content, faults)])
        return shop_file

    def findings(self, content: Mapping[str, Any]) -> Sequence[Finding]:
        shop_file, faults = read_content(content)
        if shop_file is None:
            return [
                Finding(fault.path, Code.INVALID.value, ERROR, fault.message, Code.INVALID.hint)
                for fault in _faults(content, faults)
            ]
        tree: dict[str, Tree] = {str(key): as_written(value) for key, value in content.items()}
        return [
            Finding(
                dotted(named_path(content, remark.path)),
                remark.code.value,
                remark.severity,
                remark.message,
                remark.code.hint,
                _fix(content, remark),
            )
            for remark in remarks_about(tree, shop_file)
        ]


def _fix(content: Mapping[str, Any], remark: Remark) -> Mapping[str, Any] | None:
    """Return the merge patch that fixes the problem reported by a remark about a bundle, or None if there is no single way to fix
    it."""
    if remark.code != Code.RULE_WITHOUT_EFFECT:
        return None
    _, bundle, _, index = remark.path
    rules = content["bundles"][bundle]["limitRules"]
    return {"limitRules": [rule for number, rule in enumerate(rules) if number != index]}


def describe(item: ItemName, old: Any, new: Any) -> Iterator[Change]:
    """Describe the changes between two states of a part of a shop. A state is None if the part does not exist."""
    before, after = (ABSENT if part is None else plain_item(item.kind, part) for part in (old, new))
    yield from below(item, difference(before, after))


def named_path(content: Plain, path: TreePath) -> Path:
    """Convert the path of a part so that list items are identified by their names instead of their indexes."""
    named: list[Step] = []
    part = content
    for step in path:
        key = item_key(part) if isinstance(part, list) else None
        if key is not None and isinstance(step, int) and step < len(part):
            named.append(Item(key, part[step][key]))
        else:
            named.append(str(step))
        part = _inside(part, step)
    return tuple(named)


def _inside(part: Plain, step: str | int) -> Plain:
    try:
        return part[step]
    except (LookupError, TypeError):
        return ABSENT


def _faults(content: Mapping[str, Any], faults: Sequence[TreeFault]) -> Iterator[Fault]:
    for fault in faults:
        yield Fault(dotted(named_path(content, fault.path)), "invalid", fault.message)

"""Edits a shop file to give it new content, changing as few lines as possible."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from bundlesvc.shop_file.editing.changes import Changes
from bundlesvc.shop_file.editing.nodes import read_nodes, repeated_anchors
from bundlesvc.shop_file.editing.parts import Parts, Uneditable
from bundlesvc.shop_file.editing.text import Text, disjoint
from bundlesvc.shop_file.loading import FileFault, ShopFileInvalid, parse_shop_file
from bundlesvc.shop_file.plain import plain_content

_BYTE_ORDER_MARK = b"\xef\xbb\xbf"
_NOT_CHANGED = (
    "This part cannot be changed without rewriting the file. Change it by hand, or export the shop to a new file."
)


def edited_file(data: bytes, path: Path, content: Mapping[str, Any]) -> bytes:
    """Edit the bytes of a file so that it has this content (`plain_content`). Raises ShopFileInvalid for a file that cannot be
    loaded, and for a change that would affect unrelated lines."""
    mark = _BYTE_ORDER_MARK if data.startswith(_BYTE_ORDER_MARK) else b""
    text = Text(data.removeprefix(mark).decode("utf-8"))
    is_json = path.suffix.lower() == ".json"
    seen = {text}
    while (found := plain_content(parse_shop_file(text.encode(), path))) != content:
        text = _next(text, path, found, content, is_json=is_json)
        if text in seen:
            raise ShopFileInvalid(path, [FileFault(str(path), None, "", _NOT_CHANGED)])
        seen.add(text)
    return mark + text.encode()


def _next(text: Text, path: Path, found: Mapping[str, Any], content: Mapping[str, Any], *, is_json: bool) -> Text:
    """Apply those edits towards `content` that do not touch each other. The caller then compares the new text with the content
    again, to find the remaining edits."""
    root = read_nodes(text)
    changes = Changes(text, Parts(text, is_json), frozenset(repeated_anchors(root)))
    try:
        return text.with_edits(disjoint(changes.of_file(root, found, content)))
    except Uneditable as fault:
        raise ShopFileInvalid(path, [FileFault(str(path), fault.line, "", fault.reason)]) from fault

"""Reading a YAML or JSON shop file into a tree of text with line numbers (design 15)."""

from bundlesvc.shop_file.document import Document, Finding, Unreadable
from bundlesvc.shop_file.json_events import json_events
from bundlesvc.shop_file.tree_building import build_document
from bundlesvc.shop_file.yaml_events import yaml_events


def read_document(data: bytes, name: str) -> Document:
    """The tree of a file called `name`, which ends in .json, .yaml or .yml; else its first character tells which it is.

    Raises Unreadable when there is no tree to be had; lesser faults are the document's findings.
    """
    text = _decoded(data)
    findings: list[Finding] = []
    events = json_events(text) if _is_json(text, name.lower()) else yaml_events(text, findings)
    return build_document(events, findings)


def _decoded(data: bytes) -> str:
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as fault:
        line = data.count(b"\n", 0, fault.start) + 1
        raise Unreadable("The file is not in UTF-8.", line) from fault


def _is_json(text: str, name: str) -> bool:
    if name.endswith((".yaml", ".yml")):
        return False
    return name.endswith(".json") or text.lstrip().startswith("{")

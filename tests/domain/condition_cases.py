"""Cases in the format of tests/vectors/conditions.json, and the results of the Python evaluator."""

import json
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from pathlib import Path
from typing import Any

from bundlesvc.domain.conditions.condition_types import Facts, Node
from bundlesvc.domain.conditions.graph import Graph, Outcome
from bundlesvc.domain.line import Line
from tests.domain.builders import line_of, product, variant

VECTORS = Path(__file__).parents[1] / "vectors" / "conditions.json"

Json = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Vector:
    """A case with its expected result. Default values are filled in."""

    chapter: str
    name: str
    nodes: list[Node]
    lines: list[Json]
    facts: Json
    expected: Json


def read_vectors() -> list[Vector]:
    file = json.loads(VECTORS.read_text("utf-8"))
    defaults = file["defaults"]
    return [
        Vector(
            chapter["chapter"],
            vector["name"],
            vector["nodes"],
            [defaults["line"] | line for line in vector["lines"]],
            defaults["facts"] | vector.get("facts", {}),
            defaults["expected"] | vector["expected"],
        )
        for chapter in file["chapters"]
        for vector in chapter["vectors"]
    ]


def evaluate(nodes: Sequence[Node], lines: Sequence[Json], facts: Json) -> Json:
    """Run the Python evaluator, and return its result in the format of `comparable`."""
    graph = Graph.of(nodes)
    chosen = [_line(line, index) for index, line in enumerate(lines)]
    outcome = graph.evaluate(chosen, Facts(facts["weightUnit"], facts["country"], facts["subscribed"]))
    return _result(graph, outcome)


def comparable(result: Json) -> Json:
    """Return a result in the format of the test vectors, without details that the service omits: the order of hidden items, which
    action grants which unit, and the ids of blocks."""
    free: Counter[tuple[int, int]] = Counter()
    for units in result["free"]:
        free[int(units["variantId"]), units["sectionId"]] += units["count"]
    return result | {
        "discount": result["discount"] and result["discount"] | {"value": Decimal(result["discount"]["value"])},
        "free": dict(free),
        "hiddenSections": set(result["hiddenSections"]),
        "hiddenProducts": {(int(hidden["productId"]), hidden["sectionId"]) for hidden in result["hiddenProducts"]},
        "blocks": [block["text"] for block in result["blocks"]],
    }


def _line(line: Json, index: int) -> Line:
    chosen = variant(int(line["variant"]), price=line["price"], grams=line["grams"])
    owner = product(int(line["product"]), chosen)
    answers = tuple((key, str(answer)) for key, answer in line.get("personalisation", {}).items() if answer)
    return line_of(owner, chosen.id, line["count"], section=line["section"], first=index, answers=answers)


def _result(graph: Graph, outcome: Outcome) -> Json:
    won = outcome.discount
    free: Counter[tuple[int, int]] = Counter()
    for line in outcome.granted:
        free[line.variant.id, line.section_id] += line.count
    return {
        "discount": won and {"type": won.type, "value": won.value, "actionId": won.action_id},
        "free": dict(free),
        "messages": [{"actionId": node["id"], "text": node["text"]} for node in _fired(graph, outcome, "message")],
        "hiddenSections": set(outcome.hidden_sections),
        "hiddenProducts": set(outcome.hidden_products),
        "goto": next((node["sectionId"] for node in _fired(graph, outcome, "goto-section")), None),
        "blocks": list(outcome.blocks),
        "actions": [
            {"id": id_, "fired": verdict.holds, "decidedBy": list(verdict.decided_by)}
            for id_, verdict in outcome.verdicts.items()
        ],
        "partial": graph.partial,
    }


def _fired(graph: Graph, outcome: Outcome, type_: str) -> list[Mapping[str, Any]]:
    """The actions of this type that have fired. The service itself ignores actions of the types message and goto-section."""
    return [node for node in graph.actions if node["type"] == type_ and outcome.verdicts[node["id"]].holds]

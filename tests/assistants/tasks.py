"""The shopping tasks for the benchmark of assistants (tasks.yaml)."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from decimal import Decimal
from pathlib import Path
from typing import Any

import yaml


@dataclass(frozen=True)
class Task:
    """A shopping task, described in `words` and as data. `bundle` is an id, or a name to search for."""

    words: str
    bundle: int | str
    country: str | None = None
    language: str | None = None
    units: int | None = None
    including: Mapping[str, int] = field(default_factory=dict)
    without: Sequence[str] = ()
    only: Sequence[str] = ()
    different: int = 0
    budget: Decimal | None = None
    answers: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)


def read_tasks() -> list[Task]:
    """All tasks, in the order of the file."""
    rows = yaml.safe_load((Path(__file__).parent / "tasks.yaml").read_text("utf-8"))
    return [_task(row) for row in rows]


def _task(row: dict[str, Any]) -> Task:
    budget = row.pop("budget", None)
    return Task(including=row.pop("with", {}), budget=budget and Decimal(budget), **row)

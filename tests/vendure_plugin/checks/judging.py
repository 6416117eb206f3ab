"""Runs the plugin's checks in Node to find the discount on each line of a cart."""

import json
import subprocess
from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass
from decimal import Decimal
from pathlib import Path
from typing import Any, Self

SCRIPT = Path(__file__).with_name("judge.mjs")


@dataclass(frozen=True)
class Line:
    """A line of an order, with the fields that the plugin adds."""

    id: str
    variant: int
    quantity: int
    unitPrice: str
    mark: str | None = None
    isFee: bool = False
    discount: str | None = None
    bundle: int | None = None


@dataclass(frozen=True)
class Cart:
    """An order and the plugin's options. `decimals` is the number of decimal places of every price in the engine. `channels` is
    keyed by country code."""

    lines: list[Line]
    keys: list[str]
    currency: str = "EUR"
    shop: str = "demo"
    now: int = 1_800_000_000
    decimals: int = 2
    channel: str = "here"
    channels: Mapping[str, str] | None = None
    maxAgeDays: int = 30


@dataclass(frozen=True)
class Outcome:
    """The discount on each line of a bundle, or the reason why there is none."""

    configured: int | None
    lines: list[str]
    reason: str | None
    off: Mapping[str, Decimal]

    @classmethod
    def of(cls, given: Mapping[str, Any]) -> Self:
        off = {line: Decimal(amount) for line, amount in given["off"].items()}
        return cls(given["configured"], given["lines"], given["reason"], off)


Judge = Callable[[Cart], list[Outcome]]


def judge_with(process: "subprocess.Popen[str]", cart: Cart) -> list[Outcome]:
    assert process.stdin
    assert process.stdout
    process.stdin.write(json.dumps({**asdict(cart), "channels": cart.channels or {}}) + "\n")
    process.stdin.flush()
    return [Outcome.of(given) for given in json.loads(process.stdout.readline())]

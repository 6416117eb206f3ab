"""Amounts in the platform's money templates, by the vectors that the client's tests use."""

from decimal import Decimal
from pathlib import Path

import orjson
import pytest

from bundlesvc.domain.money_format import money_text

CASES = orjson.loads((Path(__file__).parents[1] / "vectors" / "money_formats.json").read_bytes())


@pytest.mark.parametrize(("amount", "money_format", "expected"), CASES)
def test_amount_in_a_money_format(amount: str, money_format: str, expected: str) -> None:
    assert money_text(Decimal(amount), money_format) == expected

"""Dataclasses whose fields are protected only by the type checker."""

import os
from dataclasses import replace

import pytest
from mypy import api

from bundlesvc.immutable import immutable

PROGRAM = """
from bundlesvc.immutable import immutable

@immutable
class Price:
    amount: int

price = Price(5)
"""


@immutable
class Price:
    amount: int
    currency: str = "EUR"


def test_values_are_equal_if_their_fields_are() -> None:
    assert Price(5) == Price(5, "EUR")
    assert hash(Price(5)) == hash(Price(5, "EUR"))
    assert Price(5) != Price(6)
    assert replace(Price(5), currency="USD") == Price(5, "USD")


def test_instance_has_no_other_attributes() -> None:
    with pytest.raises(AttributeError):
        object.__setattr__(Price(5), "tax", 1)


@pytest.mark.parametrize(("statement", "is_accepted"), [("price.amount + 1", True), ("price.amount = 1", False)])
def test_type_checker_refuses_assignments(statement: str, *, is_accepted: bool) -> None:
    report, _, status = api.run(["--config-file=", f"--cache-dir={os.devnull}", "-c", PROGRAM + statement])
    assert (status == 0) is is_accepted, report
    assert is_accepted or "read-only" in report

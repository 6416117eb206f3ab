"""The service and the client support the same types of limit rules, and neither of them guesses what an unknown type measures."""

import pytest

from bundlesvc.domain.bundle import LimitRule
from bundlesvc.domain.measures import UNITS
from bundlesvc.domain.rules.rule_types import RULE_TYPES, type_of
from tests.storefront.node import RunScript

SCRIPT = "rule-types.mjs"


def test_service_and_client_have_the_same_types(run_script: RunScript) -> None:
    own = [[row.name, row.unit, row.is_multiple] for row in RULE_TYPES.values()]
    assert run_script(SCRIPT, None) == own


def test_every_unit_is_known() -> None:
    assert {row.unit for row in RULE_TYPES.values()} == set(UNITS)


def test_unknown_type_is_an_error(run_script: RunScript) -> None:
    with pytest.raises(KeyError, match="total-of-tags"):
        type_of(LimitRule("total-of-tags", "gte", "3"))
    assert run_script(SCRIPT, "total-of-tags").startswith("TypeError: This version of the client does not know")

"""The client supports the same types of conditions and actions as the service."""

from bundlesvc.domain.conditions.action_types import ACTION_TYPES
from bundlesvc.domain.conditions.condition_types import CONDITION_TYPES, Quantity
from tests.storefront.node import RunScript


def test_service_and_client_have_the_same_types(run_script: RunScript) -> None:
    conditions = [[row.name, row.unit if isinstance(row, Quantity) else None] for row in CONDITION_TYPES.values()]
    assert run_script("condition-types.mjs", None) == [conditions, list(ACTION_TYPES)]

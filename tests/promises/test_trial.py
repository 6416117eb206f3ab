"""Checks what is charged for carts in shops with several currencies. `python -m tests.promises` checks many more carts."""

import pytest

from tests.promises.shops import ANYWHERE
from tests.promises.trial import HOMES, Trial

CARTS = 60
"""The number of carts per shop that are bought as configured, and also the number that are changed before checkout."""


@pytest.mark.parametrize("seed", range(len(HOMES)), ids=HOMES)
async def test_carts_cost_what_was_promised_and_changed_ones_not_less(trial: Trial, seed: int) -> None:
    await trial.shop(seed, CARTS)

    assert (trial.honest.carts[HOMES[seed]], trial.changed.carts[HOMES[seed]]) == (CARTS, CARTS)
    assert [fault.what + fault.details for _, fault in trial.honest.faults + trial.changed.faults] == []
    assert not trial.honest.refused
    assert {reason for _, _, reason in trial.changed.refused} == {"market_changed", "other_parent", "prices_changed"}
    assert any(kind in ANYWHERE for _, kind in trial.changed.bundles)

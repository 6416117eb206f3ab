"""Completion finds the best possible selections."""

import pytest

from bundlesvc.domain.completion.search import Search
from tests.domain.completion.brute_force import best, compared, searched
from tests.domain.completion.coverage import FEATURES, features_of
from tests.domain.completion.large_tasks import large_task
from tests.domain.completion.random_tasks import random_task

SHOPS, PART = 60, 20
"""The number of shops that are compared in total, and per test. `python -m tests.domain.completion 5000` compares more shops."""
WORK = 300


@pytest.mark.parametrize("first", range(0, SHOPS, PART))
def test_completions_are_those_of_brute_force(first: int) -> None:
    shops = range(first, first + PART)
    assert [(seed, wrong) for seed in shops if (wrong := compared(random_task(seed)).difference)] == []


def test_random_shops_have_every_feature() -> None:
    found = {feature for seed in range(SHOPS * 3) for feature in features_of(random_task(seed))}
    assert found == {*FEATURES}


def test_some_random_shops_have_completions_and_some_have_none() -> None:
    possible = [bool(best(random_task(seed))) for seed in range(PART)]
    assert 0 < sum(possible) < PART


def test_every_solution_can_be_configured() -> None:
    for seed in range(PART):
        task = random_task(seed)
        assert not [each for each in searched(task).result.found if task.check(each.counts).faults]


def test_search_that_was_stopped_has_proven_nothing() -> None:
    searches = [Search(random_task(seed), most_work=10**6) for seed in range(PART)]
    paused = [search for search in searches if next(search.run(), "done") is None]
    assert paused
    assert not any(search.result.proven for search in paused)


@pytest.mark.parametrize("seed", range(6))
def test_search_of_a_large_shop_stops_at_its_limit(seed: int) -> None:
    task = large_task(seed)
    search = Search(task, WORK)
    for _ in search.run():
        pass
    assert search.work.done < 2 * WORK
    assert search.result.proven or search.work.is_spent
    for found in search.result.found:
        assert not task.check(found.counts).faults
        assert found.priced.pricing.discounted >= search.result.least_price
        assert found.changes >= search.result.least_changes


def test_bounds_of_a_stopped_search_hold_for_the_best_selections() -> None:
    for seed in range(2 * PART):
        task = random_task(seed)
        search = Search(task, most_work=40)
        for _ in search.run():
            pass
        for counts, price in best(task):
            changes = sum(abs(count - chosen) for count, chosen in zip(counts, task.chosen, strict=True))
            assert changes >= search.result.least_changes
            assert price >= search.result.least_price

"""A delivery is retried for a day, at increasing intervals."""

from bundlesvc.domain.events.retries import HOUR, PAUSES, SPREAD, pause_after


def test_pauses_grow_to_a_day() -> None:
    assert list(PAUSES) == sorted(PAUSES)
    assert 23 * HOUR <= sum(PAUSES) <= 25 * HOUR


def test_pause_is_spread_by_chance() -> None:
    assert [pause_after(3, chance) for chance in (0.0, 0.5, 1.0)] == [120, 126, 132]
    assert SPREAD == 0.1


def test_there_is_no_attempt_after_the_last() -> None:
    assert pause_after(len(PAUSES), 0) == PAUSES[-1]
    assert pause_after(len(PAUSES) + 1, 0) is None

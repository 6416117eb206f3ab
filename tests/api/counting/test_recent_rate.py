"""The rate at which bytes arrived in the last two seconds."""

from bundlesvc.api.counting.recent_rate import RecentRate


def test_only_what_came_lately_counts() -> None:
    rate = RecentRate(0.0)
    rate.add(1_000_000, 0.0)
    assert rate.of(1.0) == 500_000
    assert rate.of(2.1) == 0
    rate.add(3000, 5.0)
    rate.add(1000, 6.0)
    assert rate.of(6.5) == 2000
    assert rate.of(7.5) == 500


def test_rate_is_known_after_two_seconds() -> None:
    rate = RecentRate(10.0)
    assert not rate.is_known(11.9)
    assert rate.is_known(12.0)


def test_many_small_parts_take_little_memory() -> None:
    rate = RecentRate(0.0)
    for number in range(10_000):
        rate.add(1, number / 1000)
    assert len(rate._slots) <= 9
    assert 900 <= rate.of(10.0) <= 1100

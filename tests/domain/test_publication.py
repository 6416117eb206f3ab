"""Local times converted to seconds since 1970, and the phases between the times at which bundles go on or off sale."""

from math import inf

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bundlesvc.api.response_cache.freshness import BUNDLE_FRESHNESS, PRODUCTS_FRESHNESS, Freshness
from bundlesvc.domain.publication import ALWAYS, CLOSING_SECONDS, Phase, phase_at, utc_seconds

HOUR = 3600
TIMES = st.lists(st.integers(1_700_000_000, 1_700_004_000), max_size=5)
MOMENTS = st.floats(1_699_999_000, 1_700_005_000)


@pytest.mark.parametrize(
    ("local", "timezone", "utc"),
    [
        ("2026-11-27T00:00", "UTC", 1_795_737_600),
        ("2026-11-27T00:00", "Europe/Berlin", 1_795_737_600 - HOUR),
        ("2026-11-27T00:00", "America/New_York", 1_795_737_600 + 5 * HOUR),
        ("2027-03-28T01:59", "Europe/Berlin", 1_806_195_540),
        ("2027-03-28T02:30", "Europe/Berlin", 1_806_195_600 + HOUR // 2),  # skipped by the clocks: becomes 03:30
        ("2027-03-28T03:30", "Europe/Berlin", 1_806_195_600 + HOUR // 2),
        ("2027-10-31T02:30", "Europe/Berlin", 1_824_942_600),  # occurs twice: the first one, in summer time
        ("2027-10-31T03:00", "Europe/Berlin", 1_824_942_600 + HOUR + HOUR // 2),
    ],
)
def test_local_time_in_seconds(local: str, timezone: str, utc: int) -> None:
    assert utc_seconds(local, timezone) == utc


@pytest.mark.parametrize(
    ("now", "phase"),
    [
        (0, Phase(0, 640)),
        (639.9, Phase(0, 640)),
        (640, Phase(640, 1000, closing=True)),
        (999.999, Phase(640, 1000, closing=True)),
        (1000, Phase(1000, 4640)),
        (4640, Phase(4640, 4700, closing=True)),
        (4700, Phase(4700, 5000, closing=True)),
        (5000, Phase(5000, 5060, closing=True)),
        (5060, Phase(5060, inf)),
    ],
)
def test_phase_of_a_moment(now: float, phase: Phase) -> None:
    """Each moment belongs to the right phase, even when two phases begin less than a client's cache lifetime apart."""
    assert phase_at((1000, 5000, 5060), now) == phase


def test_shop_without_times_has_one_phase() -> None:
    assert phase_at((), 1_800_000_000) == ALWAYS


@given(TIMES, MOMENTS)
def test_nothing_begins_or_ends_within_a_phase(times: list[int], now: float) -> None:
    phase = phase_at(times, now)
    assert phase.contains(now)
    assert not any(phase.start < time < phase.end for time in times)


@given(TIMES, MOMENTS)
def test_what_a_client_caches_is_never_shown_after_a_time(times: list[int], now: float) -> None:
    closing = phase_at(times, now).closing
    assert closing == any(now < time <= now + CLOSING_SECONDS for time in times)


@pytest.mark.parametrize("freshness", [BUNDLE_FRESHNESS, PRODUCTS_FRESHNESS])
def test_no_client_caches_for_longer_than_a_closing_phase(freshness: Freshness) -> None:
    assert freshness.max_age + freshness.stale_while_revalidate <= CLOSING_SECONDS

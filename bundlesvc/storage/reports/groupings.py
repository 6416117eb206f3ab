"""The columns by which the rows of a report are grouped, and the keys built from their values."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from sqlalchemy import ColumnElement

from bundlesvc.domain.reports.bundle_report import ARM, BUNDLE, COUNTRY, DAY, TIER, Key
from bundlesvc.domain.reports.period import day_of
from bundlesvc.storage.configured import daily_counts
from bundlesvc.storage.configured.daily_counts import day_begin

Columns = Sequence[ColumnElement[Any]]


@dataclass(frozen=True, slots=True)
class Grouping:
    """A way to group the rows of a report. `dimension` is the dimension of the daily counts to use. `columns` returns the columns
    to group by, given a row's time, bundle and dimension value; `key` builds a key from the values of these columns."""

    dimension: str
    columns: Callable[[ColumnElement[Any], ColumnElement[Any], ColumnElement[Any]], Columns]
    key: Callable[..., Key]


def _arm(bundle_id: int | None, value: str) -> Key:
    arm, _, experiment_id = value.partition(" ")
    return (experiment_id, int(arm), bundle_id) if value else (None, None, bundle_id)


def _tier(bundle_id: int | None, value: str) -> Key:
    kind, _, amount = value.partition(" ")
    return (bundle_id, kind, amount) if value else (bundle_id, None, None)


GROUPINGS: Mapping[str, Grouping] = {
    BUNDLE: Grouping(daily_counts.BUNDLE, lambda _time, bundle, _value: (bundle,), lambda bundle: (bundle,)),
    DAY: Grouping(
        daily_counts.BUNDLE,
        lambda time, _bundle, _value: (day_begin(time),),
        lambda day: (day_of(day).isoformat(),),
    ),
    COUNTRY: Grouping(daily_counts.COUNTRY, lambda _time, _bundle, value: (value,), lambda country: (country or None,)),
    ARM: Grouping(daily_counts.ARM, lambda _time, bundle, value: (bundle, value), _arm),
    TIER: Grouping(daily_counts.TIER, lambda _time, bundle, value: (bundle, value), _tier),
}
"""How the rows of a report are grouped by each dimension."""

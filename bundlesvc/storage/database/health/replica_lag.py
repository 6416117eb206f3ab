"""Measures the lag of PostgreSQL's replicas behind the primary server."""

from collections.abc import Iterator, Mapping
from typing import NamedTuple

from prometheus_client.core import GaugeMetricFamily, Metric
from sqlalchemy import Connection, text


class Lag(NamedTuple):
    """The lag of a replica: the age of its last transaction, and the number of bytes of the log that it has not replayed."""

    seconds: float
    bytes: int


_POSITION = text("SELECT CAST(pg_current_wal_lsn() AS text)")

_BEHIND = text("""
    SELECT pg_wal_lsn_diff(CAST(CAST(:position AS text) AS pg_lsn), pg_last_wal_replay_lsn()),
           extract(epoch FROM clock_timestamp() - pg_last_xact_replay_timestamp())
    WHERE pg_is_in_recovery()
""")

_STANDBYS = text("""
    SELECT application_name, pg_wal_lsn_diff(
               CASE WHEN pg_is_in_recovery() THEN pg_last_wal_replay_lsn() ELSE pg_current_wal_lsn() END, replay_lsn),
           extract(epoch FROM replay_lag)
    FROM pg_stat_replication WHERE replay_lsn IS NOT NULL
""")
"""The query for the lag of standbys. Without the role pg_monitor, PostgreSQL shows only the standbys that log in as the same
user."""


def position(connection: Connection) -> str:
    """Return the end position of the primary server's log."""
    return str(connection.execute(_POSITION).scalar_one())


def lag_behind(end: str, connection: Connection) -> Lag | None:
    """Return the lag of this server behind a position of the primary, or None when it does not replicate."""
    row = connection.execute(_BEHIND, {"position": end}).first()
    return None if row is None else _lag(*row)


def standbys(connection: Connection) -> dict[str, Lag]:
    """Return the lag of each standby by application name. When several standbys share a name, returns the largest values."""
    found: dict[str, Lag] = {}
    for name, behind, seconds in connection.execute(_STANDBYS):
        lag = _lag(behind, seconds)
        before = found.get(name, lag)
        found[name] = Lag(max(lag.seconds, before.seconds), max(lag.bytes, before.bytes))
    return found


def lag_metrics(server: str, lags: Mapping[tuple[str, ...], Lag], labels: tuple[str, ...] = ()) -> Iterator[Metric]:
    """Yield two metrics for the lag of servers, in seconds and in bytes. The keys of `lags` are the values of the `labels`."""
    seconds = GaugeMetricFamily(f"bundlesvc_{server}_lag_seconds", f"Time a {server} is behind.", labels=labels)
    missing = GaugeMetricFamily(f"bundlesvc_{server}_lag_bytes", f"Log a {server} does not have.", labels=labels)
    for values, lag in lags.items():
        seconds.add_metric(values, lag.seconds)
        missing.add_metric(values, lag.bytes)
    yield from (seconds, missing)


def _lag(behind: object, seconds: object) -> Lag:
    """Build a lag from the two values that a query returned. A replica that has replayed the whole log has no lag, however old
    its last transaction is."""
    missing = max(0, int(str(behind or 0)))
    return Lag(float(str(seconds or 0)) if missing else 0.0, missing)

"""The tables of shops, their API keys, and the usage of the keys."""

from sqlalchemy import BigInteger, Boolean, Column, Index, Integer, String, Table, Text, false

from bundlesvc.domain.access.usage import KINDS
from bundlesvc.storage.database.tables.columns import RowId, metadata, shop_id_column

shops = Table(
    "shops",
    metadata,
    Column("id", RowId, primary_key=True),
    Column("handle", String(255), nullable=False, unique=True),
    Column("headless_enabled", Boolean, nullable=False),
    Column("revision", BigInteger, nullable=False),
    Column("document", Text, nullable=False),
    Column("generation", BigInteger, nullable=False, server_default="0"),  # generation of the shop file's current rows
    # The position of the last revision whose events are stored.
    Column("followed_position", BigInteger, nullable=False, server_default="0"),
    Column(
        "times_passed", BigInteger, nullable=False, server_default="0"
    ),  # the starts and ends of bundles up to this time have been processed
)

api_keys = Table(
    "api_keys",
    metadata,
    Column("id", RowId, primary_key=True),
    shop_id_column(),
    Column("digest", String(64), nullable=False, unique=True),
    Column("prefix", String(16), nullable=False, unique=True),
    Column("label", String(255), nullable=False),
    Column("test", Boolean, nullable=False),
    Column("scopes", Text, nullable=False),
    Column("origins", Text, nullable=False),
    Column("rate_limit", Integer, nullable=False),
    Column("active", Boolean, nullable=False),
    Column("created_at", BigInteger, nullable=False),
    Column("last_used_at", BigInteger),
    Column("visitor_limit", Integer),
    Column("demo", Boolean, nullable=False, server_default=false()),  # valid in demo mode only
    Index(None, "shop_id"),
)

usage_days = Table(  # no reference to the shop or the key, which may be deleted before their usage is reported
    "usage_days",
    metadata,
    Column("day", BigInteger, primary_key=True, autoincrement=False),  # start of the day, seconds since 1970 (UTC)
    Column("shop", String(255), primary_key=True),
    Column("key_prefix", String(16), primary_key=True),
    *(Column(kind, BigInteger, nullable=False) for kind in KINDS),
)

usage_writers = Table(  # the last batch of each process that counts usage
    "usage_writers",
    metadata,
    Column("writer", String(32), primary_key=True),
    Column("batch", BigInteger, nullable=False),
    Column("written_at", BigInteger, nullable=False),
)

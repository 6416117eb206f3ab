"""The tables of events, and of their deliveries to webhook endpoints."""

from sqlalchemy import BigInteger, Boolean, Column, ForeignKey, Index, Integer, String, Table, Text, text

from bundlesvc.storage.database.tables.columns import RowId, metadata, shop_id_column

webhook_endpoints = Table(
    "webhook_endpoints",
    metadata,
    Column("id", String(32), primary_key=True),
    shop_id_column(),
    Column("url", Text, nullable=False),
    Column("types", String(255), nullable=False),  # event types, separated by spaces
    Column("sealed", Text, nullable=False),  # the secret, encrypted
    Column("created_at", BigInteger, nullable=False),
    Column("disabled", Boolean, nullable=False),
    Index(None, "shop_id"),
)

outgoing_events = Table(
    "outgoing_events",
    metadata,
    Column("number", RowId, primary_key=True),
    Column("id", String(40), nullable=False, unique=True),
    shop_id_column(),
    Column("type", String(32), nullable=False),
    Column("subject", String(80), nullable=False),
    Column("at", BigInteger, nullable=False),
    Column("test", Boolean, nullable=False),
    Column("data", Text, nullable=False),
    Column("addressed", Boolean, nullable=False),  # whether its deliveries have been created
    Index("ix_outgoing_events_new", "number", sqlite_where=text("NOT addressed")),
    Index(None, "shop_id", "at"),
    Index(None, "at"),
    sqlite_autoincrement=True,
)

outgoing_deliveries = Table(
    "outgoing_deliveries",
    metadata,
    Column("number", RowId, primary_key=True),
    Column("event_number", RowId, ForeignKey("outgoing_events.number"), nullable=False),
    Column("endpoint_id", String(32), ForeignKey("webhook_endpoints.id"), nullable=False),
    shop_id_column(),
    Column("subject", String(80), nullable=False),
    Column("state", String(16), nullable=False),
    Column("attempts", Integer, nullable=False),
    Column("due_at", BigInteger, nullable=False),
    Column("created_at", BigInteger, nullable=False),
    Column("settled_at", BigInteger),
    Column("response", String(255)),  # the status of the last attempt, or the reason for its failure
    Index(None, "event_number", "endpoint_id", unique=True),
    Index("ix_outgoing_deliveries_due", "due_at", "number", sqlite_where=text("state = 'waiting'")),
    Index("ix_outgoing_deliveries_order", "endpoint_id", "subject", "number", sqlite_where=text("state = 'waiting'")),
    Index(None, "shop_id"),
    Index(None, "created_at"),
    sqlite_autoincrement=True,
)

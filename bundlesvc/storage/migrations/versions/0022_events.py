"""Outgoing webhooks: endpoints, events, and their deliveries."""

import sqlalchemy as sa
from alembic import op

revision = "0022"
down_revision = "0021"

_ROW_ID = sa.BigInteger().with_variant(sa.Integer(), "sqlite")
_WAITING = sa.text("state = 'waiting'")
_NEW = sa.text("NOT addressed")


def _shop_id() -> sa.Column[int]:
    return sa.Column("shop_id", _ROW_ID, nullable=False)


def upgrade() -> None:
    op.add_column("shops", sa.Column("followed_position", sa.BigInteger(), nullable=False, server_default="0"))
    _endpoints()
    _events()
    _deliveries()


def _endpoints() -> None:
    op.create_table(
        "webhook_endpoints",
        sa.Column("id", sa.String(length=32), nullable=False),
        _shop_id(),
        sa.Column("url", sa.Text(), nullable=False),
        sa.Column("types", sa.String(length=255), nullable=False),
        sa.Column("sealed", sa.Text(), nullable=False),
        sa.Column("created_at", sa.BigInteger(), nullable=False),
        sa.Column("disabled", sa.Boolean(), nullable=False),
        sa.ForeignKeyConstraint(["shop_id"], ["shops.id"], name=op.f("fk_webhook_endpoints_shop_id")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_webhook_endpoints")),
    )
    op.create_index(op.f("ix_webhook_endpoints_shop_id"), "webhook_endpoints", ["shop_id"])


def _events() -> None:
    op.create_table(
        "outgoing_events",
        sa.Column("number", _ROW_ID, nullable=False),
        sa.Column("id", sa.String(length=40), nullable=False),
        _shop_id(),
        sa.Column("type", sa.String(length=32), nullable=False),
        sa.Column("subject", sa.String(length=80), nullable=False),
        sa.Column("at", sa.BigInteger(), nullable=False),
        sa.Column("test", sa.Boolean(), nullable=False),
        sa.Column("data", sa.Text(), nullable=False),
        sa.Column("addressed", sa.Boolean(), nullable=False),
        sa.ForeignKeyConstraint(["shop_id"], ["shops.id"], name=op.f("fk_outgoing_events_shop_id")),
        sa.PrimaryKeyConstraint("number", name=op.f("pk_outgoing_events")),
        sa.UniqueConstraint("id", name=op.f("uq_outgoing_events_id")),
        sqlite_autoincrement=True,
    )
    op.create_index("ix_outgoing_events_new", "outgoing_events", ["number"], sqlite_where=_NEW, postgresql_where=_NEW)
    op.create_index(op.f("ix_outgoing_events_shop_id_at"), "outgoing_events", ["shop_id", "at"])
    op.create_index(op.f("ix_outgoing_events_at"), "outgoing_events", ["at"])


def _deliveries() -> None:
    table = "outgoing_deliveries"
    op.create_table(
        table,
        sa.Column("number", _ROW_ID, nullable=False),
        sa.Column("event_number", _ROW_ID, nullable=False),
        sa.Column("endpoint_id", sa.String(length=32), nullable=False),
        _shop_id(),
        sa.Column("subject", sa.String(length=80), nullable=False),
        sa.Column("state", sa.String(length=16), nullable=False),
        sa.Column("attempts", sa.Integer(), nullable=False),
        sa.Column("due_at", sa.BigInteger(), nullable=False),
        sa.Column("created_at", sa.BigInteger(), nullable=False),
        sa.Column("settled_at", sa.BigInteger()),
        sa.Column("response", sa.String(length=255)),
        sa.ForeignKeyConstraint(
            ["event_number"], ["outgoing_events.number"], name=op.f("fk_outgoing_deliveries_event_number")
        ),
        sa.ForeignKeyConstraint(
            ["endpoint_id"], ["webhook_endpoints.id"], name=op.f("fk_outgoing_deliveries_endpoint_id")
        ),
        sa.ForeignKeyConstraint(["shop_id"], ["shops.id"], name=op.f("fk_outgoing_deliveries_shop_id")),
        sa.PrimaryKeyConstraint("number", name=op.f("pk_outgoing_deliveries")),
        sqlite_autoincrement=True,
    )
    op.create_index(
        op.f("ix_outgoing_deliveries_event_number_endpoint_id"), table, ["event_number", "endpoint_id"], unique=True
    )
    for name, columns in (("due", ["due_at", "number"]), ("order", ["endpoint_id", "subject", "number"])):
        op.create_index(f"ix_{table}_{name}", table, columns, sqlite_where=_WAITING, postgresql_where=_WAITING)
    op.create_index(op.f("ix_outgoing_deliveries_shop_id"), table, ["shop_id"])
    op.create_index(op.f("ix_outgoing_deliveries_created_at"), table, ["created_at"])


def downgrade() -> None:
    op.drop_table("outgoing_deliveries")
    op.drop_table("outgoing_events")
    op.drop_table("webhook_endpoints")
    op.drop_column("shops", "followed_position")

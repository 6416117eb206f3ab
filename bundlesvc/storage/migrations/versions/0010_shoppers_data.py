"""Adds the table of the platforms' requests about shoppers' data, and indexes to find shoppers' data by age."""

import sqlalchemy as sa
from alembic import op

revision = "0010"
down_revision = "0009"

_ROW_ID = sa.BigInteger().with_variant(sa.Integer(), "sqlite")
_HAS_ANSWERS = sa.text("""items LIKE '%"properties":{"%'""")
_BY_AGE = ("stock_reminders", "subscriptions")


def upgrade() -> None:
    op.create_table(
        "shopper_requests",
        sa.Column("id", _ROW_ID, nullable=False),
        sa.Column("shop_id", _ROW_ID, nullable=False),
        sa.Column("kind", sa.String(length=16), nullable=False),
        sa.Column("subject", sa.String(length=255), nullable=False),
        sa.Column("reference", sa.String(length=64), nullable=True),
        sa.Column("received_at", sa.BigInteger(), nullable=False),
        sa.Column("completed_at", sa.BigInteger(), nullable=True),
        sa.ForeignKeyConstraint(["shop_id"], ["shops.id"], name=op.f("fk_shopper_requests_shop_id")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_shopper_requests")),
        sqlite_autoincrement=True,
    )
    columns = ["shop_id", "kind", "reference"]
    op.create_index("uq_shopper_requests_reference", "shopper_requests", columns, unique=True)
    for table in _BY_AGE:
        op.create_index(op.f(f"ix_{table}_created_at"), table, ["created_at"])
    op.create_index(
        "ix_configured_bundles_answers",
        "configured_bundles",
        ["configured_at", "number"],
        sqlite_where=_HAS_ANSWERS,
        postgresql_where=_HAS_ANSWERS,
    )


def downgrade() -> None:
    op.drop_index("ix_configured_bundles_answers", "configured_bundles")
    for table in _BY_AGE:
        op.drop_index(op.f(f"ix_{table}_created_at"), table)
    op.drop_table("shopper_requests")

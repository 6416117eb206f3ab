"""Notices of orders on live platforms, and the progress of order imports."""

import sqlalchemy as sa
from alembic import op

revision = "0015"
down_revision = "0014"


def _shop_id() -> sa.Column[int]:
    row_id = sa.BigInteger().with_variant(sa.Integer(), "sqlite")
    return sa.Column("shop_id", row_id, autoincrement=False, nullable=False)


def upgrade() -> None:
    op.create_table(
        "order_notices",
        _shop_id(),
        sa.Column("kind", sa.String(length=16), nullable=False),
        sa.Column("subject", sa.String(length=64), nullable=False),
        sa.Column("number", sa.BigInteger(), nullable=False),
        sa.Column("attempts", sa.Integer(), nullable=False),
        sa.Column("received_at", sa.BigInteger(), nullable=False),
        sa.Column("due_at", sa.BigInteger(), nullable=False),
        sa.ForeignKeyConstraint(["shop_id"], ["shops.id"], name=op.f("fk_order_notices_shop_id")),
        sa.PrimaryKeyConstraint("shop_id", "kind", "subject", name=op.f("pk_order_notices")),
    )
    op.create_index(op.f("ix_order_notices_due_at"), "order_notices", ["due_at"])
    op.create_table(
        "order_imports",
        _shop_id(),
        sa.Column("since", sa.BigInteger(), nullable=False),
        sa.Column("cursor", sa.Text()),
        sa.Column("read", sa.BigInteger(), nullable=False),
        sa.Column("stored", sa.BigInteger(), nullable=False),
        sa.Column("done", sa.Boolean(), nullable=False),
        sa.ForeignKeyConstraint(["shop_id"], ["shops.id"], name=op.f("fk_order_imports_shop_id")),
        sa.PrimaryKeyConstraint("shop_id", name=op.f("pk_order_imports")),
    )


def downgrade() -> None:
    op.drop_table("order_imports")
    op.drop_table("order_notices")

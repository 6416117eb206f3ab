"""Orders with bundles, and the verdict on each bundle."""

import sqlalchemy as sa
from alembic import op

revision = "0014"
down_revision = "0013"


def _shop_id() -> sa.Column[int]:
    row_id = sa.BigInteger().with_variant(sa.Integer(), "sqlite")
    return sa.Column("shop_id", row_id, autoincrement=False, nullable=False)


def upgrade() -> None:
    op.create_table(
        "bundle_orders",
        _shop_id(),
        sa.Column("id", sa.String(length=64), nullable=False),
        sa.Column("version", sa.BigInteger(), nullable=False),
        sa.Column("digest", sa.String(length=64), nullable=False),
        sa.Column("placed_at", sa.BigInteger(), nullable=False),
        sa.Column("test", sa.Boolean(), nullable=False),
        sa.Column("visitor_id", sa.String(length=36)),
        sa.Column("document", sa.Text(), nullable=False),
        sa.ForeignKeyConstraint(["shop_id"], ["shops.id"], name=op.f("fk_bundle_orders_shop_id")),
        sa.PrimaryKeyConstraint("shop_id", "id", name=op.f("pk_bundle_orders")),
    )
    op.create_index(op.f("ix_bundle_orders_placed_at"), "bundle_orders", ["placed_at"])
    op.create_index(op.f("ix_bundle_orders_shop_id_placed_at_id"), "bundle_orders", ["shop_id", "placed_at", "id"])
    op.create_table(
        "order_verdicts",
        _shop_id(),
        sa.Column("order_id", sa.String(length=64), nullable=False),
        sa.Column("place", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("configured_bundle_id", sa.BigInteger(), nullable=False),
        sa.Column("bundle_id", sa.BigInteger()),
        sa.Column("outcome", sa.String(length=16), nullable=False),
        sa.Column("cause", sa.String(length=32)),
        sa.Column("reason", sa.String(length=32)),
        sa.Column("charged", sa.BigInteger(), nullable=False),
        sa.Column("promised", sa.BigInteger()),
        sa.Column("line_ids", sa.Text(), nullable=False),
        sa.Column("placed_at", sa.BigInteger(), nullable=False),
        sa.ForeignKeyConstraint(["shop_id"], ["shops.id"], name=op.f("fk_order_verdicts_shop_id")),
        sa.PrimaryKeyConstraint("shop_id", "order_id", "place", name=op.f("pk_order_verdicts")),
    )
    op.create_index(op.f("ix_order_verdicts_placed_at"), "order_verdicts", ["placed_at"])
    op.create_index(op.f("ix_order_verdicts_configured_bundle_id"), "order_verdicts", ["configured_bundle_id"])


def downgrade() -> None:
    op.drop_table("order_verdicts")
    op.drop_table("bundle_orders")

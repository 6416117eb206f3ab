"""The data that reports read: sales, order totals, and the number of configured bundles per day."""

import sqlalchemy as sa
from alembic import op

revision = "0018"
down_revision = "0017"


def _shop_id() -> sa.Column[int]:
    row_id = sa.BigInteger().with_variant(sa.Integer(), "sqlite")
    return sa.Column("shop_id", row_id, autoincrement=False, nullable=False)


def upgrade() -> None:
    _sales()
    _totals()
    _configured_days()


def _sales() -> None:
    op.create_table(
        "bundle_sales",
        _shop_id(),
        sa.Column("order_id", sa.String(length=64), nullable=False),
        sa.Column("place", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("placed_at", sa.BigInteger(), nullable=False),
        sa.Column("test", sa.Boolean(), nullable=False),
        sa.Column("country", sa.String(length=2)),
        sa.Column("bundle_id", sa.BigInteger()),
        sa.Column("configured_bundle_id", sa.BigInteger(), nullable=False),
        sa.Column("configured_at", sa.BigInteger()),
        sa.Column("configured_country", sa.String(length=2)),
        sa.Column("experiment_id", sa.String(length=255)),
        sa.Column("arm", sa.Integer()),
        sa.Column("discount_type", sa.String(length=32)),
        sa.Column("discount_value", sa.String(length=32)),
        sa.Column("units", sa.BigInteger(), nullable=False),
        sa.Column("currency", sa.String(length=3), nullable=False),
        sa.Column("revenue", sa.BigInteger(), nullable=False),
        sa.Column("discount", sa.BigInteger(), nullable=False),
        sa.Column("refunded", sa.BigInteger(), nullable=False),
        sa.ForeignKeyConstraint(["shop_id"], ["shops.id"], name=op.f("fk_bundle_sales_shop_id")),
        sa.PrimaryKeyConstraint("shop_id", "order_id", "place", name=op.f("pk_bundle_sales")),
    )
    for columns in (
        ["placed_at"],
        ["shop_id", "placed_at"],
        ["shop_id", "configured_at"],
        ["configured_bundle_id"],
    ):
        op.create_index(op.f(f"ix_bundle_sales_{'_'.join(columns)}"), "bundle_sales", columns)


def _totals() -> None:
    op.create_table(
        "order_totals",
        _shop_id(),
        sa.Column("order_id", sa.String(length=64), nullable=False),
        sa.Column("version", sa.BigInteger(), nullable=False),
        sa.Column("placed_at", sa.BigInteger(), nullable=False),
        sa.Column("test", sa.Boolean(), nullable=False),
        sa.Column("cancelled", sa.Boolean(), nullable=False),
        sa.Column("with_bundle", sa.Boolean(), nullable=False),
        sa.Column("currency", sa.String(length=3), nullable=False),
        sa.Column("total", sa.BigInteger(), nullable=False),
        sa.ForeignKeyConstraint(["shop_id"], ["shops.id"], name=op.f("fk_order_totals_shop_id")),
        sa.PrimaryKeyConstraint("shop_id", "order_id", name=op.f("pk_order_totals")),
    )
    op.create_index(op.f("ix_order_totals_placed_at"), "order_totals", ["placed_at"])
    sums = ["shop_id", "placed_at", "test", "cancelled", "with_bundle", "currency", "total"]
    op.create_index("ix_order_totals_sums", "order_totals", sums)


def _configured_days() -> None:
    op.create_table(
        "configured_days",
        _shop_id(),
        sa.Column("test", sa.Boolean(), nullable=False),
        sa.Column("dimension", sa.String(length=16), nullable=False),
        sa.Column("day", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("bundle_id", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("value", sa.String(length=300), nullable=False),
        sa.Column("configured", sa.BigInteger(), nullable=False),
        sa.ForeignKeyConstraint(["shop_id"], ["shops.id"], name=op.f("fk_configured_days_shop_id")),
        sa.PrimaryKeyConstraint(
            "shop_id", "test", "dimension", "day", "bundle_id", "value", name=op.f("pk_configured_days")
        ),
    )
    op.create_index(op.f("ix_configured_days_day"), "configured_days", ["day"])
    op.create_table(
        "counted_days",
        sa.Column("day", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.PrimaryKeyConstraint("day", name=op.f("pk_counted_days")),
    )


def downgrade() -> None:
    for table in ("counted_days", "configured_days", "order_totals", "bundle_sales"):
        op.drop_table(table)

"""The live platform: connections, webhook deliveries, changes, and when a ghost variant was last confirmed to exist there."""

import sqlalchemy as sa
from alembic import op

revision = "0002"
down_revision = "0001"


def upgrade() -> None:
    op.add_column("ghost_variants", sa.Column("confirmed_at", sa.BigInteger(), server_default="0", nullable=False))
    op.create_table(
        "platform_connections",
        sa.Column("shop_id", sa.BigInteger().with_variant(sa.Integer(), "sqlite"), nullable=False),
        sa.Column("sealed", sa.Text(), nullable=False),
        sa.Column("connected_at", sa.BigInteger(), nullable=False),
        sa.ForeignKeyConstraint(["shop_id"], ["shops.id"], name=op.f("fk_platform_connections_shop_id")),
        sa.PrimaryKeyConstraint("shop_id", name=op.f("pk_platform_connections")),
    )
    op.create_table(
        "webhook_deliveries",
        sa.Column("shop_id", sa.BigInteger().with_variant(sa.Integer(), "sqlite"), nullable=False),
        sa.Column("delivery", sa.String(length=255), nullable=False),
        sa.Column("received_at", sa.BigInteger(), nullable=False),
        sa.ForeignKeyConstraint(["shop_id"], ["shops.id"], name=op.f("fk_webhook_deliveries_shop_id")),
        sa.PrimaryKeyConstraint("shop_id", "delivery", name=op.f("pk_webhook_deliveries")),
    )
    op.create_index(op.f("ix_webhook_deliveries_received_at"), "webhook_deliveries", ["received_at"])
    op.create_table(
        "platform_changes",
        sa.Column("number", sa.BigInteger().with_variant(sa.Integer(), "sqlite"), nullable=False),
        sa.Column("shop_id", sa.BigInteger().with_variant(sa.Integer(), "sqlite"), nullable=False),
        sa.Column("kind", sa.String(length=32), nullable=False),
        sa.Column("subject_id", sa.BigInteger(), nullable=True),
        sa.Column("recorded_at", sa.BigInteger(), nullable=False),
        sa.ForeignKeyConstraint(["shop_id"], ["shops.id"], name=op.f("fk_platform_changes_shop_id")),
        sa.PrimaryKeyConstraint("number", name=op.f("pk_platform_changes")),
        sqlite_autoincrement=True,
    )
    op.create_index(op.f("ix_platform_changes_recorded_at"), "platform_changes", ["recorded_at"])


def downgrade() -> None:
    op.drop_table("platform_changes")
    op.drop_table("webhook_deliveries")
    op.drop_table("platform_connections")
    op.drop_column("ghost_variants", "confirmed_at")

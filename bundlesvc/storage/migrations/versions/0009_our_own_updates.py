"""The updates that the service itself made to products, with their times."""

import sqlalchemy as sa
from alembic import op

revision = "0009"
down_revision = "0008"


def upgrade() -> None:
    op.create_table(
        "own_updates",
        sa.Column("shop_id", sa.BigInteger().with_variant(sa.Integer(), "sqlite"), nullable=False),
        sa.Column("product_id", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("updated_at", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("recorded_at", sa.BigInteger(), nullable=False),
        sa.ForeignKeyConstraint(["shop_id"], ["shops.id"], name=op.f("fk_own_updates_shop_id")),
        sa.PrimaryKeyConstraint("shop_id", "product_id", "updated_at", name=op.f("pk_own_updates")),
    )
    op.create_index(op.f("ix_own_updates_recorded_at"), "own_updates", ["recorded_at"])


def downgrade() -> None:
    op.drop_table("own_updates")

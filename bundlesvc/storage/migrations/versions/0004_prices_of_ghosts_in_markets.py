"""Prices of ghost variants in individual markets, and the prices promised there."""

import sqlalchemy as sa
from alembic import op

revision = "0004"
down_revision = "0003"


def upgrade() -> None:
    op.create_table(
        "catalogue_ghost_prices",
        sa.Column("shop_id", sa.BigInteger().with_variant(sa.Integer(), "sqlite"), nullable=False),
        sa.Column("variant_id", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("country_code", sa.String(length=2), nullable=False),
        sa.Column("price", sa.String(length=32), nullable=False),
        sa.ForeignKeyConstraint(["shop_id"], ["shops.id"], name=op.f("fk_catalogue_ghost_prices_shop_id")),
        sa.PrimaryKeyConstraint("shop_id", "variant_id", "country_code", name=op.f("pk_catalogue_ghost_prices")),
    )
    op.create_table(
        "ghost_promises",
        sa.Column("shop_id", sa.BigInteger().with_variant(sa.Integer(), "sqlite"), nullable=False),
        sa.Column("variant_id", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("price_list", sa.String(length=255), nullable=False),
        sa.Column("country_code", sa.String(length=2), nullable=False),
        sa.Column("promise", sa.String(length=32), nullable=False),
        sa.Column("price", sa.String(length=32), nullable=True),
        sa.Column("priced_at", sa.BigInteger(), nullable=True),
        sa.ForeignKeyConstraint(["shop_id"], ["shops.id"], name=op.f("fk_ghost_promises_shop_id")),
        sa.PrimaryKeyConstraint("shop_id", "variant_id", "price_list", name=op.f("pk_ghost_promises")),
    )


def downgrade() -> None:
    op.drop_table("ghost_promises")
    op.drop_table("catalogue_ghost_prices")

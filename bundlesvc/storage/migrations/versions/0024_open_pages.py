"""The bundles that are open in the studio, and who has opened them."""

import sqlalchemy as sa
from alembic import op

revision = "0024"
down_revision = "0023"

_ROW_ID = sa.BigInteger().with_variant(sa.Integer(), "sqlite")


def upgrade() -> None:
    op.create_table(
        "open_pages",
        sa.Column("shop_id", _ROW_ID, nullable=False),
        sa.Column("page", sa.String(length=32), nullable=False),
        sa.Column("label", sa.String(length=255), nullable=False),
        sa.Column("bundle_id", sa.BigInteger()),
        sa.Column("seen_at", sa.BigInteger(), nullable=False),
        sa.ForeignKeyConstraint(["shop_id"], ["shops.id"], name=op.f("fk_open_pages_shop_id")),
        sa.PrimaryKeyConstraint("shop_id", "page", name=op.f("pk_open_pages")),
    )
    op.create_index(op.f("ix_open_pages_seen_at"), "open_pages", ["seen_at"])


def downgrade() -> None:
    op.drop_table("open_pages")

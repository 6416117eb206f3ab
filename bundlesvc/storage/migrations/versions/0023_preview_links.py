"""Links to previews of drafts."""

import sqlalchemy as sa
from alembic import op

revision = "0023"
down_revision = "0022"

_ROW_ID = sa.BigInteger().with_variant(sa.Integer(), "sqlite")


def upgrade() -> None:
    op.create_table(
        "preview_links",
        sa.Column("id", _ROW_ID, nullable=False),
        sa.Column("shop_id", _ROW_ID, nullable=False),
        sa.Column("revision", sa.BigInteger(), nullable=False),
        sa.Column("bundle_id", sa.BigInteger(), nullable=False),
        sa.Column("time", sa.String(length=32), nullable=False),
        sa.Column("key_id", sa.BigInteger(), nullable=False),
        sa.Column("actor", sa.String(length=255), nullable=False),
        sa.Column("created_at", sa.BigInteger(), nullable=False),
        sa.Column("expires_at", sa.BigInteger(), nullable=False),
        sa.ForeignKeyConstraint(["shop_id"], ["shops.id"], name=op.f("fk_preview_links_shop_id")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_preview_links")),
        sqlite_autoincrement=True,
    )
    op.create_index(op.f("ix_preview_links_shop_id_expires_at"), "preview_links", ["shop_id", "expires_at"])
    op.create_index(op.f("ix_preview_links_expires_at"), "preview_links", ["expires_at"])


def downgrade() -> None:
    op.drop_table("preview_links")

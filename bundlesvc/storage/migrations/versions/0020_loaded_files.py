"""The content of shop files when they were last loaded."""

import sqlalchemy as sa
from alembic import op

revision = "0020"
down_revision = "0019"


def _shop_id() -> sa.Column[int]:
    row_id = sa.BigInteger().with_variant(sa.Integer(), "sqlite")
    return sa.Column("shop_id", row_id, autoincrement=False, nullable=False)


def upgrade() -> None:
    op.create_table(
        "loaded_files",
        _shop_id(),
        sa.Column("name", sa.String(length=255), nullable=False),
        sa.Column("revision", sa.BigInteger(), nullable=False),
        sa.Column("items", sa.LargeBinary(), nullable=False),
        sa.ForeignKeyConstraint(["shop_id"], ["shops.id"], name=op.f("fk_loaded_files_shop_id")),
        sa.PrimaryKeyConstraint("shop_id", "name", name=op.f("pk_loaded_files")),
    )


def downgrade() -> None:
    op.drop_table("loaded_files")

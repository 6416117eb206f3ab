"""The number of requests per key and day."""

import sqlalchemy as sa
from alembic import op

revision = "0013"
down_revision = "0012"

_KINDS = ("reads", "prices", "configures", "others", "refused", "failed")


def upgrade() -> None:
    op.create_table(
        "usage_days",
        sa.Column("day", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("shop", sa.String(length=255), nullable=False),
        sa.Column("key_prefix", sa.String(length=16), nullable=False),
        *(sa.Column(kind, sa.BigInteger(), nullable=False) for kind in _KINDS),
        sa.PrimaryKeyConstraint("day", "shop", "key_prefix", name=op.f("pk_usage_days")),
    )
    op.create_table(
        "usage_writers",
        sa.Column("writer", sa.String(length=32), nullable=False),
        sa.Column("batch", sa.BigInteger(), nullable=False),
        sa.Column("written_at", sa.BigInteger(), nullable=False),
        sa.PrimaryKeyConstraint("writer", name=op.f("pk_usage_writers")),
    )


def downgrade() -> None:
    op.drop_table("usage_writers")
    op.drop_table("usage_days")

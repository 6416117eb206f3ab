"""The times at which the sale of each bundle begins and ends."""

import sqlalchemy as sa
from alembic import op

revision = "0016"
down_revision = "0015"

_HAS_TIMES = sa.text("(begins_at IS NOT NULL OR ends_at IS NOT NULL)")


def upgrade() -> None:
    op.add_column("bundles", sa.Column("begins_at", sa.BigInteger()))
    op.add_column("bundles", sa.Column("ends_at", sa.BigInteger()))
    op.create_index("ix_bundles_times", "bundles", ["shop_id"], sqlite_where=_HAS_TIMES, postgresql_where=_HAS_TIMES)
    op.add_column("shops", sa.Column("times_passed", sa.BigInteger(), nullable=False, server_default="0"))


def downgrade() -> None:
    op.drop_column("shops", "times_passed")
    op.drop_index("ix_bundles_times", "bundles")
    op.drop_column("bundles", "ends_at")
    op.drop_column("bundles", "begins_at")

"""Every foreign key has an index, because the database searches for the rows that refer to a row when that row is deleted."""

from alembic import op

revision = "0008"
down_revision = "0007"

_INDEXES = (
    ("api_keys", "shop_id"),
    ("idempotency_keys", "configured_bundle_id"),
    ("platform_changes", "shop_id"),
)


def upgrade() -> None:
    for table, column in _INDEXES:
        op.create_index(f"ix_{table}_{column}", table, [column])


def downgrade() -> None:
    for table, column in _INDEXES:
        op.drop_index(f"ix_{table}_{column}", table)

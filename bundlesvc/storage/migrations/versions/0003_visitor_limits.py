"""The limit on the number of requests per minute that a key allows each visitor."""

import sqlalchemy as sa
from alembic import op

revision = "0003"
down_revision = "0002"


def upgrade() -> None:
    op.add_column("api_keys", sa.Column("visitor_limit", sa.Integer(), nullable=True))


def downgrade() -> None:
    op.drop_column("api_keys", "visitor_limit")

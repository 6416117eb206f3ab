"""Stored responses may be compressed; keys that work only in demo mode are marked."""

import sqlalchemy as sa
from alembic import op

revision = "0007"
down_revision = "0006"

_DEMO_LABEL, _DEMO_LIMIT = "demo", 6000
_api_keys = sa.table("api_keys", sa.column("label"), sa.column("rate_limit"), sa.column("demo"))


def upgrade() -> None:
    op.add_column(
        "idempotency_keys", sa.Column("encoding", sa.String(length=16), server_default="identity", nullable=False)
    )
    op.add_column("api_keys", sa.Column("demo", sa.Boolean(), server_default=sa.false(), nullable=False))
    made_by_demo_mode = (_api_keys.c.label == _DEMO_LABEL) & (_api_keys.c.rate_limit == _DEMO_LIMIT)
    op.execute(sa.update(_api_keys).where(made_by_demo_mode).values(demo=sa.true()))


def downgrade() -> None:
    responses = sa.table("idempotency_keys", sa.column("encoding"))
    op.execute(sa.delete(responses).where(responses.c.encoding != "identity"))  # the older release cannot read them
    op.drop_column("api_keys", "demo")
    op.drop_column("idempotency_keys", "encoding")

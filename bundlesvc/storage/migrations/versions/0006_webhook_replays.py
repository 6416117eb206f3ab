"""Webhook replays: the signature and the subject of each delivery."""

import sqlalchemy as sa
from alembic import op

revision = "0006"
down_revision = "0005"


def upgrade() -> None:
    op.add_column("webhook_deliveries", sa.Column("signature", sa.String(length=64), nullable=True))
    op.add_column("webhook_deliveries", sa.Column("subject", sa.String(length=255), nullable=True))
    op.create_index("uq_webhook_deliveries_signature", "webhook_deliveries", ["shop_id", "signature"], unique=True)


def downgrade() -> None:
    op.drop_index("uq_webhook_deliveries_signature", "webhook_deliveries")
    op.drop_column("webhook_deliveries", "subject")
    op.drop_column("webhook_deliveries", "signature")

"""The order and the contract of each subscription, how the contract ended, and whether an order was the first delivery of a
subscription or a renewal."""

import sqlalchemy as sa
from alembic import op

revision = "0021"
down_revision = "0020"


def upgrade() -> None:
    op.add_column("subscriptions", sa.Column("order_id", sa.String(length=64)))
    op.add_column("subscriptions", sa.Column("contract", sa.String(length=64)))
    op.add_column("subscriptions", sa.Column("ended", sa.String(length=16)))
    op.create_index(op.f("ix_subscriptions_shop_id_contract"), "subscriptions", ["shop_id", "contract"])
    op.add_column("order_verdicts", sa.Column("delivery", sa.String(length=8)))


def downgrade() -> None:
    op.drop_column("order_verdicts", "delivery")
    op.drop_index(op.f("ix_subscriptions_shop_id_contract"), "subscriptions")
    op.drop_column("subscriptions", "ended")
    op.drop_column("subscriptions", "contract")
    op.drop_column("subscriptions", "order_id")

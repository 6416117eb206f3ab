"""Which visitors saw which arm of an A/B test, and which visitor placed an order."""

import sqlalchemy as sa
from alembic import op

revision = "0019"
down_revision = "0018"


def _shop_id() -> sa.Column[int]:
    row_id = sa.BigInteger().with_variant(sa.Integer(), "sqlite")
    return sa.Column("shop_id", row_id, autoincrement=False, nullable=False)


def upgrade() -> None:
    op.create_table(
        "experiment_visitors",
        _shop_id(),
        sa.Column("experiment_id", sa.String(length=255), nullable=False),
        sa.Column("test", sa.Boolean(), nullable=False),
        sa.Column("visitor", sa.String(length=32), nullable=False),
        sa.Column("arm", sa.Integer(), nullable=False),
        sa.Column("seen_at", sa.BigInteger(), nullable=False),
        sa.ForeignKeyConstraint(["shop_id"], ["shops.id"], name=op.f("fk_experiment_visitors_shop_id")),
        sa.PrimaryKeyConstraint("shop_id", "experiment_id", "test", "visitor", name=op.f("pk_experiment_visitors")),
    )
    op.create_index(op.f("ix_experiment_visitors_seen_at"), "experiment_visitors", ["seen_at"])
    op.create_index(op.f("ix_experiment_visitors_shop_id_visitor"), "experiment_visitors", ["shop_id", "visitor"])
    op.create_table(
        "visitor_secrets",
        _shop_id(),
        sa.Column("secret", sa.String(length=64), nullable=False),
        sa.ForeignKeyConstraint(["shop_id"], ["shops.id"], name=op.f("fk_visitor_secrets_shop_id")),
        sa.PrimaryKeyConstraint("shop_id", name=op.f("pk_visitor_secrets")),
    )
    op.add_column("order_totals", sa.Column("rate", sa.String(length=32), nullable=False, server_default="1"))
    op.add_column("order_totals", sa.Column("visitor", sa.String(length=32)))
    op.create_index(op.f("ix_order_totals_shop_id_visitor"), "order_totals", ["shop_id", "visitor"])


def downgrade() -> None:
    op.drop_index(op.f("ix_order_totals_shop_id_visitor"), "order_totals")
    op.drop_column("order_totals", "visitor")
    op.drop_column("order_totals", "rate")
    op.drop_table("visitor_secrets")
    op.drop_table("experiment_visitors")

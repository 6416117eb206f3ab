"""The states of ghost variants: what a ghost variant depends on, when it is checked, and when the platform removed it."""

from collections.abc import Iterator
from itertools import islice
from typing import Any

import orjson
import sqlalchemy as sa
from alembic import op

revision = "0005"
down_revision = "0004"

PART = 500
"""The number of rows that are inserted with one statement."""

_NEWEST = sa.text(
    """
    SELECT ghost_variants.id AS ghost_id, ghost_variants.shop_id, made.bundle_id, made.items
    FROM ghost_variants
    JOIN configured_bundles AS made ON made.number = (
        SELECT max(number) FROM configured_bundles
        WHERE configured_bundles.shop_id = ghost_variants.shop_id
        AND configured_bundles.variant_id = ghost_variants.variant_id
    )
    """
)


def upgrade() -> None:
    op.add_column("ghost_variants", sa.Column("marked", sa.Boolean(), server_default=sa.text("false"), nullable=False))
    op.add_column("ghost_variants", sa.Column("checked_at", sa.BigInteger(), server_default="0", nullable=False))
    op.add_column("ghost_variants", sa.Column("check_at", sa.BigInteger(), server_default="0", nullable=True))
    op.add_column("ghost_variants", sa.Column("claim", sa.String(length=32), nullable=True))
    op.add_column("ghost_variants", sa.Column("broken_at", sa.BigInteger(), nullable=True))
    op.add_column("ghost_variants", sa.Column("bought_at", sa.BigInteger(), nullable=True))
    op.add_column("ghost_variants", sa.Column("gone_at", sa.BigInteger(), nullable=True))
    op.create_index(op.f("ix_ghost_variants_shop_id_variant_id"), "ghost_variants", ["shop_id", "variant_id"])
    op.create_index(op.f("ix_ghost_variants_check_at"), "ghost_variants", ["check_at"])
    subjects = op.create_table(
        "ghost_subjects",
        sa.Column("shop_id", sa.BigInteger().with_variant(sa.Integer(), "sqlite"), nullable=False),
        sa.Column("kind", sa.String(length=32), nullable=False),
        sa.Column("subject_id", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("ghost_id", sa.BigInteger().with_variant(sa.Integer(), "sqlite"), nullable=False),
        sa.ForeignKeyConstraint(["ghost_id"], ["ghost_variants.id"], name=op.f("fk_ghost_subjects_ghost_id")),
        sa.ForeignKeyConstraint(["shop_id"], ["shops.id"], name=op.f("fk_ghost_subjects_shop_id")),
        sa.PrimaryKeyConstraint("shop_id", "kind", "subject_id", "ghost_id", name=op.f("pk_ghost_subjects")),
    )
    op.create_index(op.f("ix_ghost_subjects_ghost_id"), "ghost_subjects", ["ghost_id"])
    op.execute("UPDATE ghost_variants SET gone_at = retired_at, check_at = NULL WHERE retired_at IS NOT NULL")
    rows = iter(list(_subjects()))
    while part := list(islice(rows, PART)):
        op.bulk_insert(subjects, part)


def _subjects() -> Iterator[dict[str, Any]]:
    """Yield the subjects that ghost variants depend on, according to the newest configured bundle of each ghost variant."""
    for row in op.get_bind().execute(_NEWEST):
        products = {item["product_id"] for item in orjson.loads(row.items)}
        for kind, subject in (("bundle", row.bundle_id), *(("product", product) for product in sorted(products))):
            yield {"shop_id": row.shop_id, "kind": kind, "subject_id": subject, "ghost_id": row.ghost_id}


def downgrade() -> None:
    op.drop_table("ghost_subjects")
    op.drop_index(op.f("ix_ghost_variants_check_at"), "ghost_variants")
    op.drop_index(op.f("ix_ghost_variants_shop_id_variant_id"), "ghost_variants")
    for column in ("gone_at", "bought_at", "broken_at", "claim", "check_at", "checked_at", "marked"):
        op.drop_column("ghost_variants", column)

"""Generations of the rows of a shop file: a load can write the next generation while the current one is read."""

import sqlalchemy as sa
from alembic import op
from alembic.operations import BatchOperations

revision = "0012"
down_revision = "0010"

_KEYS = {
    "markets": "country_code",
    "products": "id",
    "variants": "id",
    "bundles": "id",
    "experiments": "id",
}


def upgrade() -> None:
    op.add_column("shops", sa.Column("generation", sa.BigInteger(), server_default="0", nullable=False))
    for table, key in _KEYS.items():
        with op.batch_alter_table(table) as batch:
            batch.add_column(
                sa.Column("generation", sa.BigInteger(), autoincrement=False, server_default="0", nullable=False)
            )
            _change_key(batch, table, "shop_id", "generation", key)


def downgrade() -> None:
    shops = sa.table("shops", sa.column("id"), sa.column("generation"))
    for name, key in _KEYS.items():
        table = sa.table(name, sa.column("shop_id"), sa.column("generation"))
        in_use = sa.select(shops.c.generation).where(shops.c.id == table.c.shop_id).scalar_subquery()
        op.execute(sa.delete(table).where(table.c.generation != in_use))
        with op.batch_alter_table(name) as batch:
            _change_key(batch, name, "shop_id", key)
            batch.drop_column("generation")
    op.drop_column("shops", "generation")


def _change_key(batch: BatchOperations, table: str, *columns: str) -> None:
    batch.drop_constraint(f"pk_{table}", type_="primary")
    batch.create_primary_key(f"pk_{table}", list(columns))

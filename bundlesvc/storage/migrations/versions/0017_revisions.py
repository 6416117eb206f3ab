"""Revisions of shops: their drafts, the content of past revisions, the audit log, and stored responses of the management API."""

import sqlalchemy as sa
from alembic import op

revision = "0017"
down_revision = "0016"


def _row_id() -> sa.types.TypeEngine[int]:
    return sa.BigInteger().with_variant(sa.Integer(), "sqlite")


def _shop_id() -> sa.Column[int]:
    return sa.Column("shop_id", _row_id(), autoincrement=False, nullable=False)


def _of_shop(table: str) -> sa.ForeignKeyConstraint:
    return sa.ForeignKeyConstraint(["shop_id"], ["shops.id"], name=op.f(f"fk_{table}_shop_id"))


def upgrade() -> None:
    op.create_table(
        "shop_revisions",
        _shop_id(),
        sa.Column("number", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("state", sa.String(length=16), nullable=False),
        sa.Column("position", sa.BigInteger()),
        sa.Column("base", sa.BigInteger()),
        sa.Column("author", sa.String(length=255), nullable=False),
        sa.Column("source", sa.String(length=255), nullable=False),
        sa.Column("message", sa.Text(), nullable=False),
        sa.Column("version", sa.BigInteger(), nullable=False),
        sa.Column("created_at", sa.BigInteger(), nullable=False),
        sa.Column("published_at", sa.BigInteger()),
        sa.Column("publish_at", sa.BigInteger()),
        sa.Column("problem", sa.Text()),
        sa.Column("tried_at", sa.BigInteger()),
        _of_shop("shop_revisions"),
        sa.PrimaryKeyConstraint("shop_id", "number", name=op.f("pk_shop_revisions")),
    )
    op.create_index(op.f("ix_shop_revisions_shop_id_position"), "shop_revisions", ["shop_id", "position"], unique=True)
    op.create_index(op.f("ix_shop_revisions_state_publish_at"), "shop_revisions", ["state", "publish_at"])
    op.create_table(
        "draft_items",
        _shop_id(),
        sa.Column("revision", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("kind", sa.String(length=16), nullable=False),
        sa.Column("name", sa.String(length=255), nullable=False),
        sa.Column("base", sa.LargeBinary()),
        sa.Column("document", sa.LargeBinary()),
        _of_shop("draft_items"),
        sa.PrimaryKeyConstraint("shop_id", "revision", "kind", "name", name=op.f("pk_draft_items")),
    )
    op.create_table(
        "past_items",
        _shop_id(),
        sa.Column("position", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("kind", sa.String(length=16), nullable=False),
        sa.Column("name", sa.String(length=255), nullable=False),
        sa.Column("document", sa.LargeBinary()),
        _of_shop("past_items"),
        sa.PrimaryKeyConstraint("shop_id", "position", "kind", "name", name=op.f("pk_past_items")),
    )
    op.create_table(
        "audit_entries",
        sa.Column("id", _row_id(), nullable=False),
        sa.Column("shop_id", _row_id(), nullable=False),
        sa.Column("at", sa.BigInteger(), nullable=False),
        sa.Column("actor", sa.String(length=255), nullable=False),
        sa.Column("origin", sa.String(length=255), nullable=False),
        sa.Column("action", sa.String(length=16), nullable=False),
        sa.Column("revision", sa.BigInteger()),
        sa.Column("changes", sa.LargeBinary(), nullable=False),
        sa.Column("complete", sa.Boolean(), nullable=False),
        _of_shop("audit_entries"),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_audit_entries")),
        sqlite_autoincrement=True,
    )
    op.create_index(op.f("ix_audit_entries_shop_id_id"), "audit_entries", ["shop_id", "id"])
    op.create_index(op.f("ix_audit_entries_at"), "audit_entries", ["at"])
    op.create_table(
        "manage_responses",
        _shop_id(),
        sa.Column("api_key", sa.String(length=16), nullable=False),
        sa.Column("method", sa.String(length=8), nullable=False),
        sa.Column("path", sa.String(length=255), nullable=False),
        sa.Column("key", sa.String(length=255), nullable=False),
        sa.Column("body_digest", sa.String(length=64), nullable=False),
        sa.Column("status", sa.Integer(), nullable=False),
        sa.Column("etag", sa.String(length=64)),
        sa.Column("answer", sa.LargeBinary(), nullable=False),
        sa.Column("created_at", sa.BigInteger(), nullable=False),
        _of_shop("manage_responses"),
        sa.PrimaryKeyConstraint("shop_id", "api_key", "method", "path", "key", name=op.f("pk_manage_responses")),
    )
    op.create_index(op.f("ix_manage_responses_created_at"), "manage_responses", ["created_at"])


def downgrade() -> None:
    for table in ("manage_responses", "audit_entries", "past_items", "draft_items", "shop_revisions"):
        op.drop_table(table)

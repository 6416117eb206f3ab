"""The first tables."""

import sqlalchemy as sa
from alembic import op

revision = "0001"
down_revision = None


def upgrade() -> None:
    op.create_table(
        "shops",
        sa.Column("id", sa.BigInteger().with_variant(sa.Integer(), "sqlite"), nullable=False),
        sa.Column("handle", sa.String(length=255), nullable=False),
        sa.Column("headless_enabled", sa.Boolean(), nullable=False),
        sa.Column("revision", sa.BigInteger(), nullable=False),
        sa.Column("document", sa.Text(), nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_shops")),
        sa.UniqueConstraint("handle", name=op.f("uq_shops_handle")),
    )
    op.create_table(
        "api_keys",
        sa.Column("id", sa.BigInteger().with_variant(sa.Integer(), "sqlite"), nullable=False),
        sa.Column("shop_id", sa.BigInteger().with_variant(sa.Integer(), "sqlite"), nullable=False),
        sa.Column("digest", sa.String(length=64), nullable=False),
        sa.Column("prefix", sa.String(length=16), nullable=False),
        sa.Column("label", sa.String(length=255), nullable=False),
        sa.Column("test", sa.Boolean(), nullable=False),
        sa.Column("scopes", sa.Text(), nullable=False),
        sa.Column("origins", sa.Text(), nullable=False),
        sa.Column("rate_limit", sa.Integer(), nullable=False),
        sa.Column("active", sa.Boolean(), nullable=False),
        sa.Column("created_at", sa.BigInteger(), nullable=False),
        sa.Column("last_used_at", sa.BigInteger(), nullable=True),
        sa.ForeignKeyConstraint(["shop_id"], ["shops.id"], name=op.f("fk_api_keys_shop_id")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_api_keys")),
        sa.UniqueConstraint("digest", name=op.f("uq_api_keys_digest")),
        sa.UniqueConstraint("prefix", name=op.f("uq_api_keys_prefix")),
    )
    op.create_table(
        "bundles",
        sa.Column("shop_id", sa.BigInteger().with_variant(sa.Integer(), "sqlite"), nullable=False),
        sa.Column("id", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("published", sa.Boolean(), nullable=False),
        sa.Column("product_id", sa.BigInteger(), nullable=True),
        sa.Column("document", sa.Text(), nullable=False),
        sa.ForeignKeyConstraint(["shop_id"], ["shops.id"], name=op.f("fk_bundles_shop_id")),
        sa.PrimaryKeyConstraint("shop_id", "id", name=op.f("pk_bundles")),
    )
    op.create_index(op.f("ix_bundles_shop_id_product_id"), "bundles", ["shop_id", "product_id"], unique=False)
    op.create_table(
        "catalogue_ghosts",
        sa.Column("shop_id", sa.BigInteger().with_variant(sa.Integer(), "sqlite"), nullable=False),
        sa.Column("variant_id", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("product_id", sa.BigInteger(), nullable=False),
        sa.Column("option_value", sa.String(length=64), nullable=False),
        sa.Column("price", sa.String(length=32), nullable=False),
        sa.Column("retired", sa.Boolean(), nullable=False),
        sa.ForeignKeyConstraint(["shop_id"], ["shops.id"], name=op.f("fk_catalogue_ghosts_shop_id")),
        sa.PrimaryKeyConstraint("shop_id", "variant_id", name=op.f("pk_catalogue_ghosts")),
    )
    op.create_index(
        "uq_catalogue_ghosts_option_value",
        "catalogue_ghosts",
        ["shop_id", "product_id", "option_value"],
        unique=True,
        sqlite_where=sa.text("NOT retired"),
        postgresql_where=sa.text("NOT retired"),
    )
    op.create_table(
        "configured_bundles",
        sa.Column("number", sa.BigInteger().with_variant(sa.Integer(), "sqlite"), nullable=False),
        sa.Column("id", sa.BigInteger(), nullable=False),
        sa.Column("shop_id", sa.BigInteger().with_variant(sa.Integer(), "sqlite"), nullable=False),
        sa.Column("bundle_id", sa.BigInteger(), nullable=False),
        sa.Column("bundle_type", sa.String(length=32), nullable=False),
        sa.Column("title", sa.Text(), nullable=False),
        sa.Column("product_id", sa.BigInteger(), nullable=False),
        sa.Column("variant_id", sa.BigInteger(), nullable=False),
        sa.Column("country", sa.String(length=2), nullable=True),
        sa.Column("test", sa.Boolean(), nullable=False),
        sa.Column("unique_id", sa.String(length=32), nullable=False),
        sa.Column("original", sa.String(length=32), nullable=False),
        sa.Column("discounted", sa.String(length=32), nullable=False),
        sa.Column("discount_type", sa.String(length=32), nullable=False),
        sa.Column("discount_value", sa.String(length=32), nullable=False),
        sa.Column("currency", sa.String(length=3), nullable=False),
        sa.Column("items", sa.Text(), nullable=False),
        sa.Column("visitor_id", sa.String(length=36), nullable=True),
        sa.Column("experiment_id", sa.String(length=255), nullable=True),
        sa.Column("arm", sa.Integer(), nullable=True),
        sa.Column("configured_at", sa.BigInteger(), nullable=False),
        sa.ForeignKeyConstraint(["shop_id"], ["shops.id"], name=op.f("fk_configured_bundles_shop_id")),
        sa.PrimaryKeyConstraint("number", name=op.f("pk_configured_bundles")),
        sa.UniqueConstraint("id", name=op.f("uq_configured_bundles_id")),
    )
    op.create_index(op.f("ix_configured_bundles_configured_at"), "configured_bundles", ["configured_at"], unique=False)
    op.create_index(
        op.f("ix_configured_bundles_shop_id_variant_id_number"),
        "configured_bundles",
        ["shop_id", "variant_id", "number"],
        unique=False,
    )
    op.create_table(
        "experiments",
        sa.Column("shop_id", sa.BigInteger().with_variant(sa.Integer(), "sqlite"), nullable=False),
        sa.Column("id", sa.String(length=255), nullable=False),
        sa.Column("bundle_id", sa.BigInteger(), nullable=False),
        sa.Column("document", sa.Text(), nullable=False),
        sa.ForeignKeyConstraint(["shop_id"], ["shops.id"], name=op.f("fk_experiments_shop_id")),
        sa.PrimaryKeyConstraint("shop_id", "id", name=op.f("pk_experiments")),
    )
    op.create_table(
        "ghost_variants",
        sa.Column("id", sa.BigInteger().with_variant(sa.Integer(), "sqlite"), nullable=False),
        sa.Column("shop_id", sa.BigInteger().with_variant(sa.Integer(), "sqlite"), nullable=False),
        sa.Column("identity", sa.String(length=64), nullable=False),
        sa.Column("product_id", sa.BigInteger(), nullable=False),
        sa.Column("variant_id", sa.BigInteger(), nullable=False),
        sa.Column("last_used_at", sa.BigInteger(), nullable=False),
        sa.Column("retired_at", sa.BigInteger(), nullable=True),
        sa.ForeignKeyConstraint(["shop_id"], ["shops.id"], name=op.f("fk_ghost_variants_shop_id")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_ghost_variants")),
    )
    op.create_index(
        op.f("ix_ghost_variants_shop_id_product_id_last_used_at"),
        "ghost_variants",
        ["shop_id", "product_id", "last_used_at"],
        unique=False,
    )
    op.create_index(
        "uq_ghost_variants_in_use",
        "ghost_variants",
        ["shop_id", "identity"],
        unique=True,
        sqlite_where=sa.text("retired_at IS NULL"),
        postgresql_where=sa.text("retired_at IS NULL"),
    )
    op.create_table(
        "markets",
        sa.Column("shop_id", sa.BigInteger().with_variant(sa.Integer(), "sqlite"), nullable=False),
        sa.Column("country_code", sa.String(length=2), nullable=False),
        sa.Column("document", sa.Text(), nullable=False),
        sa.ForeignKeyConstraint(["shop_id"], ["shops.id"], name=op.f("fk_markets_shop_id")),
        sa.PrimaryKeyConstraint("shop_id", "country_code", name=op.f("pk_markets")),
    )
    op.create_table(
        "products",
        sa.Column("shop_id", sa.BigInteger().with_variant(sa.Integer(), "sqlite"), nullable=False),
        sa.Column("id", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("handle", sa.String(length=255), nullable=False),
        sa.Column("document", sa.Text(), nullable=False),
        sa.ForeignKeyConstraint(["shop_id"], ["shops.id"], name=op.f("fk_products_shop_id")),
        sa.PrimaryKeyConstraint("shop_id", "id", name=op.f("pk_products")),
    )
    op.create_index(op.f("ix_products_shop_id_handle"), "products", ["shop_id", "handle"], unique=False)
    op.create_table(
        "stock_reminders",
        sa.Column("shop_id", sa.BigInteger().with_variant(sa.Integer(), "sqlite"), nullable=False),
        sa.Column("variant_id", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("email", sa.String(length=254), nullable=False),
        sa.Column("bundle_name", sa.Text(), nullable=False),
        sa.Column("created_at", sa.BigInteger(), nullable=False),
        sa.ForeignKeyConstraint(["shop_id"], ["shops.id"], name=op.f("fk_stock_reminders_shop_id")),
        sa.PrimaryKeyConstraint("shop_id", "variant_id", "email", name=op.f("pk_stock_reminders")),
    )
    op.create_index(op.f("ix_stock_reminders_email"), "stock_reminders", ["email"], unique=False)
    op.create_table(
        "variants",
        sa.Column("shop_id", sa.BigInteger().with_variant(sa.Integer(), "sqlite"), nullable=False),
        sa.Column("id", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("product_id", sa.BigInteger(), nullable=False),
        sa.ForeignKeyConstraint(["shop_id"], ["shops.id"], name=op.f("fk_variants_shop_id")),
        sa.PrimaryKeyConstraint("shop_id", "id", name=op.f("pk_variants")),
    )
    op.create_table(
        "idempotency_keys",
        sa.Column("shop_id", sa.BigInteger().with_variant(sa.Integer(), "sqlite"), nullable=False),
        sa.Column("test", sa.Boolean(), nullable=False),
        sa.Column("method", sa.String(length=8), nullable=False),
        sa.Column("path", sa.String(length=255), nullable=False),
        sa.Column("key", sa.String(length=255), nullable=False),
        sa.Column("body_digest", sa.String(length=64), nullable=False),
        sa.Column("answer", sa.LargeBinary(), nullable=False),
        sa.Column("configured_bundle_id", sa.BigInteger(), nullable=False),
        sa.Column("created_at", sa.BigInteger(), nullable=False),
        sa.ForeignKeyConstraint(
            ["configured_bundle_id"], ["configured_bundles.id"], name=op.f("fk_idempotency_keys_configured_bundle_id")
        ),
        sa.ForeignKeyConstraint(["shop_id"], ["shops.id"], name=op.f("fk_idempotency_keys_shop_id")),
        sa.PrimaryKeyConstraint("shop_id", "test", "method", "path", "key", name=op.f("pk_idempotency_keys")),
    )
    op.create_index(op.f("ix_idempotency_keys_created_at"), "idempotency_keys", ["created_at"], unique=False)
    op.create_table(
        "subscriptions",
        sa.Column("id", sa.BigInteger().with_variant(sa.Integer(), "sqlite"), nullable=False),
        sa.Column("shop_id", sa.BigInteger().with_variant(sa.Integer(), "sqlite"), nullable=False),
        sa.Column("configured_bundle_id", sa.BigInteger(), nullable=False),
        sa.Column("group_id", sa.BigInteger(), nullable=False),
        sa.Column("frequency", sa.BigInteger(), nullable=False),
        sa.Column("unit", sa.String(length=8), nullable=False),
        sa.Column("email", sa.String(length=254), nullable=False),
        sa.Column("status", sa.String(length=16), nullable=False),
        sa.Column("next_date", sa.String(length=10), nullable=True),
        sa.Column("created_at", sa.BigInteger(), nullable=False),
        sa.ForeignKeyConstraint(
            ["configured_bundle_id"], ["configured_bundles.id"], name=op.f("fk_subscriptions_configured_bundle_id")
        ),
        sa.ForeignKeyConstraint(["shop_id"], ["shops.id"], name=op.f("fk_subscriptions_shop_id")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_subscriptions")),
        sa.UniqueConstraint("configured_bundle_id", name=op.f("uq_subscriptions_configured_bundle_id")),
        sqlite_autoincrement=True,
    )
    op.create_index(op.f("ix_subscriptions_shop_id_status"), "subscriptions", ["shop_id", "status"], unique=False)


def downgrade() -> None:
    op.drop_index(op.f("ix_subscriptions_shop_id_status"), table_name="subscriptions")
    op.drop_table("subscriptions")
    op.drop_index(op.f("ix_idempotency_keys_created_at"), table_name="idempotency_keys")
    op.drop_table("idempotency_keys")
    op.drop_table("variants")
    op.drop_index(op.f("ix_stock_reminders_email"), table_name="stock_reminders")
    op.drop_table("stock_reminders")
    op.drop_index(op.f("ix_products_shop_id_handle"), table_name="products")
    op.drop_table("products")
    op.drop_table("markets")
    op.drop_index(
        "uq_ghost_variants_in_use",
        table_name="ghost_variants",
        sqlite_where=sa.text("retired_at IS NULL"),
        postgresql_where=sa.text("retired_at IS NULL"),
    )
    op.drop_index(op.f("ix_ghost_variants_shop_id_product_id_last_used_at"), table_name="ghost_variants")
    op.drop_table("ghost_variants")
    op.drop_table("experiments")
    op.drop_index(op.f("ix_configured_bundles_shop_id_variant_id_number"), table_name="configured_bundles")
    op.drop_index(op.f("ix_configured_bundles_configured_at"), table_name="configured_bundles")
    op.drop_table("configured_bundles")
    op.drop_index(
        "uq_catalogue_ghosts_option_value",
        table_name="catalogue_ghosts",
        sqlite_where=sa.text("NOT retired"),
        postgresql_where=sa.text("NOT retired"),
    )
    op.drop_table("catalogue_ghosts")
    op.drop_index(op.f("ix_bundles_shop_id_product_id"), table_name="bundles")
    op.drop_table("bundles")
    op.drop_table("api_keys")
    op.drop_table("shops")

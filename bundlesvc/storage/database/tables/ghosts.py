"""The tables of ghost variants: what they depend on, what they promise, and those on the embedded platform."""

from sqlalchemy import BigInteger, Boolean, Column, ForeignKey, Index, String, Table, text

from bundlesvc.storage.database.tables.columns import RowId, metadata, shop_id_column

ghost_variants = Table(
    "ghost_variants",
    metadata,
    Column("id", RowId, primary_key=True),
    shop_id_column(),
    Column("identity", String(64), nullable=False),
    Column("product_id", BigInteger, nullable=False),
    Column("variant_id", BigInteger, nullable=False),
    Column("last_used_at", BigInteger, nullable=False),
    Column("retired_at", BigInteger),
    Column("confirmed_at", BigInteger, nullable=False, server_default="0"),  # last confirmation by the platform
    Column(
        "marked", Boolean, nullable=False, server_default=text("false")
    ),  # whether anything that its promise depends on has changed
    Column("checked_at", BigInteger, nullable=False, server_default="0"),  # when its promise was last found valid
    Column("check_at", BigInteger, server_default="0"),  # when the next check is due; NULL: never
    Column("claim", String(32)),  # upkeep run holding the row until `check_at`
    Column("broken_at", BigInteger),  # when its promise was first found broken in a market
    Column("bought_at", BigInteger),
    Column("gone_at", BigInteger),  # when its removal from the platform was recorded
    # Only one ghost variant per identity is in use. Retired variants are kept, so that their configured bundles can be looked up.
    Index(
        "uq_ghost_variants_in_use",
        "shop_id",
        "identity",
        unique=True,
        sqlite_where=text("retired_at IS NULL"),
    ),
    Index(None, "shop_id", "product_id", "last_used_at"),
    Index(None, "shop_id", "variant_id"),
    Index(None, "check_at"),
)

ghost_subjects = Table(  # what a ghost variant depends on: its bundle, products and inventory items
    "ghost_subjects",
    metadata,
    shop_id_column(primary_key=True),
    Column("kind", String(32), primary_key=True),
    Column("subject_id", BigInteger, primary_key=True, autoincrement=False),
    Column("ghost_id", RowId, ForeignKey("ghost_variants.id"), primary_key=True),
    Index(None, "ghost_id"),
)

catalogue_ghosts = Table(
    "catalogue_ghosts",
    metadata,
    shop_id_column(primary_key=True),
    Column("variant_id", BigInteger, primary_key=True, autoincrement=False),
    Column("product_id", BigInteger, nullable=False),
    Column("option_value", String(64), nullable=False),
    Column("price", String(32), nullable=False),
    Column("retired", Boolean, nullable=False),
    Index(
        "uq_catalogue_ghosts_option_value",
        "shop_id",
        "product_id",
        "option_value",
        unique=True,
        sqlite_where=text("NOT retired"),
    ),
)

catalogue_ghost_prices = Table(  # in the currency of the country's market
    "catalogue_ghost_prices",
    metadata,
    shop_id_column(primary_key=True),
    Column("variant_id", BigInteger, primary_key=True, autoincrement=False),
    Column("country_code", String(2), primary_key=True),
    Column("price", String(32), nullable=False),
)

ghost_promises = Table(
    "ghost_promises",
    metadata,
    shop_id_column(primary_key=True),
    Column("variant_id", BigInteger, primary_key=True, autoincrement=False),
    Column("price_list", String(255), primary_key=True),  # the platform's name for it
    Column("country_code", String(2), nullable=False),
    Column("promise", String(32), nullable=False),  # in shop currency
    Column("price", String(32)),  # in the price list's currency; NULL if the variant has no price of its own there
    Column("priced_at", BigInteger),  # when the platform last accepted the price
)

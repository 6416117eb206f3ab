"""The tables of revisions, drafts and loaded shop files, and of the studio's links, open pages and stored responses."""

from sqlalchemy import BigInteger, Boolean, Column, Index, Integer, LargeBinary, String, Table, Text

from bundlesvc.storage.database.tables.columns import RowId, metadata, shop_id_column

shop_revisions = Table(  # a shop's revisions; `position` numbers published revisions in publication order
    "shop_revisions",
    metadata,
    shop_id_column(primary_key=True),
    Column("number", BigInteger, primary_key=True, autoincrement=False),
    Column("state", String(16), nullable=False),
    Column("position", BigInteger),
    Column("base", BigInteger),
    Column("author", String(255), nullable=False),
    Column("source", String(255), nullable=False),
    Column("message", Text, nullable=False),
    Column("version", BigInteger, nullable=False),  # the number of changes to the row and its draft
    Column("created_at", BigInteger, nullable=False),
    Column("published_at", BigInteger),
    Column("publish_at", BigInteger),
    Column("problem", Text),
    Column("tried_at", BigInteger),  # when publishing a scheduled revision last failed
    Index(None, "shop_id", "position", unique=True),
    Index(None, "state", "publish_at"),
)

draft_items = Table(  # changes in drafts, packed, in the format of the shop file; NULL for a deleted item
    "draft_items",
    metadata,
    shop_id_column(primary_key=True),
    Column("revision", BigInteger, primary_key=True, autoincrement=False),
    Column("kind", String(16), primary_key=True),
    Column("name", String(255), primary_key=True),
    Column("base", LargeBinary),
    Column("document", LargeBinary),
)

past_items = Table(  # the packed items that the next revision changed or deleted; NULL for added items
    "past_items",
    metadata,
    shop_id_column(primary_key=True),
    Column("position", BigInteger, primary_key=True, autoincrement=False),
    Column("kind", String(16), primary_key=True),
    Column("name", String(255), primary_key=True),
    Column("document", LargeBinary),
)

loaded_files = Table(  # the last load of each shop file: the `items` that differed from the live revision
    "loaded_files",
    metadata,
    shop_id_column(primary_key=True),
    Column("name", String(255), primary_key=True),
    Column("revision", BigInteger, nullable=False),
    Column("items", LargeBinary, nullable=False),  # packed JSON
)

audit_entries = Table(
    "audit_entries",
    metadata,
    Column("id", RowId, primary_key=True),
    shop_id_column(),
    Column("at", BigInteger, nullable=False),
    Column("actor", String(255), nullable=False),
    Column("origin", String(255), nullable=False),
    Column("action", String(16), nullable=False),
    Column("revision", BigInteger),
    Column("changes", LargeBinary, nullable=False),  # packed JSON
    Column("complete", Boolean, nullable=False),
    Index(None, "shop_id", "id"),
    Index(None, "at"),
    sqlite_autoincrement=True,  # never reuse the number of a deleted entry
)

open_pages = Table(  # studio pages: who has which bundle open, until the page stops reporting it
    "open_pages",
    metadata,
    shop_id_column(primary_key=True),
    Column("page", String(32), primary_key=True),
    Column("label", String(255), nullable=False),
    Column("bundle_id", BigInteger),
    Column("seen_at", BigInteger, nullable=False),
    Index(None, "seen_at"),
)

preview_links = Table(  # links to a bundle in a revision, for people without a key; a revoked link has no row
    "preview_links",
    metadata,
    Column("id", RowId, primary_key=True),
    shop_id_column(),
    Column("revision", BigInteger, nullable=False),
    Column("bundle_id", BigInteger, nullable=False),
    Column("time", String(32), nullable=False),
    Column("key_id", BigInteger, nullable=False),  # the link's creator: the link expires with this key
    Column("actor", String(255), nullable=False),
    Column("created_at", BigInteger, nullable=False),
    Column("expires_at", BigInteger, nullable=False),
    Index(None, "shop_id", "expires_at"),
    Index(None, "expires_at"),
    sqlite_autoincrement=True,  # never reuse the number of a deleted link
)

manage_responses = Table(  # responses to management API requests with an idempotency key
    "manage_responses",
    metadata,
    shop_id_column(primary_key=True),
    Column("api_key", String(16), primary_key=True),
    Column("method", String(8), primary_key=True),
    Column("path", String(255), primary_key=True),
    Column("key", String(255), primary_key=True),
    Column("body_digest", String(64), nullable=False),
    Column("status", Integer, nullable=False),
    Column("etag", String(64)),
    Column("answer", LargeBinary, nullable=False),
    Column("created_at", BigInteger, nullable=False),
    Index(None, "created_at"),
)

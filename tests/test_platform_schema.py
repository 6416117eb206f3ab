"""The GraphQL schemas for tests: their source, and the verification of their digest."""

import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests import platform_schema
from tests.platform_schema import (
    ADMIN,
    CART_TRANSFORM,
    DISCOUNT,
    SCHEMAS,
    STOREFRONT,
    SchemaUnavailable,
    admin_schema,
    cart_transform_schema,
    schema,
    schema_file,
)


@pytest.fixture
def nothing_cached(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[Path]:
    """An empty schema cache. The value is the folder that contains it."""
    monkeypatch.delenv(platform_schema.SOURCE_VARIABLE, raising=False)
    monkeypatch.setattr(platform_schema, "CACHE", tmp_path / "cache")
    platform_schema._download.cache_clear()
    yield tmp_path
    platform_schema._download.cache_clear()


def test_downloaded_schemas_are_complete() -> None:
    assert admin_schema().get_type("ProductVariantsBulkInput")
    assert cart_transform_schema().get_type("CartTransformRunResult")
    assert schema(DISCOUNT).get_type("CartLinesDiscountsGenerateRunResult")
    assert schema(STOREFRONT).get_type("CartLineInput")
    assert all(schema_file(name).exists() for name in SCHEMAS)


def test_another_tarball_is_refused(nothing_cached: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    other = nothing_cached / "other.tgz"
    other.write_bytes(b"not the package")
    monkeypatch.setattr(platform_schema, "_pack", lambda _: other)

    with pytest.raises(SchemaUnavailable, match="SHA-512 differs"):
        schema_file(ADMIN)


def test_without_npm_the_error_says_so(nothing_cached: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(shutil, "which", lambda _: None)

    with pytest.raises(SchemaUnavailable, match="npm is not on the PATH"):
        schema_file(CART_TRANSFORM)


def test_configured_folder_takes_precedence(nothing_cached: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    own = nothing_cached / f"{ADMIN}.introspection.json.gz"
    own.touch()
    monkeypatch.setenv(platform_schema.SOURCE_VARIABLE, str(nothing_cached))

    assert schema_file(ADMIN) == own

"""The schemas that tests hold our documents to: where they come from, and that nothing else passes for them."""

import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests import platform_schema
from tests.platform_schema import (
    ADMIN,
    CART_TRANSFORM,
    SchemaUnavailable,
    admin_schema,
    cart_transform_schema,
    schema_file,
)


@pytest.fixture
def nothing_cached(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[Path]:
    """A folder in which the cache would be; no schema is at hand."""
    monkeypatch.delenv(platform_schema.SOURCE_VARIABLE, raising=False)
    monkeypatch.setattr(platform_schema, "CACHE", tmp_path / "cache")
    platform_schema._download.cache_clear()
    yield tmp_path
    platform_schema._download.cache_clear()


def test_they_are_whole() -> None:
    assert admin_schema().get_type("ProductVariantsBulkInput")
    assert cart_transform_schema().get_type("CartTransformRunResult")


def test_another_tarball_is_refused(nothing_cached: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    other = nothing_cached / "other.tgz"
    other.write_bytes(b"not the package")
    monkeypatch.setattr(platform_schema, "_pack", lambda _: other)

    with pytest.raises(SchemaUnavailable, match="SHA-512 differs"):
        schema_file(ADMIN)


def test_without_npm_it_says_so(nothing_cached: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(shutil, "which", lambda _: None)

    with pytest.raises(SchemaUnavailable, match="no npm"):
        schema_file(CART_TRANSFORM)


def test_a_folder_of_ones_own_comes_first(nothing_cached: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    own = nothing_cached / f"{ADMIN}.introspection.json.gz"
    own.touch()
    monkeypatch.setenv(platform_schema.SOURCE_VARIABLE, str(nothing_cached))

    assert schema_file(ADMIN) == own

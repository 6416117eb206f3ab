"""Every document is valid against the published schema, and none lies about unused."""

import re
from pathlib import Path

import pytest
from graphql import parse, validate

import bundlesvc.platforms.shopify
from bundlesvc.platforms.shopify.documents import document
from tests.platform_schema import admin_schema

PACKAGE = Path(bundlesvc.platforms.shopify.__file__).parent
FILES = sorted((PACKAGE / "documents").glob("*.graphql"))
TEXTS = {path.stem: path.read_text() for path in FILES}
OPERATIONS = [name for name, text in TEXTS.items() if re.search("^(query|mutation) ", text, re.MULTILINE)]


@pytest.mark.parametrize("name", OPERATIONS)
def test_the_published_schema_allows_a_document(name: str) -> None:
    assert validate(admin_schema(), parse(document(name).text)) == []


@pytest.mark.parametrize("name", TEXTS)
def test_a_document_is_sent_or_part_of_another(name: str) -> None:
    code = "".join(path.read_text() for path in PACKAGE.glob("*.py"))
    assert f'"{name}"' in code or any(f'#import "{name}.graphql"' in text for text in TEXTS.values())


@pytest.mark.parametrize("name", OPERATIONS)
def test_a_document_is_called_as_its_file(name: str) -> None:
    assert document(name).name == "".join(word.capitalize() for word in name.split("_"))


def test_what_several_imports_name_is_there_once() -> None:
    text = document("market_prices_by_product").text
    assert text.count("fragment MarketPriceFields") == 1
    assert text.count("fragment PriceListRows") == 1


def test_mutations_are_known_as_changes() -> None:
    changes = {name for name in OPERATIONS if document(name).changes}
    assert changes == {name for name, text in TEXTS.items() if "mutation " in text} >= {"create_variants"}


def test_a_file_without_an_operation_is_no_document() -> None:
    with pytest.raises(LookupError, match="variant_fields"):
        document("variant_fields")

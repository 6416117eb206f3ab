"""Every GraphQL document is valid against the published schema, and is used."""

import re
from pathlib import Path

import pytest
from graphql import parse, validate

import bundlesvc.platforms.shopify
from bundlesvc.platforms.shopify.client.graphql import DOCUMENTS
from tests.platform_schema import ADMIN, NEXT_ADMIN, schema

PACKAGE = Path(bundlesvc.platforms.shopify.__file__).parent
FILES = sorted((PACKAGE / "documents").glob("*.graphql"))
TEXTS = {path.stem: path.read_text() for path in FILES}
OPERATIONS = [name for name, text in TEXTS.items() if re.search("^(query|mutation) ", text, re.MULTILINE)]


@pytest.mark.parametrize("version", [ADMIN, NEXT_ADMIN])
@pytest.mark.parametrize("name", OPERATIONS)
def test_document_is_valid_against_the_published_schema(name: str, version: str) -> None:
    assert validate(schema(version), parse(DOCUMENTS[name].text)) == []


@pytest.mark.parametrize("name", TEXTS)
def test_document_is_sent_or_imported(name: str) -> None:
    code = "".join(path.read_text() for path in PACKAGE.rglob("*.py"))
    assert f'"{name}"' in code or any(f'#import "{name}.graphql"' in text for text in TEXTS.values())


@pytest.mark.parametrize("name", OPERATIONS)
def test_operation_has_the_name_of_its_file(name: str) -> None:
    assert DOCUMENTS[name].name == "".join(word.capitalize() for word in name.split("_"))


def test_a_file_imported_twice_is_included_once() -> None:
    text = DOCUMENTS["market_prices_by_product"].text
    assert text.count("fragment MarketPriceFields") == 1
    assert text.count("fragment PriceListRows") == 1


def test_mutations_are_marked_as_changes() -> None:
    changes = {name for name in OPERATIONS if DOCUMENTS[name].changes}
    assert changes == {name for name, text in TEXTS.items() if "mutation " in text} >= {"create_variants"}


def test_a_file_without_an_operation_is_not_a_document() -> None:
    assert "variant_fields" not in DOCUMENTS

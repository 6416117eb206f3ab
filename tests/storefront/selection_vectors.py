"""Test vectors for local evaluation (tests/vectors/selections.json): shops as shop files, the API's data for them, and the
service's responses to selections.

After a change to the shops or the vectors, `python -m tests.storefront.selection_vectors` updates the data and the responses.
Review the diff before you commit it: every client must return the results in this file.
"""

import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

from tests.storefront.service import Answers, Json, ShopInMemory

FILE = Path(__file__).parents[1] / "vectors" / "selections.json"
WIDTH = 120

_INVISIBLE = re.compile("[\u0080-\u009f\u200b-\u200f\u202a-\u202e\u2066-\u2069]")
"""Characters that are invisible to a reader of the file."""


@dataclass(frozen=True)
class Vector:
    """A test vector: a selection with known results."""

    name: str
    written: Json

    @property
    def shop(self) -> str:
        return str(self.written["shop"])

    @property
    def bundle(self) -> int:
        return int(self.written["bundle"])

    @property
    def country(self) -> str | None:
        country: str | None = self.written.get("country")
        return country

    @property
    def expected(self) -> Answers:
        expected = self.written["expected"]
        return Answers(expected["pricing"], expected.get("presentment"), expected["refusal"])

    def body(self, bundle_type: str) -> Json:
        """Build the body of a configure request, which the price endpoint accepts as well."""
        items = [_unit(line) for line in self.written["items"] for _ in range(line.get("count", 1))]
        sent: Json = {name: self.written[name] for name in ("type", "subscription") if name in self.written}
        return {"type": bundle_type, "products": items, "countryCode": self.country, **sent}


class Vectors:
    """The shops and test vectors that `selections.json` contains."""

    def __init__(self, written: Json) -> None:
        self.written = written

    @cached_property
    def shops(self) -> Mapping[str, ShopInMemory]:
        return {
            name: ShopInMemory(_with_bundles(shop["file"], shop["bundle"]))
            for name, shop in self.written["shops"].items()
        }

    def __iter__(self) -> Iterator[Vector]:
        for chapter in self.written["chapters"]:
            for vector in chapter["vectors"]:
                yield Vector(f"{chapter['chapter']}: {vector['name']}", vector)

    def answers(self, vector: Vector) -> Answers:
        """Compute the results of the service for a vector."""
        shop = self.shops[vector.shop]
        return shop.answers(vector.bundle, vector.body(shop.bundles[vector.bundle].type))

    def shown(self, shop_name: str) -> Json:
        """Return a shop's data as the API returns it: its settings, its bundles by id, and their products by country ("" for
        none) and id."""
        shop = self.shops[shop_name]
        countries = sorted({vector.country or "" for vector in self if vector.shop == shop_name} | {""})
        listed = {
            country: [product for bundle in shop.bundles for product in shop.products(bundle, country.upper() or None)]
            for country in countries
        }
        common, bundles = _in_common({str(bundle): shop.bundle(bundle) for bundle in shop.bundles})
        return {
            "settings": shop.settings(),
            "bundle": common,
            "bundles": bundles,
            "products": {
                country: {product["platformProductId"]: product for product in products}
                for country, products in listed.items()
            },
        }


def read_vectors() -> Vectors:
    return Vectors(json.loads(FILE.read_text("utf-8")))


def _unit(line: Json) -> Json:
    return {name: value for name, value in line.items() if name != "count"}


def _with_bundles(tree: Json, common: Json) -> Json:
    return {**tree, "bundles": [common | bundle for bundle in tree["bundles"]]}


def _in_common(bundles: Mapping[str, Json]) -> tuple[Json, Mapping[str, Json]]:
    """Split bundles into common fields and, for each bundle, the fields that differ. The common fields are those that all bundles
    have, each with its most frequent value."""
    names = [name for name in next(iter(bundles.values())) if all(name in bundle for bundle in bundles.values())]
    common = {name: _most_frequent([bundle[name] for bundle in bundles.values()]) for name in names}
    return common, {
        id_: {name: value for name, value in bundle.items() if name not in common or common[name] != value}
        for id_, bundle in bundles.items()
    }


def _most_frequent(values: list[Any]) -> Any:
    return max(values, key=values.count)


def refreshed(vectors: Vectors) -> Json:
    """Return the content of the vector file, updated with the data and responses that the service returns now."""
    for name, shop in vectors.written["shops"].items():
        shop["shown"] = vectors.shown(name)
    for vector in vectors:
        answers = vectors.answers(vector)
        in_market = {} if answers.presentment is None else {"presentment": answers.presentment}
        vector.written["expected"] = {"pricing": answers.pricing, **in_market, "refusal": answers.refusal}
    return vectors.written


def text_of(value: Any, indent: int = 0, used: int = 0) -> str:
    """Format JSON with as few line breaks as the width allows. `used` is the number of characters already taken on the line."""
    compact = _INVISIBLE.sub(lambda found: f"\\u{ord(found[0]):04x}", json.dumps(value, ensure_ascii=False))
    if indent + used + len(compact) <= WIDTH or not isinstance(value, dict | list) or not value:
        return compact
    if isinstance(value, dict):
        named = ((f"{json.dumps(key)}: ", inner) for key, inner in value.items())
        parts = [name + text_of(inner, indent + 1, len(name)) for name, inner in named]
        opening, closing = "{}"
    else:
        parts = [text_of(inner, indent + 1) for inner in value]
        opening, closing = "[]"
    pad = " " * (indent + 1)
    return "\n".join([opening, ",\n".join(pad + part for part in parts), " " * indent + closing])


if __name__ == "__main__":
    FILE.write_text(f"{text_of(refreshed(read_vectors()))}\n", "utf-8")

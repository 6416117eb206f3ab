"""Random shop content in the format of shop files, and random edits to it."""

from copy import deepcopy
from random import Random
from typing import Any

from hypothesis import strategies as st

Plain = Any

_TEXTS = st.sampled_from(["", "Box", "Crate", "12.50"])
_IDS = st.integers(1, 6)


def _by_id(items: st.SearchStrategy[dict[str, Any]]) -> st.SearchStrategy[list[dict[str, Any]]]:
    return st.lists(items, max_size=5, unique_by=lambda item: item["id"])


_SECTIONS = _by_id(
    st.fixed_dictionaries(
        {"id": _IDS, "name": _TEXTS},
        optional={
            "products": st.lists(
                st.fixed_dictionaries({"bundleItemId": _IDS, "variantIds": st.lists(_IDS, max_size=3)}),
                max_size=4,
                unique_by=lambda item: item["bundleItemId"],
            )
        },
    )
)
_TIERS = st.lists(st.fixed_dictionaries({"value": _TEXTS, "discount": _TEXTS}), max_size=3)
_BUNDLES = _by_id(
    st.fixed_dictionaries(
        {"id": _IDS, "name": _TEXTS, "sections": _SECTIONS},
        optional={
            "published": st.booleans(),
            "discount": st.fixed_dictionaries({"value": _TEXTS, "tiers": _TIERS}),
            "translations": st.dictionaries(
                st.sampled_from(["de", "fr"]), st.fixed_dictionaries({"name": _TEXTS}), max_size=2
            ),
        },
    )
)

CONTENTS: st.SearchStrategy[dict[str, Any]] = st.fixed_dictionaries(
    {"shop": st.fixed_dictionaries({"handle": _TEXTS, "tags": st.lists(_TEXTS, max_size=3)}), "bundles": _BUNDLES}
)
"""Contents of shops. Two of them are equal only by chance."""

SEEDS = st.integers(0, 2**32)


def edited(content: Plain, seed: int, edits: int = 4) -> Plain:
    """Make random edits to the contents of a shop: change values, remove parts, and add, copy and move items."""
    made, random = deepcopy(content), Random(seed)
    for _ in range(edits):
        _edit(made, random)
    return made


def _edit(content: Plain, random: Random) -> None:
    kind = random.choice(["value", "value", "remove", "add", "move"])
    places = list(_places(content))
    lists = [place for place in places if isinstance(place, list) and all(isinstance(item, dict) for item in place)]
    if kind == "value":
        mapping = random.choice([place for place in places if isinstance(place, dict) and "name" in place] or [content])
        mapping["name"] = random.choice(["", "Box", "Crate", "Chest"])
    elif kind == "remove":
        if filled := [each for each in lists if each]:
            chosen = random.choice(filled)
            chosen.pop(random.randrange(len(chosen)))
    elif kind == "add":
        bundle = {"id": random.randint(1, 12), "name": "New", "sections": []}
        if bundle["id"] not in {each["id"] for each in content["bundles"]}:
            content["bundles"].insert(random.randint(0, len(content["bundles"])), bundle)
    elif lists:
        random.shuffle(random.choice(lists))


def _places(value: Plain) -> list[Plain]:
    inner = value.values() if isinstance(value, dict) else value if isinstance(value, list) else ()
    return [value, *(place for each in inner for place in _places(each))]

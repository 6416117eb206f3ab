"""Selections of the demo shop's bundle 101 as request bodies."""

import json
from functools import cache
from random import Random

NEW_ITEMS = 6000
"""The number of distinct items in all selections of a list of new ones. The service caches 5,000, so if the selections are sent
in turn, none is still cached when it is sent again."""

KNOWN = 300
"""The number of bodies in a list of known selections."""

_LARGE = 100
"""From this number of items on, a selection has five distinct items; a smaller one has three or four."""

_UNITS = [
    {"product": product, "variant": variant, "section": section}
    for product, variant, section in (
        ("1001", "10011", 1),
        ("1001", "10012", 1),
        ("1001", "10013", 1),
        ("1002", "10021", 1),
        ("1002", "10022", 1),
        ("1002", "10023", 1),
        ("1003", "10031", 1),
        ("1003", "10032", 1),
        ("1005", "10051", 1),
        ("1005", "10052", 1),
        ("1013", "10131", 2),
        ("1014", "10141", 2),
        ("1016", "10161", 2),
    )
]


@cache
def new_selections(items: int, configure: bool = False) -> tuple[str, ...]:
    """Return bodies with different selections, for configure or price requests. Two thirds of them name a country."""
    random = Random(items)
    bodies: dict[str, int] = {}
    while sum(bodies.values()) < NEW_ITEMS:
        kinds = random.sample(_UNITS, random.choice((3, 4)) if items < _LARGE else 5)
        if all(unit["section"] != 1 for unit in kinds):  # the bundle requires an item of this section
            continue
        units = [*kinds, *random.choices(kinds, k=items - len(kinds))]
        country = random.choice(({}, {"countryCode": "US"}, {"countryCode": "GB"}))
        type_ = {"type": "native"} if configure else {}
        bodies[json.dumps({**type_, "products": units, **country})] = len(kinds)
    return tuple(bodies)


def known_selections(items: int, configure: bool = False) -> tuple[str, ...]:
    """Return so few bodies that the service knows all their selections once each has been sent twice."""
    return new_selections(items, configure)[:KNOWN]

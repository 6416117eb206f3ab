"""Selections of the demo shop's bundle 101 as request bodies."""

import json
from functools import cache
from random import Random

NEW, KNOWN = 4000, 300
"""The number of bodies in a list of new and of known selections. The service caches a third of the new ones, so if they are sent
in turn, none is still cached when it is sent again."""

_KINDS = 3, 4
"""The number of distinct items in a selection."""

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
    bodies: dict[str, None] = {}
    while len(bodies) < NEW:
        kinds = random.sample(_UNITS, random.choice(_KINDS))
        if all(unit["section"] != 1 for unit in kinds):  # the bundle requires an item of this section
            continue
        units = [*kinds, *random.choices(kinds, k=items - len(kinds))]
        country = random.choice(({}, {"countryCode": "US"}, {"countryCode": "GB"}))
        type_ = {"type": "native"} if configure else {}
        bodies[json.dumps({**type_, "products": units, **country})] = None
    return tuple(bodies)


def known_selections(items: int, configure: bool = False) -> tuple[str, ...]:
    """Return so few bodies that the service knows all their selections once each has been sent twice."""
    return new_selections(items, configure)[:KNOWN]

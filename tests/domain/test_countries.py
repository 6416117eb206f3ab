"""Country codes, and their pattern in OpenAPI documents."""

import re
from itertools import product
from string import ascii_letters

from bundlesvc.domain.identifiers import country_pattern, parse_country


def test_pattern_matches_the_codes_in_any_case_and_nothing_else() -> None:
    pattern = re.compile(country_pattern())
    for text in map("".join, product(ascii_letters, repeat=2)):
        assert bool(pattern.match(text)) == (parse_country(text) is not None), text
    assert not any(pattern.match(text) for text in ("", "U", "USA", "U S"))

"""Ids as the API accepts them: integers from 1 to 2^53-1, numeric strings, and global ids. Also UUIDs and country codes
(docs/contract.md#ids-and-codes)."""

import re

MAX_ID = 2**53 - 1
GHOST_VARIANT_FLOOR = 8 * 10**15
"""The first id of embedded ghost variants. Shop files must not use this id or any above it (docs/contract.md#ghost-variants)."""

COUNTRY_CODES = frozenset(
    (
        "AD AE AF AG AI AL AM AO AQ AR AS AT AU AW AX AZ BA BB BD BE BF BG BH BI BJ BL BM BN BO BQ BR BS BT BV BW BY "
        "BZ CA CC CD CF CG CH CI CK CL CM CN CO CR CU CV CW CX CY CZ DE DJ DK DM DO DZ EC EE EG EH ER ES ET FI FJ FK "
        "FM FO FR GA GB GD GE GF GG GH GI GL GM GN GP GQ GR GS GT GU GW GY HK HM HN HR HT HU ID IE IL IM IN IO IQ IR "
        "IS IT JE JM JO JP KE KG KH KI KM KN KP KR KW KY KZ LA LB LC LI LK LR LS LT LU LV LY MA MC MD ME MF MG MH MK "
        "ML MM MN MO MP MQ MR MS MT MU MV MW MX MY MZ NA NC NE NF NG NI NL NO NP NR NU NZ OM PA PE PF PG PH PK PL PM "
        "PN PR PS PT PW PY QA RE RO RS RU RW SA SB SC SD SE SG SH SI SJ SK SL SM SN SO SR SS ST SV SX SY SZ TC TD TF "
        "TG TH TJ TK TL TM TN TO TR TT TV TW TZ UA UG UM US UY UZ VA VC VE VG VI VN VU WF WS XK YE YT ZA ZM ZW"
    ).split()
)
"""Country codes: ISO 3166-1 alpha-2, and XK."""

_DIGITS = re.compile(r"[1-9][0-9]{0,15}\Z", re.ASCII)
_UUID = re.compile(r"[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}\Z", re.ASCII)
_GID = "gid://platform/"


def parse_id(text: str) -> int | None:
    """Parse a numeric id. Returns None when the string is not an id."""
    if not _DIGITS.match(text):
        return None
    number = int(text)
    return number if number <= MAX_ID else None


def parse_platform_id(text: str, kind: str) -> int | None:
    """Parse a numeric id, or a global id of `kind` ("Product", "ProductVariant"). Returns None when the string is neither."""
    return parse_id(text.removeprefix(f"{_GID}{kind}/"))


def parse_uuid(text: str) -> str | None:
    """Return the UUID in lower case, or None when the string does not have the canonical form."""
    return text.lower() if _UUID.match(text.lower()) else None


def id_pattern() -> str:
    """Return a regular expression for numeric ids, for use in the OpenAPI documents. `parse_id` performs the actual check."""
    greatest = str(MAX_ID)
    shorter = f"[1-9][0-9]{{0,{len(greatest) - 2}}}"
    smaller = (
        f"{greatest[:position]}[{0 if position else 1}-{int(digit) - 1}][0-9]{{{len(greatest) - position - 1}}}"
        for position, digit in enumerate(greatest)
        if int(digit) > (0 if position else 1)
    )
    return f"({'|'.join([shorter, *smaller, greatest])})"


def product_gid(product_id: int) -> str:
    return f"{_GID}Product/{product_id}"


def variant_gid(variant_id: int) -> str:
    return f"{_GID}ProductVariant/{variant_id}"


def country_pattern() -> str:
    """Return a regular expression for country codes in upper or lower case, for use in the OpenAPI documents and in the JSON
    Schema of shop files. `parse_country` performs the actual check."""
    letters = sorted({code[0] for code in COUNTRY_CODES})
    seconds = {first: "".join(sorted(code[1] for code in COUNTRY_CODES if code[0] == first)) for first in letters}
    return f"^({'|'.join(f'[{a}{a.lower()}][{b}{b.lower()}]' for a, b in seconds.items())})$"


def parse_country(text: str) -> str | None:
    """Return the country code in upper case; None when no country has this code."""
    code = text.upper() if text.isascii() else ""  # "ß".upper() would be "SS", which is a country code
    return code if code in COUNTRY_CODES else None

"""Random carts: bundles as the service configures them, then whatever happens to carts."""

import base64
import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from decimal import ROUND_HALF_UP, Decimal
from random import Random
from typing import Any

from cryptography.fernet import Fernet
from hypothesis import strategies as st

from bundlesvc.domain.discount_claims import variants_digest
from bundlesvc.domain.money import round_amount
from tests.cart_transform.carts import Cart, Line

Json = dict[str, Any]

NOW = 1_800_000_000
KEYS = [base64.urlsafe_b64encode(bytes([number]) * 32).decode() for number in range(3)]
"""The newest, the one before, and one that the function does not have."""
HOME, MARKETS = "EUR", [("USD", "1.0837"), ("JPY", "163.42"), ("CHF", "0.9371"), ("KWD", "0.33259918734512")]
TITLES = ["Box", "", 'Quote " \\ slash', "Wärme 東京 😀", "\x00\x1f\n\t\x7f", "x" * 300]


@dataclass
class Bundle:
    """A configured bundle: its claims, its entry in `_bundles`, the key of its discount, and its lines."""

    configured: int
    claims: Json
    entry: Json
    key: str
    lines: list[Line]


def carts(largest: int = 5) -> st.SearchStrategy[Cart]:
    """Carts of up to three bundles, of up to `largest` variants each, or a few more than are named one by one."""
    return st.randoms(use_true_random=False).map(lambda random: random_cart(random, largest))


def random_cart(random: Random, largest: int = 5) -> Cart:
    """A cart that is most often almost as configured."""
    market = random.choice([None, None, random.choice(MARKETS)])
    bundles = [_bundle(random, 7001 + number, largest) for number in range(random.choice([0, 1, 1, 1, 2, 3]))]
    for change in random.choices(BUNDLE_CHANGES, k=random.choice([0, 0, 0, 1, 1, 2])) if bundles else ():
        change(random, random.choice(bundles))
    lines = [line for bundle in bundles for line in bundle.lines]
    lines += [Line(f"other-{number}", 5, 1, "3.5") for number in range(random.choice([0, 0, 2]))]
    for change_lines in random.choices(LINE_CHANGES, k=random.choice([0, 0, 0, 1, 1, 2])):
        lines = change_lines(random, lines) if lines else lines
    currency, rate = market or (HOME, "1.0")
    if market:
        lines = [replace(line, unit_price=_converted(line.unit_price, currency, rate)) for line in lines]
    lines = [replace(line, id=f"{number}-{line.id}") for number, line in enumerate(lines)]
    return Cart(lines, _attribute(random, bundles), _config(random), currency, rate)


def _converted(price: str, currency: str, rate: str) -> str:
    """As the platform converts it; a price that no platform has stays as it is."""
    converted = round_amount(Decimal(price) * Decimal(rate), currency)
    return str(converted if converted < 10**11 else price)


def _bundle(random: Random, configured: int, largest: int) -> Bundle:
    count = random.choice([1, 2, largest, 21])
    units = {11 + number * random.choice([1, 10_000_000_000]): random.choice([1, 1, 2, 7]) for number in range(count)}
    prices = {
        variant: Decimal(random.choice([0, 1, 999, 1000, 123_456, random.randrange(10_000)])) / 100 for variant in units
    }
    original = sum((prices[variant] * units[variant] for variant in units), Decimal(0))
    cents = int(original * 100)
    discounted = Decimal(random.choice([cents, cents * 9 // 10, 0, random.randrange(cents + 1)])) / 100
    fees = {6001: 2} if random.random() < 0.2 else {}
    percentage = random.choice([None, None, None, "5.00", "5.00", "33.33", "100.00"])
    unique, parent = f"{random.randrange(16**8):032x}", random.choice([9001, 9002])
    claims: Json = {
        "v": 2,
        "shop": "demo",
        "bundle": 42,
        "bundleType": "native",
        "configured": configured,
        "type": "percentage",
        "value": "10.00",
        "original": f"{original:.2f}",
        "discounted": f"{discounted:.2f}",
        "currency": HOME,
        "variants": {str(variant): units[variant] for variant in sorted(units)}
        if count <= 20
        else variants_digest(units),
        "fees": {str(variant): number for variant, number in fees.items()},
        "subscription": percentage and {"group": 1, "frequency": 1, "unit": "week", "percentage": percentage},
        "unique": unique,
        "test": False,
        "iat": NOW - random.choice([0] * 20 + [29, 31]) * 86_400,
    }
    entry: Json = {
        "configuredBundleId": configured,
        "title": random.choice(TITLES),
        "items": [{"variantId": variant, "count": number} for variant, number in units.items()],
        "image": random.choice(["https://cdn.example/a.png", "", "/a.png"]),
        "id": random.choice([42, 42, None]),
    }
    data = {"_bundle_data": f"{configured}#{parent}#{unique}"}
    lines = [Line(f"u{variant}", variant, units[variant], str(prices[variant]), data) for variant in units]
    lines += [Line(f"f{variant}", variant, fees[variant], "3.50", data | {"_bundle_fee": "1"}) for variant in fees]
    if random.random() < (0.8 if percentage else 0.02):
        lines = _subscribed(lines, percentage or "10.00")
    return Bundle(configured, claims, entry, random.choice(KEYS[:2]), lines)


def _subscribed(lines: Sequence[Line], percentage: str) -> list[Line]:
    """Lines with a selling plan, at the price that the platform makes of it."""
    left = (100 - Decimal(percentage)) / 100
    return [
        line
        if "_bundle_fee" in line.properties
        else replace(
            line,
            selling_plan=True,
            unit_price=str((Decimal(line.unit_price) * left).quantize(Decimal("0.01"), ROUND_HALF_UP)),
        )
        for line in lines
    ]


def _config(random: Random) -> Json | None:
    usual: Json = {"shop": "demo", "keys": KEYS[:2]}
    return random.choice(
        [
            *[usual] * 16,
            *[usual | {"checkMarketPrices": True}] * 8,
            usual | {"maxAgeDays": random.choice([1, 60, 0, -1, "3", 10**15, 2**60, True])},
            {"shop": "demo", "keys": [5, "key", "", *KEYS[1:2]]},
            {"shop": random.choice(["other", None, 5]), "keys": KEYS},
            None,
        ]
    )


def _attribute(random: Random, bundles: Sequence[Bundle]) -> str | None:
    entries = {str(bundle.configured): _entry(bundle) for bundle in bundles}
    text = json.dumps(entries, ensure_ascii=random.random() < 0.5)
    return random.choice([_same] * 20 + ATTRIBUTE_CHANGES)(random, text) if bundles else random.choice([None, "", text])


def _entry(bundle: Bundle) -> Json:
    if "discount" in bundle.entry:
        return bundle.entry
    content = json.dumps(bundle.claims, separators=(",", ":"), ensure_ascii=False).encode()
    token = Fernet(bundle.key)._encrypt_from_parts(content, NOW, bytes(16))
    return bundle.entry | {"discount": token.decode()}


def _same(random: Random, text: str) -> str | None:
    return text


def _cut(random: Random, text: str) -> str | None:
    return text[: random.randrange(len(text))]


def _mangled(random: Random, text: str) -> str | None:
    place = random.randrange(len(text))
    return text[:place] + random.choice('"\\{}[],:0a \x00é') + text[place + random.randrange(3) :]


ATTRIBUTE_CHANGES: list[Callable[[Random, str], str | None]] = [
    _cut,
    _mangled,
    _mangled,
    _mangled,
    lambda _, __: None,
    lambda _, text: f" {text}\n",
    lambda _, text: f"{text}{{}}",
    lambda random, __: random.choice(["null", "[]", "5", '"5"', "NaN", '{"7001":null}', '{"7001":[]}', '{"7001":{}}']),
    lambda random, text: text.replace(
        '"title"', random.choice(['"\\ud800"', '"t\\u0069tle"', '"x":"\\ud83d\\ude00","title"'])
    ),
    lambda random, text: text[:-1] + ',"x":' + "[" * random.choice([63, 64, 65, 900]) + "]" * 63 + "}",
    lambda random, text: text[:-1] + ',"x":' + "[" * 63 + "]" * random.choice([63, 62]) + "}",
    lambda random, text: text[:-1] + random.choice([',"7001":null}', ',"7001":{"discount":5}}', ',"70\\u00301":{}}']),
]


def _claim(random: Random, bundle: Bundle) -> None:
    name, value = random.choice(
        [
            *(("v", value) for value in (1, 3, "2", 2.0, True, None)),
            *(("shop", value) for value in ("other", "", 5, "dem\u00f6")),
            *(("bundle", value) for value in (43, "42", None, 2**53)),
            *(("configured", value) for value in (7002, "7001", -1, 0)),
            *(
                ("original", value)
                for value in ("0.00", "5", "1e3", "-1", "1.1234567", "9999999999999", "10.", " 1", 5)
            ),
            *(("discounted", value) for value in ("0.00", "99999.99", "0.123456", "x", None)),
            *(("currency", value) for value in ("USD", "JPY", "", 5)),
            *(
                ("variants", value)
                for value in ({}, {"11": 1}, {"011": 1}, {"11": "1"}, {"11": 0}, "sha256:", "x", 5, None)
            ),
            *(
                ("fees", value)
                for value in ({}, {"6001": 1}, {"6002": 1}, variants_digest({6001: 2}), variants_digest({}), None)
            ),
            *(
                ("subscription", value)
                for value in (None, {}, {"percentage": "5"}, {"percentage": "100.01"}, {"percentage": 5}, 5, "5")
            ),
            *(("unique", value) for value in ("0" * 32, "", 5)),
            *(("test", value) for value in (True, None, 0)),
            *(("iat", value) for value in (NOW + 86_400, NOW - 30 * 86_400 - 28_801, 0, -1, "5", 1.5)),
        ]
    )
    if random.random() < 0.15:
        bundle.claims.pop(name, None)
    else:
        bundle.claims[name] = value


def _tampered(random: Random, bundle: Bundle) -> None:
    token = str(_entry(bundle)["discount"]) or "A"
    place = random.randrange(len(token))
    bundle.entry["discount"] = random.choice(
        [
            token[:place],
            token[:place] + random.choice("Aa_-+=é\x00") + token[place + 1 :],
            token.rstrip("="),
            token + random.choice(["=", "A", "AAAA"]),
            token * random.choice([2, 9]),
            5,
            None,
            "",
        ]
    )


def _other_entry(random: Random, bundle: Bundle) -> None:
    name = random.choice(["id", "title", "image"])
    bundle.entry[name] = random.choice(
        [43, "42", 42.0, True, None, [], {"a": [1]}, -42, 0, 1e99, 'https://x/\u2028"', 'ti"tle\\']
    )


def _other_key(random: Random, bundle: Bundle) -> None:
    bundle.key = KEYS[2]


BUNDLE_CHANGES: list[Callable[[Random, Bundle], None]] = [_claim, _claim, _tampered, _other_entry, _other_key]


def _shuffled(random: Random, lines: list[Line]) -> list[Line]:
    return random.sample(lines, len(lines))


def _split(random: Random, lines: list[Line]) -> list[Line]:
    place = random.randrange(len(lines))
    line = lines[place]
    if line.quantity == 1:
        return lines
    return [*lines[:place], replace(line, quantity=1), replace(line, quantity=line.quantity - 1), *lines[place + 1 :]]


def _one_changed(random: Random, lines: list[Line]) -> list[Line]:
    place = random.randrange(len(lines))
    line = lines[place]
    configured, parent, unique = [*line.properties.get("_bundle_data", "").split("#"), "", ""][:3]
    changed = random.choice(
        [
            replace(line, quantity=line.quantity + 1),
            replace(line, quantity=random.choice([999_999, 1_000_001, 2**29])),
            replace(line, variant=random.choice([None, 11, 12, 2**53 - 1])),
            replace(line, unit_price=random.choice(["0", "0.01", "999999999999.99", "0.000001", "12.345678"])),
            replace(line, selling_plan=not line.selling_plan),
            replace(line, properties={}),
            replace(line, properties=dict(line.properties) | {"_bundle_fee": random.choice(["", "1"])}),
            *(
                replace(line, properties=dict(line.properties) | {"_bundle_data": data})
                for data in (
                    "",
                    "#",
                    "7001",
                    f"{configured}#{parent}#{unique}#",
                    f"{configured}#{parent}#",
                    f'{configured}#{parent}#{unique[:-1]}"é',
                    f"{configured}#9003#{unique}",
                    f"7002#{parent}#{unique}",
                    f"0{configured}#{parent}#{unique}",
                    f"{configured}#{2**53}#{unique}",
                )
            ),
        ]
    )
    return [*lines[:place], changed, *lines[place + 1 :]]


LINE_CHANGES: list[Callable[[Random, list[Line]], list[Line]]] = [
    _shuffled,
    _shuffled,
    _split,
    _split,
    _one_changed,
    _one_changed,
    _one_changed,
    lambda _, lines: lines + lines,
    lambda random, lines: lines[: random.randrange(len(lines))],
    lambda _, lines: [replace(line, quantity=line.quantity * 2) for line in lines],
    lambda random, lines: _subscribed(lines, random.choice(["5.00", "10.00", "0.00"])),
    lambda _, lines: [replace(line, selling_plan=True) for line in lines],
    lambda _, lines: [replace(line, unit_price="7.77") for line in lines],
]

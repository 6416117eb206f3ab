"""Changes that may happen to bundles, to the lines of a cart, and to the `_bundles` attribute."""

from collections.abc import Callable
from dataclasses import replace
from random import Random

from bundlesvc.domain.checkout.discount_claims import variants_digest
from tests.cart_transform.carts import Line
from tests.cart_transform.random_bundles import KEYS, NOW, Bundle, sealed_entry, subscribed


def unchanged(random: Random, text: str) -> str | None:
    """Leave the attribute unchanged, as in most carts."""
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


_COUNTRIES: list[object] = [["US", "DE"], ["CH"], [], [None], "DE", None, {}]


def _other_market(random: Random, bundle: Bundle) -> object:
    market = bundle.claims.get("market")
    changes: list[tuple[str, object]] = [
        *(("country", value) for value in ("US", "DE", "", None, 5)),
        *(("except", countries) for countries in _COUNTRIES),
        *(("currency", value) for value in ("JPY", "KWD", "EUR", "", None)),
        *(("original", value) for value in (0, -1, 10**14, 10**14 + 1, 10**15 + 1, 2**53, "1", None)),
        *(("discounted", value) for value in (0, -1, 10**12, 1.5, True, None)),
    ]
    name, value = random.choice(changes)
    return {**market, name: value} if isinstance(market, dict) else None


def _claim(random: Random, bundle: Bundle) -> None:
    name, value = random.choice(
        [
            *(("v", value) for value in (1, 2, 3, 4, "2", 2.0, True, None)),
            *(("shop", value) for value in ("other", "", 5, "dem\u00f6")),
            *(("bundle", value) for value in (43, "42", None, 2**53)),
            *(("configured", value) for value in (7002, "7001", -1, 0)),
            *(
                ("original", value)
                for value in ("0.00", "5", "1e3", "-1", "1.1234567", "9999999999999", "10.", " 1", 5)
            ),
            *(("discounted", value) for value in ("0.00", "99999.99", "0.123456", "x", None)),
            *(("parent", value) for value in (9001, 9002, "9001", None, 0, -1)),
            *(("value", value) for value in ("5.00", "100.01", "0.333333", 5, None)),
            *(("anywhere", value) for value in (True, False, None, 1)),
            *(("market", value) for value in (None, 5, "EUR")),
            ("market", {}),
            *(("market", _other_market(random, bundle)) for _ in range(6)),
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
    token = str(sealed_entry(bundle)["discount"]) or "A"
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
    lambda random, lines: subscribed(lines, random.choice(["5.00", "10.00", "0.00"])),
    lambda _, lines: [replace(line, selling_plan=True) for line in lines],
    lambda _, lines: [replace(line, unit_price="7.77") for line in lines],
]

"""The plugin's checks return the results that tests/vectors/carts.json expects for real discount strings, except for vectors
about selling plans or cart attributes, which the platform does not have."""

from datetime import UTC, datetime
from decimal import Decimal

import pytest
from cryptography.fernet import Fernet

from bundlesvc.domain.checkout.cart import BUNDLE_DATA, BUNDLE_FEE, BundleData, BundlesAttribute
from bundlesvc.domain.checkout.discount_promise import UNBOUND_VERSION
from bundlesvc.domain.checkout.no_discount import NoDiscount
from bundlesvc.token_cipher import FernetCipher
from tests.domain.cart_cases import CartVector, Json, read_cart_vectors
from tests.vendure_plugin.checks.judging import Cart, Judge, Line, Outcome

KEYS = [Fernet.generate_key().decode() for _ in range(3)]
KEY_IN_USE = 1
HERE = "here"
DECIMALS = 3

ON_THE_LINE = {
    "attribute_missing": "entry_missing",
    "attribute_unreadable": "entry_missing",
    "entry_unreadable": "entry_missing",
}
"""The reason reported here for each fault of the `_bundles` attribute. The discount string is on the lines instead, so every such
fault means that it is missing."""

EVERY = read_cart_vectors()
VECTORS = [vector for vector in EVERY if not any(line["sellingPlan"] for line in vector.lines)]


def _cart(vector: CartVector) -> Cart:
    market = vector.market or {"currency": _shop_currency(vector)}
    attribute = BundlesAttribute.read(vector.attribute)
    return Cart(
        lines=[
            _line(line, "marketPrice" if vector.market else "unitPrice", attribute, vector) for line in vector.lines
        ],
        keys=KEYS,
        currency=market["currency"],
        shop=vector.shop,
        now=int(datetime.fromisoformat(vector.date).replace(tzinfo=UTC).timestamp()),
        decimals=DECIMALS,
        channel=HERE,
        channels={market["country"]: HERE} if vector.market else {},
        maxAgeDays=30 if vector.max_age_days is None else vector.max_age_days,
    )


def _shop_currency(vector: CartVector) -> str:
    return next((claims["currency"] for claims in vector.discounts.values()), "EUR")


def _line(line: Json, price: str, attribute: BundlesAttribute, vector: CartVector) -> Line:
    mark = line["properties"].get(BUNDLE_DATA)
    fee = BUNDLE_FEE in line["properties"]
    discount, bundle = _entry(mark, attribute, vector)
    return Line(line["id"], int(line["variantId"]), line["quantity"], line[price], mark, fee, discount, bundle)


def _entry(mark: str | None, attribute: BundlesAttribute, vector: CartVector) -> tuple[str | None, int | None]:
    """Return the discount string and the bundle id from the attribute's entry for a line; None where they are missing."""
    data = BundleData.read(mark or "")
    try:
        entry = attribute.entry(data.configured_id) if data else None
    except NoDiscount:
        entry = None
    if entry is None:
        return None, None
    claims = vector.discounts.get(entry.discount)
    token = FernetCipher([KEYS[KEY_IN_USE]]).seal(claims, 1_800_000_000) if claims else entry.discount
    return token, entry.bundle_id if isinstance(entry.bundle_id, int) else None


def _reason(vector: CartVector, refusal: Json) -> str:
    code = str(refusal["code"])
    if code in {"line_unreadable", *ON_THE_LINE}:
        return ON_THE_LINE.get(code, code)
    return "discount_unreadable" if _is_unbound(vector) else code


def _is_unbound(vector: CartVector) -> bool:
    """Whether the vector contains a promise of the older, unbound version, which this platform does not accept."""
    return any(claims["v"] == UNBOUND_VERSION for claims in vector.discounts.values())


def _refusal_of_merge(vector: CartVector) -> str | None:
    if _is_unbound(vector):
        return "discount_unreadable"
    return "subscription" if any(claims["subscription"] for claims in vector.discounts.values()) else None


def _taken_off(outcome: Outcome) -> Decimal:
    return sum(outcome.off.values(), Decimal(0))


@pytest.mark.parametrize("vector", VECTORS, ids=lambda vector: f"{vector.chapter}: {vector.name}")
def test_checks_have_the_result_of_the_vector(vector: CartVector, judge: Judge) -> None:
    outcomes = judge(_cart(vector))

    wanted = {tuple(refusal["lines"]): _reason(vector, refusal) for refusal in vector.expected["refusals"]}
    promised = {tuple(merge["lines"]): merge for merge in vector.expected["merges"]}
    wanted |= {lines: reason for lines in promised if (reason := _refusal_of_merge(vector))}
    assert {tuple(outcome.lines): outcome.reason for outcome in outcomes if outcome.reason} == wanted
    charged = {tuple(outcome.lines): _taken_off(outcome) for outcome in outcomes if not outcome.reason}
    assert charged == {
        lines: Decimal(merge.get("marketOriginal", merge["original"]))
        - Decimal(merge.get("marketDiscounted", merge["discounted"]))
        for lines, merge in promised.items()
        if lines not in wanted
    }


def test_only_vectors_with_selling_plans_are_left_out() -> None:
    assert {vector.chapter.partition(":")[0] for vector in EVERY if vector not in VECTORS} == {"selling plans"}
    assert len(VECTORS) > 80

"""What the compiled function must write, to the byte: the checkout simulator's results, in the platform's format. For carts of at
most 30 bundles; the function does not look at more."""

import base64
import binascii
import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from datetime import UTC, datetime
from decimal import ROUND_DOWN, Decimal
from typing import Any

import orjson
from cryptography.fernet import Fernet, InvalidToken

from bundlesvc.domain.cart import BUNDLE_DATA, BUNDLE_FEE, BundlesAttribute, CartLine
from bundlesvc.domain.cart_bundles import CartCurrency, Refusal, Step
from bundlesvc.domain.cart_transform import Merge, transform
from bundlesvc.domain.discount_claims import MAX_AGE_DAYS
from bundlesvc.domain.identifiers import MAX_ID, parse_id
from bundlesvc.domain.money import exponent, plain_text
from bundlesvc.domain.plan_discounts import BundleDiscount, discount_plans
from tests.cart_transform.module import MERGE

Json = dict[str, Any]

NOBODY = "\0"
"""The handle of a shop that no discount names."""
KEYS = 16
OUTPUT, LINES, LARGEST_OUTPUT = 20_000, 200, 65_536
LOG, MORE = 1_000, ", and more\n"
RATE_STEP = Decimal("1e-12")

Outcome = tuple[bytes, bytes]
"""Standard output and the log."""


def expected(export: str, input_: Json) -> Outcome:
    """The operations and the log for an input of the platform."""
    lines = [_line(line) for line in input_["cart"]["lines"]]
    attribute = (input_["cart"]["bundles"] or {}).get("value")
    limit = min(_scaled(OUTPUT, lines), LARGEST_OUTPUT) - len('{"operations":[]}')
    if export == MERGE:
        return _merges(lines, attribute, _step(input_, input_["cartTransform"]), limit)
    if "PRODUCT" not in input_["discount"]["discountClasses"]:
        return b'{"operations":[]}', b""
    return _discounts(lines, attribute, _step(input_, input_["discount"]), limit)


def _scaled(limit: int, lines: Sequence[CartLine]) -> int:
    return limit * max(LINES, len(lines)) // LINES


def _merges(lines: Sequence[CartLine], attribute: str | None, step: Step, limit: int) -> Outcome:
    transformed = transform(lines, attribute, step)
    operations, full = _fitting(((merge.configured_id, [_merge(merge)]) for merge in transformed.merges), limit)
    return _outcome(operations, _log(lines, transformed.refusals, full))


def _discounts(lines: Sequence[CartLine], attribute: str | None, step: Step, limit: int) -> Outcome:
    discounted = discount_plans(lines, attribute, step)
    head, tail = '{"productDiscountsAdd":{"selectionStrategy":"ALL","candidates":[', "]}}"
    currency = step.currency.code if step.currency else "EUR"
    forms = (
        (discount.configured_id, [_shares(discount, currency), _whole(discount, currency)])
        for discount in discounted.discounts
        if any(discount.amounts)
    )
    candidates, full = _fitting(forms, limit - len(head) - len(tail))
    operations = [f"{head}{','.join(candidates)}{tail}"] if candidates else []
    return _outcome(operations, _log(lines, discounted.refusals, full))


def _fitting(forms: Iterator[tuple[int, list[str]]], limit: int) -> tuple[list[str], list[int]]:
    """The first form of each bundle that still fits, and the bundles of which none does."""
    written: list[str] = []
    full: list[int] = []
    left = limit
    for configured, texts in forms:
        for text in texts:
            size = len(text.encode()) + bool(written)
            if size <= left:
                written.append(text)
                left -= size
                break
        else:
            full.append(configured)
    return written, full


def _outcome(operations: Sequence[str], log: str) -> Outcome:
    return f'{{"operations":[{",".join(operations)}]}}'.encode(), log.encode()


def _merge(merge: Merge) -> str:
    mark = merge.lines[0].bundle_data
    assert mark
    data = f"{mark.configured_id}#{mark.parent_variant_id}#{mark.unique_id}"
    operation: Json = {
        "parentVariantId": f"gid://shopify/ProductVariant/{merge.parent_variant_id}",
        "cartLines": [{"cartLineId": line.id, "quantity": line.quantity} for line in merge.lines],
        "attributes": [{"key": "_bundle_data", "value": data}],
    }
    if merge.title:
        operation["title"] = merge.title
    if merge.image.startswith("https://"):
        operation["image"] = {"url": merge.image}
    if merge.percentage:
        operation["price"] = {"percentageDecrease": {"value": plain_text(merge.percentage)}}
    return _json({"linesMerge": operation})


def _shares(discount: BundleDiscount, currency: str) -> str:
    return ",".join(
        _candidate([line], amount, currency)
        for line, amount in zip(discount.lines, discount.amounts, strict=True)
        if amount
    )


def _whole(discount: BundleDiscount, currency: str) -> str:
    return _candidate(discount.lines, sum(discount.amounts, Decimal(0)), currency)


def _candidate(lines: Sequence[CartLine], amount: Decimal, currency: str) -> str:
    targets = [{"cartLine": {"id": line.id}} for line in lines]
    return _json({"targets": targets, "value": {"fixedAmount": {"amount": f"{amount:.{exponent(currency)}f}"}}})


def _json(value: Json) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


def _log(lines: Sequence[CartLine], refusals: Sequence[Refusal], full: Sequence[int]) -> str:
    """Bundles in the order of the cart; lines that name none before them."""
    reasons = {refusal.configured_id: refusal.code for refusal in refusals if refusal.configured_id is not None}
    reasons |= dict.fromkeys(full, "output_full")
    order = dict.fromkeys(mark.configured_id for line in lines if (mark := line.bundle_data) and not line.is_fee)
    entries = ["line line_unreadable" for refusal in refusals if refusal.configured_id is None]
    entries += [f"{configured} {reasons[configured]}" for configured in order if configured in reasons]
    text = ""
    for entry in entries:
        longer = f"{text}, {entry}" if text else f"no discount: {entry}"
        if len(longer) > LOG - len(MORE):
            return text + MORE
        text = longer
    return text and f"{text}\n"


def _line(line: Json) -> CartLine:
    _, _, variant = line["merchandise"].get("id", "").rpartition("/")
    properties = {
        name: attribute["value"] or ""
        for name, attribute in ((BUNDLE_DATA, line["bundle"]), (BUNDLE_FEE, line["fee"]))
        if attribute is not None
    }
    price = Decimal(line["cost"]["amountPerQuantity"]["amount"])
    plan = line["sellingPlanAllocation"] is not None
    return CartLine(line["id"], parse_id(variant) or 0, line["quantity"], price, properties, plan)


def _step(input_: Json, owner: Json) -> Step:
    config = BundlesAttribute.read((owner["metafield"] or {}).get("value")).entries or {}
    shop, days = config.get("shop"), config.get("maxAgeDays")
    today = datetime.fromisoformat(input_["shop"]["localTime"]["date"]).replace(tzinfo=UTC)
    codes = [line["cost"]["amountPerQuantity"]["currencyCode"] for line in input_["cart"]["lines"]]
    rate = Decimal(input_["presentmentCurrencyRate"]).quantize(RATE_STEP, ROUND_DOWN)
    return Step(
        shop if isinstance(shop, str) else NOBODY,
        opener(config.get("keys")),
        int(today.timestamp()),
        days if type(days) is int and 0 < days <= MAX_ID else MAX_AGE_DAYS,
        CartCurrency(codes[0], rate, config.get("checkMarketPrices") is True) if codes else None,
    )


def opener(keys: object) -> Callable[[str], Mapping[str, Any] | None]:
    """Decrypts with any of the first keys that are keys. Base64 must be in its one canonical form."""
    given = keys if isinstance(keys, list) else []
    fernets = [Fernet(f"{key.rstrip('=')}=") for key in given if isinstance(key, str) and len(_decoded(key)) == 32][
        :KEYS
    ]

    def open_discount(token: str) -> Mapping[str, Any] | None:
        data = base64.urlsafe_b64encode(_decoded(token))
        for fernet in fernets:
            try:
                return _claims(fernet.decrypt(data))
            except InvalidToken:
                continue
        return None

    return open_discount


def _decoded(text: str) -> bytes:
    """Empty when it is not canonical base64, with or without its padding."""
    digits = text.rstrip("=")
    padded = digits + "=" * (-len(digits) % 4)
    try:
        data = base64.urlsafe_b64decode(padded)
    except (ValueError, binascii.Error):
        return b""
    return data if text in (padded, digits) and base64.urlsafe_b64encode(data).decode() == padded else b""


def _claims(content: bytes) -> Mapping[str, Any]:
    """Content that is not a JSON object makes claims that nothing can be read from."""
    try:
        claims = orjson.loads(content)
    except orjson.JSONDecodeError:
        return {}
    return claims if isinstance(claims, dict) else {}

"""The exact output that the compiled function must write: the checkout simulator's results in the platform's format, for as many
bundles as fit into the function's budget."""

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from decimal import ROUND_DOWN, Decimal
from functools import partial
from typing import Any

from cryptography.fernet import Fernet

from bundlesvc.domain.checkout.cart import BUNDLE_DATA, BUNDLE_FEE, BundlesAttribute, CartLine
from bundlesvc.domain.checkout.cart_bundles import CartCurrency, Refusal, Step, cart_bundles, has_selling_plan
from bundlesvc.domain.checkout.cart_transform import Merge, transform
from bundlesvc.domain.checkout.discount_promise import MAX_AGE_DAYS
from bundlesvc.domain.identifiers import MAX_ID, parse_id
from bundlesvc.domain.money import plain_text, presentment_exponent
from tests.cart_transform.budget import Checks, input_budget, scaled
from tests.cart_transform.carts import encoded
from tests.cart_transform.module import DISCOUNT, MERGE
from tests.cart_transform.plan_discounts import BundleDiscount, discount_plans
from tests.cart_transform.tokens import keys_of, open_token

Json = dict[str, Any]

NOBODY = "\0"
"""A shop handle that occurs in no discount string."""
OUTPUT, LARGEST_OUTPUT = 20_000, 65_536
"""The platform's output limit for carts of up to 200 lines (it is higher for larger carts), and the size of the function's output
buffer."""
LOG, MORE = 700, ", and more\n"
RATE_STEP = Decimal("1e-12")

Outcome = tuple[bytes, bytes]
"""Standard output, and the log."""
Result = tuple[Sequence[str], Sequence[Refusal], dict[int, str]]
"""The operations, the simulator's refusals, and the reasons for bundles whose operations do not fit into the output."""


@dataclass(frozen=True)
class _Cart:
    lines: Sequence[CartLine]
    attribute: str | None
    step: Step


def expected(export: str, input_: Json) -> Outcome:
    """The expected operations and log for an input from the platform."""
    lines = [_line(line) for line in input_["cart"]["lines"]]
    owner = input_["cartTransform" if export == MERGE else "discount"]
    if export == DISCOUNT and "PRODUCT" not in owner["discountClasses"]:
        return b'{"operations":[]}', b""
    cart = _Cart(lines, (input_["cart"]["bundles"] or {}).get("value"), _step(input_, owner))
    spent = _spent(export, cart, encoded(input_), keys_of(_config(owner).get("keys")))
    covered = [line for line in lines if not ((mark := line.bundle_data) and mark.configured_id in spent)]
    limit = min(scaled(OUTPUT, len(lines)), LARGEST_OUTPUT) - len('{"operations":[]}')
    operations, refusals, full = (_merges if export == MERGE else _discounts)(replace(cart, lines=covered), limit)
    return f'{{"operations":[{",".join(operations)}]}}'.encode(), _log(cart, refusals, spent | full).encode()


def _spent(export: str, cart: _Cart, input_: bytes, keys: Sequence[Fernet]) -> dict[int, str]:
    """The reasons why the budget does not cover some of the bundles, by the id of the configured bundle."""
    bundles = cart_bundles(cart.lines)
    checks = Checks(input_budget(input_, len(cart.lines), len(keys), len(bundles)), cart.attribute or "", keys)
    opened = bundles if has_selling_plan(cart.lines) == (export == DISCOUNT) else []
    reasons = {bundle.configured_id: checks.refusal(bundle) for bundle in opened}
    return {configured: reason for configured, reason in reasons.items() if reason}


def _merges(cart: _Cart, limit: int) -> Result:
    transformed = transform(cart.lines, cart.attribute, cart.step)
    operations, full = _fitting(((merge.configured_id, [_merge(merge)]) for merge in transformed.merges), limit)
    return operations, transformed.refusals, full


def _discounts(cart: _Cart, limit: int) -> Result:
    discounted = discount_plans(cart.lines, cart.attribute, cart.step)
    head, tail = '{"productDiscountsAdd":{"selectionStrategy":"ALL","candidates":[', "]}}"
    currency = cart.step.currency.code if cart.step.currency else "EUR"
    forms = (
        (discount.configured_id, [_shares(discount, currency), _whole(discount, currency)])
        for discount in discounted.discounts
        if any(discount.amounts)
    )
    candidates, full = _fitting(forms, limit - len(head) - len(tail))
    operations = [f"{head}{','.join(candidates)}{tail}"] if candidates else []
    return operations, discounted.refusals, full


def _fitting(forms: Iterator[tuple[int, list[str]]], limit: int) -> tuple[list[str], dict[int, str]]:
    """For each bundle, choose the first of its output forms that still fits within the limit. Also returns the bundles for which
    no form fits."""
    written: list[str] = []
    full: dict[int, str] = {}
    left = limit
    for configured, texts in forms:
        for text in texts:
            size = len(text.encode()) + bool(written)
            if size <= left:
                written.append(text)
                left -= size
                break
        else:
            full[configured] = "output_full"
    return written, full


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
    return _json(
        {"targets": targets, "value": {"fixedAmount": {"amount": f"{amount:.{presentment_exponent(currency)}f}"}}}
    )


def _json(value: Json) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


def _log(cart: _Cart, refusals: Sequence[Refusal], limited: Mapping[int, str]) -> str:
    """Build the log: entries for unreadable lines first, then entries for bundles in cart order."""
    reasons = {refusal.configured_id: refusal.code for refusal in refusals if refusal.configured_id is not None}
    reasons |= limited
    order = dict.fromkeys(mark.configured_id for line in cart.lines if (mark := line.bundle_data) and not line.is_fee)
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
    config = _config(owner)
    shop, days = config.get("shop"), config.get("maxAgeDays")
    today = datetime.fromisoformat(input_["shop"]["localTime"]["date"]).replace(tzinfo=UTC)
    codes = [line["cost"]["amountPerQuantity"]["currencyCode"] for line in input_["cart"]["lines"]]
    rate = Decimal(input_["presentmentCurrencyRate"]).quantize(RATE_STEP, ROUND_DOWN)
    return Step(
        shop if isinstance(shop, str) else NOBODY,
        partial(open_token, keys=keys_of(config.get("keys"))),
        int(today.timestamp()),
        days if type(days) is int and 0 < days <= MAX_ID else MAX_AGE_DAYS,
        input_["localization"]["country"]["isoCode"],
        CartCurrency(codes[0], rate) if codes else None,
    )


def _config(owner: Json) -> Mapping[str, Any]:
    return BundlesAttribute.read((owner["metafield"] or {}).get("value")).entries or {}

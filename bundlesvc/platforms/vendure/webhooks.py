"""Reads the webhooks of the plugin, which are signed according to Standard Webhooks (https://www.standardwebhooks.com): checks
the id, time and signature, and returns what changed. Only the ids in a body are used; the changed data is fetched from the
API."""

import base64
import hashlib
import hmac
import re
from collections.abc import Iterator, Mapping, Sequence
from secrets import token_bytes
from typing import Any

from bundlesvc.domain.errors import Fault, InvalidRequest, SignatureInvalid
from bundlesvc.domain.live_platform.platform_change import (
    INVENTORY_ITEM,
    MARKETS,
    ORDER,
    PRODUCT,
    SHOP_SETTINGS,
    Change,
    Delivery,
    Notice,
)
from bundlesvc.json_body import parse_object
from bundlesvc.platforms.vendure.ids import LARGEST
from bundlesvc.ports import Clock

DELIVERY, SENT_AT, SIGNATURE = "webhook-id", "webhook-timestamp", "webhook-signature"
SECRET_PREFIX = "whsec_"  # noqa: S105 - a prefix, not a secret
SECRET_BYTES = 32
LARGEST_AGE = 5 * 60
"""The largest accepted difference between the time of a webhook and the service's time, in seconds. An older webhook may be a
replay."""
TOPIC = "events"
"""The metrics label of these webhooks. They have no topics."""
MOST_IDS = 10_000

_KINDS = {"products": PRODUCT, "stock": INVENTORY_ITEM}
_ORDERS = "orders"
_DELIVERY_FORM = re.compile(r"[!-~]{1,255}\Z")
_TIME_FORM = re.compile(r"[0-9]{1,12}\Z")


def new_secret() -> str:
    """Generate a random secret for signing webhooks."""
    return SECRET_PREFIX + base64.b64encode(token_bytes(SECRET_BYTES)).decode()


def _key(secret: str) -> bytes:
    return base64.b64decode(secret.removeprefix(SECRET_PREFIX))


class VendureWebhooks:
    """Implements the `WebhookReader` port. Vendure's webhooks do not contain the shop's domain, so each shop's
    webhooks are accepted only at the address of that shop."""

    def __init__(self, clock: Clock) -> None:
        self._clock = clock

    def domain(self, headers: Mapping[str, str]) -> str:
        return ""

    def is_addressed(self, headers: Mapping[str, str], domain: str) -> bool:
        return bool(_sent_signatures(headers))

    def expect(self, headers: Mapping[str, str], domain: str, secrets: Sequence[str]) -> "VendureMessage":
        sent = _sent_signatures(headers)
        if not secrets or not sent:
            raise SignatureInvalid
        if faults := list(_faults(headers)):
            raise InvalidRequest(faults)
        if abs(self._clock.now() - int(headers[SENT_AT])) > LARGEST_AGE:
            raise SignatureInvalid
        return VendureMessage(headers[DELIVERY], headers[SENT_AT], sent, secrets)


class VendureMessage:
    """Implements the `SignedMessage` port, and computes the signature while the body arrives."""

    def __init__(self, delivery: str, sent_at: str, sent: Sequence[bytes], secrets: Sequence[str]) -> None:
        self._delivery = delivery
        self._sent = sent
        begin = f"{delivery}.{sent_at}.".encode()
        self._signatures = [hmac.new(_key(secret), begin, hashlib.sha256) for secret in secrets]
        self._parts: list[bytes] = []

    def feed(self, part: bytes) -> None:
        for signature in self._signatures:
            signature.update(part)
        self._parts.append(part)

    def finish(self) -> Delivery:
        ours = [signature.digest() for signature in self._signatures]
        matching = [own for own in ours for sent in self._sent if hmac.compare_digest(own, sent)]
        if not matching:
            raise SignatureInvalid
        body = parse_object(b"".join(self._parts))
        faults = list(_body_faults(body))
        if faults:
            raise InvalidRequest(faults)
        digest = hashlib.sha256(matching[0]).hexdigest()
        notices = tuple(Notice(ORDER, str(one)) for one in dict.fromkeys(body.get(_ORDERS, ())))
        return Delivery(self._delivery, tuple(_changes(body)), digest, TOPIC, TOPIC, notices=notices)


def _sent_signatures(headers: Mapping[str, str]) -> list[bytes]:
    """Return the signatures of the supported version from the signature header. There may be several while a secret is being
    rotated."""
    texts = [text.removeprefix("v1,") for text in headers.get(SIGNATURE, "").split(" ") if text.startswith("v1,")]
    return [signature for text in texts[:4] if (signature := _decoded(text)) is not None]


def _decoded(text: str) -> bytes | None:
    try:
        signature = base64.b64decode(text, validate=True)
    except ValueError:
        return None
    return signature if len(signature) == hashlib.sha256().digest_size else None


def _faults(headers: Mapping[str, str]) -> Iterator[Fault]:
    for name, form, what in (
        (DELIVERY, _DELIVERY_FORM, "an id of up to 255 visible characters"),
        (SENT_AT, _TIME_FORM, "a time in seconds since 1970"),
    ):
        if not headers.get(name):
            yield Fault(name, "required", "This header is required.")
        elif not form.match(headers[name]):
            yield Fault(name, "invalid", f"This is not {what}.")


def _body_faults(body: Mapping[str, Any]) -> Iterator[Fault]:
    for name in (*_KINDS, _ORDERS):
        ids = body.get(name, [])
        if not isinstance(ids, list) or len(ids) > MOST_IDS:
            yield Fault(name, "invalid", f"Must be a list of up to {MOST_IDS} ids.")
            continue
        for place, one in enumerate(ids):
            if type(one) is not int or not 1 <= one <= LARGEST:
                yield Fault(f"{name}.{place}", "invalid", "This is not an id.")
    if type(body.get("shop", False)) is not bool:
        yield Fault("shop", "invalid", "Must be true or false.")


def _changes(body: Mapping[str, Any]) -> Iterator[Change]:
    if body.get("shop"):
        yield Change(SHOP_SETTINGS)
        yield Change(MARKETS)
    for name, kind in _KINDS.items():
        for one in dict.fromkeys(body.get(name, [])):
            yield Change(kind, one)

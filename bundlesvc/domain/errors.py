"""The hierarchy of errors. Every leaf class has a stable `code` (docs/contract.md#errors) and typed fields. The API assigns the
HTTP status."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, ClassVar

from bundlesvc.domain.rate_limit import COSTLY_RESULTS

MAX_DETAILS = 100
"""The maximum number of faults in one response (docs/contract.md#errors)."""


@dataclass(frozen=True, slots=True)
class Fault:
    """A single fault in an input: its path, a stable code, a human-readable message, and further fields for the entry in
    `details[]`."""

    path: str
    code: str
    message: str
    extra: dict[str, Any] = field(default_factory=dict)

    def as_detail(self) -> dict[str, Any]:
        """Return the fault as an entry of `details[]`."""
        return {"path": self.path, "code": self.code, **self.extra, "message": self.message}


class BundlesvcError(Exception):
    """The base class of all errors that use cases raise."""

    code: ClassVar[str]
    message: ClassVar[str]

    def __init__(self, message: str | None = None) -> None:
        super().__init__(message or self.message)


class InvalidInput(BundlesvcError):
    """The caller's input is invalid. `faults` contains every reason, each with one of the class's `fault_codes`."""

    fault_codes: ClassVar[tuple[str, ...]] = ()

    def __init__(self, faults: Sequence[Fault] = (), message: str | None = None) -> None:
        super().__init__(message)
        self.faults = tuple(faults[:MAX_DETAILS])


class InvalidJson(InvalidInput):
    code = "invalid_json"
    message = "The body is not valid JSON in UTF-8."


class InvalidRequest(InvalidInput):
    code = "invalid_request"
    fault_codes: ClassVar[tuple[str, ...]] = ("invalid", "required", "unknown_template")
    message = "The request does not match this endpoint's schema."


class SelectionInvalid(InvalidInput):
    code = "selection_invalid"
    fault_codes = (
        "item_count",
        "unknown_section",
        "unknown_product",
        "unknown_variant",
        "not_in_section",
        "variant_not_allowed",
    )
    message = "The selection contains items that this bundle does not offer."


class RulesNotMet(InvalidInput):
    code = "rules_not_met"
    fault_codes = (
        "limit_not_met",
        "type_mismatch",
        "not_active",
        "sold_out",
        "not_sold_in_country",
        "required_missing",
        "section_hidden",
        "product_hidden",
        "blocked",
    )
    message = "The selection does not meet the rules of this bundle."


class SubscriptionInvalid(InvalidInput):
    code = "subscription_invalid"
    fault_codes = ("not_offered", "required", "invalid_email", "unknown_group", "unknown_option")
    message = "The subscription does not match the options of this bundle."


class PersonalisationInvalid(InvalidInput):
    code = "personalisation_invalid"
    fault_codes = (
        "required",
        "unknown_field",
        "too_long",
        "not_offered",
        "invalid",
        "invalid_character",
        "answers_too_long",
    )
    message = "The personalisation of an item does not match the fields of this bundle."


class ConditionsDiscountMismatch(InvalidInput):
    code = "conditions_discount_mismatch"
    fault_codes = ("mismatch",)
    message = "The conditions discount differs from the discount that the bundle's conditions give."


class PriceChanged(InvalidInput):
    code = "price_changed"
    fault_codes = ("different_price",)
    message = "The price is not the expected one. Show the new price, and configure again if the shopper agrees."


class IdempotencyKeyInvalid(InvalidInput):
    code = "idempotency_key_invalid"
    message = "Idempotency-Key must be 1 to 255 printable ASCII characters."


class IdempotencyKeyReused(InvalidInput):
    code = "idempotency_key_reused"
    message = "This Idempotency-Key was used with another body. Use a new key."


class Forbidden(BundlesvcError):
    """The caller is not allowed to do this."""


class KeyInvalid(Forbidden):
    code = "key_invalid"
    message = "The API key is missing, malformed, unknown or revoked."


class KeyScope(Forbidden):
    code = "key_scope"
    message = "This API key has no access to this API."


class OriginNotAllowed(Forbidden):
    code = "origin_not_allowed"
    message = "This API key may not be used from this origin."


class ShopNotEnabled(Forbidden):
    code = "shop_not_enabled"
    message = "This shop is not enabled for the headless API."


class SignatureInvalid(Forbidden):
    code = "signature_invalid"
    message = "The signature of this webhook is not valid for this shop."


class NotFound(BundlesvcError):
    code = "not_found"
    message = "This resource does not exist."


class Refused(BundlesvcError):
    """The current state does not allow the request. `fields` are further fields of the response."""

    fields: Mapping[str, Any] = {}


class Outdated(BundlesvcError):
    """The state has changed since the caller read it."""


class Unseen(BundlesvcError):
    """The request does not specify which version of the data the caller has read, but it must."""


class RateLimited(BundlesvcError):
    """A rate-limit bucket of this `kind` has no tokens left: too many requests were sent, or too many results of a kind that is
    limited per visitor were requested. `retry_after` is in whole seconds."""

    code = "rate_limited"
    message = "Too many requests. Please wait before trying again."

    def __init__(self, retry_after: int, kind: str) -> None:
        limit = kind if kind in COSTLY_RESULTS else None
        super().__init__(
            limit and f"Too many {limit.replace('_', ' ')} from this address. Please wait before trying again."
        )
        self.retry_after = retry_after
        self.kind = kind
        self.limit = limit


class BodyTooLarge(BundlesvcError):
    code = "body_too_large"
    message = "The body is too large."


class BodyTooSlow(BundlesvcError):
    code = "body_too_slow"
    message = "The body arrived too slowly. Send the request again."


class ContentEncodingUnsupported(BundlesvcError):
    code = "content_encoding_unsupported"
    message = "The body must not be compressed. Send it without Content-Encoding."


class HttpVersionUnsupported(BundlesvcError):
    code = "http_version_unsupported"
    message = "The request names a version of HTTP that is not spoken here. Send it as HTTP/1.1."


class Unavailable(BundlesvcError):
    """A service or store that bundlesvc depends on does not respond. The same request may succeed after `retry_after` seconds."""

    retry_after = 5

    def __init__(self, message: str | None = None, *, retry_after: int | None = None) -> None:
        super().__init__(message)
        if retry_after is not None:
            self.retry_after = retry_after


class Overloaded(Unavailable):
    code = "overloaded"
    message = "The service is overloaded at the moment. Please try again soon."


class ShuttingDown(Unavailable):
    code = "shutting_down"
    message = "This process is shutting down. Send requests to another one."


class PlatformNotConnected(Unavailable):
    code = "platform_not_connected"
    message = "This shop is not connected to its commerce platform yet."
    retry_after = 60


class PlatformUnavailable(Unavailable):
    code = "platform_unavailable"
    message = "The commerce platform cannot be reached at the moment."


class PlatformFailed(Unavailable):
    code = "platform_error"
    message = "The commerce platform sent an invalid response."


class PlatformTimeout(Unavailable):
    code = "platform_timeout"
    message = "The commerce platform took too long to respond."


class GhostVariantsFull(Unavailable):
    code = "ghost_variants_full"
    message = (
        "This bundle's product has reached its limit of variants, and none can be removed now. Please try again later."
    )
    retry_after = 60


class StorageUnavailable(Unavailable):
    code = "storage_unavailable"
    message = "The database cannot be reached at the moment."
    retry_after = 2


class StorageFull(StorageUnavailable):
    message = "The database's disk is full: nothing can be stored at the moment."


class StorageReadOnly(StorageUnavailable):
    message = "The database is read-only at the moment."


class StorageLocked(StorageUnavailable):
    message = "Another program has locked the database."


class StorageBusy(StorageUnavailable):
    """The database works, but too many requests are waiting for it."""

    code = Overloaded.code
    message = Overloaded.message

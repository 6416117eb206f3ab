"""The arguments of the tools. They have the same names and checks as the API's parameters and bodies. Unknown arguments are
refused: an assistant that misspells an argument would otherwise get the answer to a different question."""

from dataclasses import dataclass
from typing import Any

from marshmallow import RAISE, ValidationError, fields, post_load, validate

from bundlesvc.api.agents.counted_items import ITEMS_SCHEMA, CountedItems
from bundlesvc.api.agents.explanations import EXPLAINED
from bundlesvc.api.endpoint import IDEMPOTENCY_KEY
from bundlesvc.api.headless.lists import LANGUAGE_PATTERN, cursor_after, read_cursor
from bundlesvc.api.posts.idempotency import MAX_KEY_LENGTH, is_idempotency_key
from bundlesvc.api.requests.fields import Country, RequestSchema, Text, WholeNumber
from bundlesvc.api.requests.schemas import ConfigureRequestSchema, PriceRequestSchema
from bundlesvc.domain.identifiers import MAX_ID
from bundlesvc.domain.selection import SelectionRequest
from bundlesvc.services.bundles import MAX_LISTED

DEFAULT_LISTED = 20


class ToolArguments(RequestSchema):
    """Base class for the tools' arguments. Unknown arguments are refused."""

    error_messages = {**RequestSchema.error_messages, "unknown": "This tool has no such argument."}

    class Meta:
        unknown = RAISE


class Language(Text):
    """The argument for the shopper's language, as a language tag."""

    def __init__(self) -> None:
        super().__init__(
            allow_none=True,
            validate=validate.Regexp(
                LANGUAGE_PATTERN.replace("$", r"\Z"), error='Must be a language tag, as in "de" or "de-CH".'
            ),
            metadata={
                "description": "The shopper's language, as a tag such as de or fr-CH. Texts fall back to the shop's language.",
                "maxLength": 44,
                "pattern": LANGUAGE_PATTERN,
            },
        )


def bundle_id() -> WholeNumber:
    """Create the field for the argument that identifies a bundle."""
    return WholeNumber(
        required=True,
        metadata={"description": "`id` of list_bundles.", "minimum": 1, "maximum": MAX_ID},
    )


def country() -> Country:
    """Create the field for the shopper's country."""
    return Country(
        allow_none=True,
        metadata={
            "description": "The country that the order is sent to, as ISO 3166-1 alpha-2. It determines prices, currency and "
            "what is sold. Send the same country in every call.",
            "pattern": "^[A-Za-z]{2}$",
        },
    )


def _products() -> CountedItems:
    return CountedItems(required=True, metadata=ITEMS_SCHEMA)


class ListArguments(ToolArguments):
    """The arguments of the tool that lists bundles."""

    language = Language()
    limit = WholeNumber(
        load_default=DEFAULT_LISTED,
        validate=validate.Range(1, MAX_LISTED, error=f"Must be a whole number from 1 to {MAX_LISTED}."),
        metadata={"description": "How many bundles to list.", "minimum": 1, "maximum": MAX_LISTED},
    )
    cursor = fields.Method(
        deserialize="read_cursor",
        metadata={
            "type": "string",
            "description": "The `nextCursor` of the previous call.",
            "example": cursor_after(101),
        },
    )

    def read_cursor(self, sent: object) -> int:
        """Decode a cursor: the id of the last bundle already listed. Raises ValidationError."""
        after = read_cursor(sent) if isinstance(sent, str) else None
        if after is None:
            raise ValidationError("Must be the nextCursor of a list_bundles call.")
        return after


class BundleArguments(ToolArguments):
    """The arguments of the tool that describes a bundle."""

    bundleId = bundle_id()
    language = Language()
    countryCode = country()


@dataclass(frozen=True, slots=True)
class BundleSelection:
    """A selection from a bundle. `idempotency_key` is set only when the selection is to be configured."""

    bundle_id: int
    selection: SelectionRequest
    idempotency_key: str = ""


class SelectionArguments(PriceRequestSchema, ToolArguments):
    """The arguments of the tools that check or price a selection."""

    bundleId = bundle_id()
    products = _products()
    countryCode = country()

    class Meta:
        unknown = RAISE
        exclude = ("bundleContent",)

    @post_load
    def build(self, data: dict[str, Any], **_: Any) -> Any:
        return BundleSelection(data["bundleId"], super().build(data))


def _check_idempotency_key(sent: str) -> None:
    if not is_idempotency_key(sent):
        raise ValidationError(f"Must be 1 to {MAX_KEY_LENGTH} printable ASCII characters.")


class ConfigureArguments(ConfigureRequestSchema, ToolArguments):
    """The arguments of the tool that configures a selection."""

    bundleId = bundle_id()
    products = _products()
    countryCode = country()
    idempotencyKey = Text(
        required=True,
        validate=_check_idempotency_key,
        metadata={
            "description": "A new random value for each purchase, such as a UUID. Send the same one again when a call got no "
            "answer: the same arguments then get the same result, and nothing is created twice.",
            **IDEMPOTENCY_KEY.schema,
        },
    )

    class Meta:
        unknown = RAISE
        exclude = ("bundleContent", "type", "visitorId")

    @post_load
    def build(self, data: dict[str, Any], **_: Any) -> Any:
        return BundleSelection(data["bundleId"], super().build(data), data["idempotencyKey"])


class ExplainArguments(ToolArguments):
    """The arguments of the tool that explains a refusal."""

    code = Text(
        required=True,
        metadata={
            "description": "The `code` of an error, or of one of its `details`.",
            "enum": sorted(EXPLAINED),
        },
    )

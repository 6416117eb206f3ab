"""The response schemas for revisions."""

from typing import Any

from marshmallow import fields
from marshmallow.validate import OneOf

from bundlesvc.api.responses.fields import ResponseSchema, amount, described, flag, many, number, text
from bundlesvc.domain.revisions.audit import ACTIONS
from bundlesvc.domain.revisions.revision import STATES

_ANYTHING: dict[str, Any] = {"example": "10.00"}


def _or_null(description: str, example: str | None = None) -> fields.String:
    return fields.String(required=True, allow_none=True, metadata=described(description, example))


def _value(description: str) -> fields.Raw:
    return fields.Raw(required=True, allow_none=True, metadata={"description": description, "example": "10.00"})


class RevisionSchema(ResponseSchema):
    """A revision of the shop's content."""

    number = number("The revision's number, assigned when its draft is created.", 7)
    state = text("The state of the revision.", "draft", validate=OneOf(STATES))
    base = fields.Integer(
        required=True,
        allow_none=True,
        metadata=described("The number of the revision that was live when this one was created.", 6),
    )
    author = text("The author of the revision: the label of a key, or a command.", "Studio")
    source = text(
        "The source of the revision: `api`, `studio`, `platform`, `upgrade`, or `file:` followed by a name.", "api"
    )
    message = text("The purpose of the revision.", "Winter prices")
    createdAt = text("The time at which the revision was created, ISO 8601, UTC.", "2026-11-23T10:00:00Z")
    publishedAt = _or_null("The time at which the revision went live, or null.")
    publishAt = _or_null("The time at which the revision will be published, or null.")
    problem = _or_null("The reason why the revision could not be published at the scheduled time, or null.")


class ChangeSchema(ResponseSchema):
    """A changed part of the content."""

    path = text(
        "The path of the changed part from the top of the content, with items identified by their ids.",
        "bundles.101.discount.value",
    )
    before = _value("The value before the change; null when there is none.")
    after = _value("The value after the change; null when there is none.")
    sentence = text("The change in words.", 'Bundle 101 "Gift box", discount, value: 10.00 becomes 15.00.')


class DifferenceSchema(ResponseSchema):
    """All differences between two versions of the content, in the order in which the changed parts occur in the content."""

    changes = many(ChangeSchema, "The differences, part by part.")


class FindingSchema(ResponseSchema):
    """A finding of the linter, or an error that makes the content invalid (code `invalid`)."""

    path = text(
        "The path of the affected part from the top of the content, with items identified by their ids.",
        "bundles.101.limitRules.0",
    )
    code = text("The stable code of the finding.", "rule-never-holds")
    severity = text("The severity of the finding.", "error", validate=OneOf(("error", "warning", "note")))
    message = text("A description of what is wrong.", "No selection can meet this rule.")
    hint = text("Advice on what to do about the finding.", "change the value or drop the rule")
    fix = fields.Dict(
        required=True,
        allow_none=True,
        metadata=described(
            "A merge patch that fixes the finding when it is applied to the item; null when no fix is certain.", None
        ),
    )


class FindingsSchema(ResponseSchema):
    """The findings of the linter."""

    findings = many(FindingSchema, "The findings, in the order of the content.")


class RefusalsSchema(ResponseSchema):
    """A reason for refusals, and the number of selections that the revision would refuse for this reason."""

    code = text("The code of the reason for the refusal, as in a configure response.", "limit_not_met")
    count = number("The number of selections that would be refused for this reason.", 12)


class BundleReplaySchema(ResponseSchema):
    """The results of replaying the selections of one bundle."""

    bundleId = number("The id of the bundle.", 101)
    selections = number("The number of selections that were replayed.", 1000)
    dearer = number("The number of selections that would cost more.", 0)
    cheaper = number("The number of selections that would cost less.", 980)
    same = number("The number of selections that would cost the same.", 8)
    refused = many(
        RefusalsSchema,
        "The selections that would be refused but are accepted now, by reason. A selection may have several reasons.",
    )
    refusedBefore = number(
        "The number of selections that are already refused, for example because an item is sold out.", 0
    )
    sumBefore = amount(
        "The total price now of the selections that neither revision refuses, in the shop's currency.", "40210.00"
    )
    sumAfter = amount(
        "The total price that the selections in `sumBefore` would have, in the shop's currency.", "37994.00"
    )


class ReplaySchema(ResponseSchema):
    """The replay results for each bundle that the revision changes and that shoppers have configured before."""

    bundles = many(BundleReplaySchema, "The results for each bundle, by id.")


class LoggedChangeSchema(ResponseSchema):
    """A change recorded in an entry of the audit log."""

    path = text(
        "The path of the changed part from the top of the content, with items identified by their ids.",
        "bundles.101.discount.value",
    )
    before = _value("The value before the change; null when there was none.")
    after = _value("The value after the change; null when there is none.")


class AuditEntrySchema(ResponseSchema):
    """An entry of the audit log."""

    at = text("The time of the action, ISO 8601, UTC.", "2026-11-23T10:00:00Z")
    actor = text("The actor: the label of a key, or a command.", "Studio")
    from_ = fields.String(
        required=True,
        data_key="from",
        metadata=described("The origin of the action: an IP address or a host name.", "192.0.2.7"),
    )
    action = text("The action that was taken.", "publish", validate=OneOf(ACTIONS))
    revision = fields.Integer(
        required=True, allow_none=True, metadata=described("The number of the revision concerned, or null.", 7)
    )
    changes = many(LoggedChangeSchema, "The changed parts, up to 200.")
    complete = flag("Whether `changes` lists all changes.")

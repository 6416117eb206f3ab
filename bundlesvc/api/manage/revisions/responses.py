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
    state = text("Its state.", "draft", validate=OneOf(STATES))
    base = fields.Integer(
        required=True, allow_none=True, metadata=described("The revision that was live when this one was created.", 6)
    )
    author = text("The label of the key that created it, or a command.", "Studio")
    source = text("`api`, `studio`, `platform`, `upgrade`, or `file:` followed by a name.", "api")
    message = text("What it is for.", "Winter prices")
    createdAt = text("ISO 8601, UTC.", "2026-11-23T10:00:00Z")
    publishedAt = _or_null("When it went live.")
    publishAt = _or_null("When it will be published.")
    problem = _or_null("Why it could not be published at the scheduled time.")


class ChangeSchema(ResponseSchema):
    """One part of the content that differs."""

    path = text("The path from the top of the content, with items given by their ids.", "bundles.101.discount.value")
    before = _value("The value; null when there is none.")
    after = _value("The value; null when there is none.")
    sentence = text("The change in words.", 'Bundle 101 "Gift box", discount, value: 10.00 becomes 15.00.')


class DifferenceSchema(ResponseSchema):
    """All differences, in the order of the content."""

    changes = many(ChangeSchema, "The parts that differ.")


class FindingSchema(ResponseSchema):
    """A finding of the linter, or an error that makes the content invalid (code `invalid`)."""

    path = text("The path from the top of the content, with items given by their ids.", "bundles.101.limitRules.0")
    code = text("A stable code.", "rule-never-holds")
    severity = text("How bad it is.", "error", validate=OneOf(("error", "warning", "note")))
    message = text("What is wrong.", "No selection can meet this rule.")
    hint = text("What to do.", "change the value or drop the rule")
    fix = fields.Dict(
        required=True,
        allow_none=True,
        metadata=described("A merge patch for the item that fixes the finding; null when no fix is certain.", None),
    )


class FindingsSchema(ResponseSchema):
    """The findings of the linter."""

    findings = many(FindingSchema, "In the order of the content.")


class RefusalsSchema(ResponseSchema):
    """The number of selections that the revision would refuse for one reason."""

    code = text("The code of the reason, as in a configure response.", "limit_not_met")
    count = number("Selections.", 12)


class BundleReplaySchema(ResponseSchema):
    """The results of replaying the selections of one bundle."""

    bundleId = number("The bundle.", 101)
    selections = number("Selections that were replayed.", 1000)
    dearer = number("Selections that would cost more.", 0)
    cheaper = number("Selections that would cost less.", 980)
    same = number("Selections that would cost the same.", 8)
    refused = many(RefusalsSchema, "Selections that would be refused, but are not now; one may have several reasons.")
    refusedBefore = number("Selections that are already refused, for example because an item is sold out.", 0)
    sumBefore = amount("What the selections that neither refuses cost now, in the shop's currency.", "40210.00")
    sumAfter = amount("What these selections would cost.", "37994.00")


class ReplaySchema(ResponseSchema):
    """The replay results for each bundle that the revision changes and that shoppers have configured before."""

    bundles = many(BundleReplaySchema, "The bundles, by id.")


class LoggedChangeSchema(ResponseSchema):
    """A change recorded in an entry of the audit log."""

    path = text("The path from the top of the content, with items given by their ids.", "bundles.101.discount.value")
    before = _value("The value; null when there was none.")
    after = _value("The value; null when there is none.")


class AuditEntrySchema(ResponseSchema):
    """An entry of the audit log."""

    at = text("ISO 8601, UTC.", "2026-11-23T10:00:00Z")
    actor = text("The label of a key, or a command.", "Studio")
    from_ = fields.String(
        required=True, data_key="from", metadata=described("An IP address or a host name.", "192.0.2.7")
    )
    action = text("What was done.", "publish", validate=OneOf(ACTIONS))
    revision = fields.Integer(required=True, allow_none=True, metadata=described("The revision concerned.", 7))
    changes = many(LoggedChangeSchema, "What changed, up to 200 parts.")
    complete = flag("Whether `changes` lists all changes.")

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

    number = number("Numbers are given when drafts are made.", 7)
    state = text("Its state.", "draft", validate=OneOf(STATES))
    base = fields.Integer(
        required=True, allow_none=True, metadata=described("The revision that was live when it was made.", 6)
    )
    author = text("The label of the key that made it, or a command.", "Studio")
    source = text("`api`, `studio`, `platform`, `upgrade`, or `file:` and a name.", "api")
    message = text("What it is for.", "Winter prices")
    createdAt = text("ISO 8601, UTC.", "2026-11-23T10:00:00Z")
    publishedAt = _or_null("When it became live.")
    publishAt = _or_null("When it will be published.")
    problem = _or_null("Why it could not be published at its time.")


class ChangeSchema(ResponseSchema):
    """One part of the content that differs."""

    path = text("From the top of the content, through items by their ids.", "bundles.101.discount.value")
    before = _value("Null where there is none.")
    after = _value("Null where there is none.")
    sentence = text("The change in words.", 'Bundle 101 "Gift box", discount, value: 10.00 becomes 15.00.')


class DifferenceSchema(ResponseSchema):
    """All differences, in the order of the content."""

    changes = many(ChangeSchema, "Each part that differs.")


class FindingSchema(ResponseSchema):
    """A finding of the linter, or an error that makes the content invalid (code `invalid`)."""

    path = text("From the top of the content, through items by their ids.", "bundles.101.limitRules.0")
    code = text("A stable code.", "rule-never-holds")
    severity = text("How bad it is.", "error", validate=OneOf(("error", "warning", "note")))
    message = text("What is wrong.", "No selection can meet this rule.")
    hint = text("What to do.", "change the value or drop the rule")
    fix = fields.Dict(
        required=True,
        allow_none=True,
        metadata=described("A merge patch of the item that fixes it; null where no fix is certain.", None),
    )


class FindingsSchema(ResponseSchema):
    """The findings of the linter."""

    findings = many(FindingSchema, "In the order of the content.")


class RefusalsSchema(ResponseSchema):
    """The number of selections that the revision would refuse for one reason."""

    code = text("The code of the reason, as configure has it.", "limit_not_met")
    count = number("Selections.", 12)


class BundleReplaySchema(ResponseSchema):
    """The results of replaying the selections of one bundle."""

    bundleId = number("The bundle.", 101)
    selections = number("Selections that were replayed.", 1000)
    dearer = number("That would cost more.", 0)
    cheaper = number("That would cost less.", 980)
    same = number("That would cost the same.", 8)
    refused = many(RefusalsSchema, "That would be refused, and are not now; one may have several reasons.")
    refusedBefore = number("That are refused already, such as for what is sold out.", 0)
    sumBefore = amount("What those that neither refuses cost now, in the shop's currency.", "40210.00")
    sumAfter = amount("What they would cost.", "37994.00")


class ReplaySchema(ResponseSchema):
    """The results for each bundle that the revision changes and that shoppers have configured before."""

    bundles = many(BundleReplaySchema, "In the order of their ids.")


class LoggedChangeSchema(ResponseSchema):
    """A change recorded in an entry of the audit log."""

    path = text("From the top of the content, through items by their ids.", "bundles.101.discount.value")
    before = _value("Null where there was none.")
    after = _value("Null where there is none.")


class AuditEntrySchema(ResponseSchema):
    """An entry of the audit log."""

    at = text("ISO 8601, UTC.", "2026-11-23T10:00:00Z")
    actor = text("The label of a key, or a command.", "Studio")
    from_ = fields.String(
        required=True, data_key="from", metadata=described("An address, or the name of a host.", "192.0.2.7")
    )
    action = text("What was done.", "publish", validate=OneOf(ACTIONS))
    revision = fields.Integer(required=True, allow_none=True, metadata=described("The revision concerned.", 7))
    changes = many(LoggedChangeSchema, "What changed, up to 200 parts.")
    complete = flag("Whether these are all changes.")

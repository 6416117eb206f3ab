"""Represents preview links in the responses of the management API."""

from typing import Any

from marshmallow import fields

from bundlesvc.api.manage.revisions.rendering import time_text
from bundlesvc.api.responses.fields import ResponseSchema, described, number, text
from bundlesvc.domain.revisions.preview_link import NOW, PreviewLink


class PreviewLinkSchema(ResponseSchema):
    """A preview link to a bundle in a revision."""

    id = number("The link.", 1)
    revision = number("The revision that it shows.", 7)
    bundleId = number("The bundle that it shows.", 101)
    time = text("`now`, with what is not published yet, or the local time as at which the bundle is shown.", NOW)
    author = text("The label of the key that made it.", "Studio")
    createdAt = text("ISO 8601, UTC.", "2026-11-23T10:00:00Z")
    expiresAt = text("ISO 8601, UTC.", "2026-11-30T10:00:00Z")


class NewPreviewLinkSchema(PreviewLinkSchema):
    """A new preview link with its address, which only this response contains."""

    address = fields.String(
        required=True,
        metadata=described("The path of the page, with a secret behind the #.", "/studio/shared#gAAAAABq…"),
    )


def link_body(link: PreviewLink) -> dict[str, Any]:
    return {
        "id": link.id,
        "revision": link.revision,
        "bundleId": link.bundle_id,
        "time": link.time,
        "author": link.actor,
        "createdAt": time_text(link.created_at),
        "expiresAt": time_text(link.expires_at),
    }

"""Renders the bodies of responses about revisions."""

from collections.abc import Sequence
from datetime import UTC, datetime
from typing import Any

import orjson

from bundlesvc.domain.money import amount_text
from bundlesvc.domain.revisions.audit import AuditEntry
from bundlesvc.domain.revisions.finding import Finding
from bundlesvc.domain.revisions.plain import ABSENT, Plain, dotted
from bundlesvc.domain.revisions.replay import BundleReplay
from bundlesvc.domain.revisions.revision import Response, Revision
from bundlesvc.services.revisions.reading import Difference


def revision_body(revision: Revision) -> dict[str, Any]:
    return {
        "number": revision.number,
        "state": revision.state,
        "base": revision.base,
        "author": revision.author,
        "source": revision.source,
        "message": revision.message,
        "createdAt": time_text(revision.created_at),
        "publishedAt": _time_or_none(revision.published_at),
        "publishAt": _time_or_none(revision.publish_at),
        "problem": revision.problem,
    }


def etag(revision: Revision) -> str:
    return f'"{revision.tag}"'


def revision_response(revision: Revision) -> Response:
    return Response(200, etag(revision), orjson.dumps(revision_body(revision)))


def item_response(changed: tuple[Revision, Plain]) -> Response:
    """Respond with an item of a draft and the entity tag of the draft."""
    return Response(200, etag(changed[0]), orjson.dumps(changed[1]))


def differences_body(differences: Sequence[Difference]) -> dict[str, Any]:
    return {
        "changes": [
            {
                "path": dotted(change.path),
                "before": _or_none(change.before),
                "after": _or_none(change.after),
                "sentence": sentence,
            }
            for change, sentence in differences
        ]
    }


def findings_body(findings: Sequence[Finding]) -> dict[str, Any]:
    return {
        "findings": [
            {
                "path": finding.path,
                "code": finding.code,
                "severity": finding.severity,
                "message": finding.message,
                "hint": finding.hint,
                "fix": finding.fix,
            }
            for finding in findings
        ]
    }


def replay_body(found: Sequence[BundleReplay]) -> dict[str, Any]:
    return {
        "bundles": [
            {
                "bundleId": each.bundle_id,
                "selections": each.selections,
                "dearer": each.dearer,
                "cheaper": each.cheaper,
                "same": each.same,
                "refused": [{"code": code, "count": count} for code, count in each.refused.most_common()],
                "refusedBefore": each.refused_before,
                "sumBefore": amount_text(each.sum_before),
                "sumAfter": amount_text(each.sum_after),
            }
            for each in found
        ]
    }


def entry_body(entry: AuditEntry) -> dict[str, Any]:
    return {
        "at": time_text(entry.at),
        "actor": entry.actor,
        "from": entry.origin,
        "action": entry.action,
        "revision": entry.revision,
        "changes": [change._asdict() for change in entry.changes],
        "complete": entry.complete,
    }


def time_text(seconds: int) -> str:
    """Format a time in ISO 8601, UTC."""
    return datetime.fromtimestamp(seconds, UTC).isoformat().replace("+00:00", "Z")


def _time_or_none(seconds: int | None) -> str | None:
    return None if seconds is None else time_text(seconds)


def _or_none(value: Plain) -> Plain:
    return None if value is ABSENT else value

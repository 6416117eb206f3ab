"""Errors about revisions: the reasons why a change or a publication is refused."""

from collections.abc import Collection, Sequence
from typing import Any

from bundlesvc.domain.errors import InvalidRequest, Outdated, Refused, Unseen
from bundlesvc.domain.revisions.merge import Conflict
from bundlesvc.domain.revisions.plain import ABSENT, dotted
from bundlesvc.domain.revisions.preview_link import MAX_LINKS


class RevisionConflict(Refused):
    """Since the draft was created, others have published changes that conflict with it. `conflicts` lists the values in
    conflict."""

    code = "revision_conflict"
    message = "What is live now has other changes in the same places. Nothing was published."

    def __init__(self, conflicts: Sequence[Conflict]) -> None:
        super().__init__()
        self.conflicts = tuple(conflicts)
        self.fields = {"conflicts": [*map(_described, self.conflicts)]}


class RevisionState(Refused):
    """The state of the revision does not allow the request."""

    code = "revision_state"
    message = "The state of this revision does not allow this."


class SecondPersonRequired(Refused):
    """The shop requires a draft to be published by somebody who has not changed it. `authors` are the people who have changed the
    draft."""

    code = "second_person_required"
    message = "You have changed this draft, so another person must publish it."

    def __init__(self, authors: Collection[str]) -> None:
        super().__init__()
        self.fields = {"authors": sorted(authors)}


class IdUsed(Refused):
    code = "id_used"
    message = "The revision has an item with this id already. Choose another id, or change that item."


class TooManyLinks(Refused):
    code = "too_many_links"
    message = f"The shop has {MAX_LINKS} valid preview links. Take one back first."


class RevisionOutdated(Outdated):
    code = "revision_outdated"
    message = "The revision has changed since you read it. Read it again, and repeat your change."


class IfMatchRequired(Unseen):
    code = "if_match_required"
    message = "Send If-Match with the ETag of the revision that you have read, so that no change of others is lost."


class RevisionInvalid(InvalidRequest):
    code = "revision_invalid"
    fault_codes = ("invalid",)
    message = "The shop would not be valid with this revision. Nothing was published."


def _described(conflict: Conflict) -> dict[str, Any]:
    values = {"base": conflict.base, "live": conflict.live, "yours": conflict.yours}
    return {"path": dotted(conflict.path), **{name: None if each is ABSENT else each for name, each in values.items()}}

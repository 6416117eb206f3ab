"""Links that show a bundle in a draft to people without a key (docs/studio.md#preview-links)."""

from dataclasses import dataclass

from bundlesvc.domain.revisions.difference import Change
from bundlesvc.domain.revisions.plain import ABSENT, Plain

DAY = 24 * 60 * 60
DAYS, MOST_DAYS = 7, 30
"""The number of days for which a link is valid: the default, and the maximum."""

MAX_LINKS = 100
"""The maximum number of valid links per shop."""

NOW = "now"


@dataclass(frozen=True, slots=True)
class PreviewLink:
    """A link to a bundle in a revision. The bundle is shown as of `time`: a local time in the shop's timezone, or `NOW`, which
    includes bundles that are not published yet. `actor` is the label of the key that created the link."""

    id: int
    revision: int
    bundle_id: int
    time: str
    actor: str
    created_at: int
    expires_at: int

    @property
    def made(self) -> Change:
        """The audit log entry for the creation of the link. It contains the link's parameters, but not its secret."""
        return Change(("previewLinks", str(self.id)), ABSENT, self._asked)

    @property
    def ended(self) -> Change:
        """The audit log entry for the end of the link."""
        return Change(("previewLinks", str(self.id)), self._asked, ABSENT)

    @property
    def _asked(self) -> Plain:
        days = (self.expires_at - self.created_at) // DAY
        return {"bundleId": self.bundle_id, "time": self.time, "days": days}

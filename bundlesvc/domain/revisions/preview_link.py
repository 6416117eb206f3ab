"""Links with which people without a key see a bundle of a draft (docs/studio.md#preview-links)."""

from dataclasses import dataclass

from bundlesvc.domain.revisions.difference import Change
from bundlesvc.domain.revisions.plain import ABSENT, Plain

DAY = 24 * 60 * 60
DAYS, MOST_DAYS = 7, 30
"""The days for which a link is valid: by default, and at most."""

MAX_LINKS = 100
"""The most valid links per shop."""

NOW = "now"


@dataclass(frozen=True, slots=True)
class PreviewLink:
    """A link to a bundle of a revision, shown as at `time`: `NOW`, with what is not published yet, or a local time of the shop.
    `actor` is the label of the key that made it."""

    id: int
    revision: int
    bundle_id: int
    time: str
    actor: str
    created_at: int
    expires_at: int

    @property
    def made(self) -> Change:
        """What making it changes, for the audit log: what its maker asked for, without its secret."""
        return Change(("previewLinks", str(self.id)), ABSENT, self._asked)

    @property
    def ended(self) -> Change:
        """What ending it changes."""
        return Change(("previewLinks", str(self.id)), self._asked, ABSENT)

    @property
    def _asked(self) -> Plain:
        days = (self.expires_at - self.created_at) // DAY
        return {"bundleId": self.bundle_id, "time": self.time, "days": days}

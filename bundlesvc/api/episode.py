"""Something that happens again and again for a while: its start and its end are logged once."""

CALM_SECONDS = 10
"""When it has not happened for this long, it is over."""


class Episode:
    """Times are those of the event loop."""

    def __init__(self) -> None:
        self._last: float | None = None

    def happen(self, now: float) -> bool:
        """Note that it happened. Returns whether an episode starts with this."""
        begins, self._last = self._last is None, now
        return begins

    def end(self, now: float) -> bool:
        """Whether the episode is over. True once for each."""
        if self._last is None or now - self._last <= CALM_SECONDS:
            return False
        self._last = None
        return True

"""The work budget of a search. Unlike a time limit, it ensures that the same request always gets the same response."""

SLICE = 32
"""The amount of work between two pauses."""
CHECK, GLANCES = 16, 64
"""The units of work for checking one selection, and the number of moves that can be inspected for 1 unit, which is also the cost
of trying one move."""


class Work:
    """The amount of work `done`, and the amount at which the search stops (`stop_at`)."""

    def __init__(self, stop_at: int) -> None:
        self.done = 0
        self.stop_at = stop_at
        self._pause_at = SLICE

    @property
    def is_spent(self) -> bool:
        return self.done > self.stop_at

    @property
    def is_pausing(self) -> bool:
        """Whether it is time for a pause. True only once per pause."""
        if self.done < self._pause_at:
            return False
        self._pause_at = self.done + SLICE
        return True

"""Log lines for the operator about one shop's platform. Each problem is logged once, not on every request."""

import logging

logger = logging.getLogger(__name__)


class Notices:
    """Writes the log lines about one shop. They never contain tokens or secrets."""

    def __init__(self, domain: str) -> None:
        self._domain = domain
        self._logged: set[tuple[str, object]] = set()
        self._troubles: set[str] = set()

    def once(self, message: str, subject: object, *words: object) -> None:
        """Log a warning once per subject. `subject` and `words` replace the `%s` placeholders in the message."""
        if (message, subject) not in self._logged:
            self._logged.add((message, subject))
            self.begin(message % (subject, *words))

    def trouble(self, message: str, *words: object) -> None:
        """Log why calls fail. Each message is logged only once until the shop responds normally again."""
        if message not in self._troubles:
            self._troubles.add(message)
            self.begin(message % words)

    def well(self) -> None:
        """Record that the platform responded normally to a call for the shop. Logs the recovery if calls had been failing."""
        if self._troubles:
            self._troubles.clear()
            self.end("the platform responds again.")

    def begin(self, message: str) -> None:
        """Log that a problem has begun."""
        logger.warning("%s: %s", self._domain, message)

    def end(self, message: str) -> None:
        """Log that a problem is over."""
        logger.info("%s: %s", self._domain, message)

"""What an operator should know of a shop's platform: said once, not with every request."""

import logging

logger = logging.getLogger(__name__)


class Notices:
    """The log lines about one shop. Tokens are never among what is said."""

    def __init__(self, domain: str) -> None:
        self._domain = domain
        self._said: set[tuple[str, object]] = set()
        self._troubles: set[str] = set()

    def once(self, message: str, subject: object, *words: object) -> None:
        """Say it, unless it was said of the same subject before. `%s` in the message stands for subject and words."""
        if (message, subject) not in self._said:
            self._said.add((message, subject))
            self.begin(message % (subject, *words))

    def trouble(self, message: str, *words: object) -> None:
        """Say why nothing works, once until things are well again."""
        if message not in self._troubles:
            self._troubles.add(message)
            self.begin(message % words)

    def well(self) -> None:
        """The shop answered as it should."""
        if self._troubles:
            self._troubles.clear()
            self.end("the platform answers again.")

    def begin(self, message: str) -> None:
        """Say that something begins to go wrong."""
        logger.warning("%s: %s", self._domain, message)

    def end(self, message: str) -> None:
        """Say that it is over."""
        logger.info("%s: %s", self._domain, message)

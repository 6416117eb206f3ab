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
            logger.warning("%s: %s", self._domain, message % (subject, *words))

    def trouble(self, message: str, *words: object) -> None:
        """Say why nothing works, once until things are well again."""
        if message not in self._troubles:
            self._troubles.add(message)
            logger.warning("%s: %s", self._domain, message % words)

    def well(self) -> None:
        """The shop answered as it should."""
        if self._troubles:
            self._troubles.clear()
            logger.info("%s: the platform answers again.", self._domain)

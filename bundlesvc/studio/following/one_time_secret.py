"""The one-time secret that opens a session of the studio."""

import secrets


class OneTimeSecret:
    """A secret that can be used only once. `text` is its value."""

    def __init__(self) -> None:
        self.text = secrets.token_urlsafe(32)
        self._is_used = False

    def use(self, sent: str) -> bool:
        """Use up the secret if it matches `sent`. Returns True if it matches and has not been used before."""
        if self._is_used or not secrets.compare_digest(sent.encode(), self.text.encode()):
            return False
        self._is_used = True
        return True

"""Connections to shops' live platforms."""

from collections.abc import Sequence
from dataclasses import dataclass, field

FIRST_KEY, OLDER_KEY, UNKNOWN_KEY = "first", "older", "unknown"
"""The key that a stored connection is encrypted with: the first secret key; an older one, or the format of an earlier version; or
an unknown one."""


@dataclass(frozen=True, slots=True)
class ClientCredentials:
    """The id of an app that receives access tokens for its id and its secret, which also signs its webhooks. Tokens expire:
    `obtained_at` and `expires_at` describe the current one and are 0 before the first. Until `renewing_until` one process
    requests the next token, and the others wait for it. Times in seconds since 1970.

    An app that was installed with the authorization code grant also needs the `refresh_token`, which changes with each token."""

    client_id: str
    obtained_at: float = 0
    expires_at: float = 0
    renewing_until: float = 0
    refresh_token: str = field(repr=False, default="")


@dataclass(frozen=True, slots=True)
class PlatformConnection:
    """A shop's live platform: its domain, the access token, and the client secret of the app, which signs its webhooks. With a
    `grant` the token is renewed, and empty before the first; without one it is the token that the operator gave. While the
    secret is rotated, the `previous_secret` is still valid."""

    domain: str
    access_token: str = field(repr=False)
    webhook_secret: str = field(repr=False, default="")
    grant: ClientCredentials | None = None
    previous_secret: str = field(repr=False, default="")

    @property
    def webhook_secrets(self) -> tuple[str, ...]:
        """The secrets that may sign a webhook, the newest first."""
        return tuple(secret for secret in (self.webhook_secret, self.previous_secret) if secret)


@dataclass(frozen=True, slots=True)
class ConnectionFault:
    """A fault on the platform's side of a connection. `code` names the check that found it; `remedy` says how to fix it."""

    code: str
    sentence: str
    remedy: str


@dataclass(frozen=True, slots=True)
class AppAccess:
    """The permissions of a shop's app. `faults`: the permissions that it needs and lacks; `may_read`: whether it can read
    everything that every shop needs; `has_old_secret`: whether its previous client secret is still valid here; `notes`: what it
    may not do and need not."""

    faults: Sequence[ConnectionFault]
    may_read: bool
    has_old_secret: bool = False
    notes: Sequence[str] = ()


@dataclass(frozen=True, slots=True)
class WebhookState:
    """The webhooks of a shop: a sentence about those that are sent, empty when there are none, and what is wrong with them."""

    sentence: str = ""
    faults: Sequence[ConnectionFault] = ()


@dataclass(frozen=True, slots=True)
class CheckoutState:
    """How a shop's checkout is prepared for the discounts of native bundles. `code` names the check. If there are no `faults`,
    discounts are taken off, and `sentence` describes by what."""

    code: str
    sentence: str = ""
    faults: Sequence[ConnectionFault] = ()

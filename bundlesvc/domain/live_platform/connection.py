"""Connections to shops' live platforms."""

from collections.abc import Sequence
from dataclasses import dataclass, field

FIRST_KEY, OLDER_KEY, UNKNOWN_KEY = "first", "older", "unknown"
"""The key that a stored connection is encrypted with: the first secret key; an older key, or the format of an earlier version; or
an unknown key."""


@dataclass(frozen=True, slots=True)
class ClientCredentials:
    """The client credentials of an app that obtains its access tokens itself. The webhooks of the app are signed with its client
    secret, which is stored separately. Tokens expire: `obtained_at` and `expires_at` describe the current token and are 0 before
    the first one. Until `renewing_until`, one process requests the next token, and the others wait for it. Times are in seconds
    since 1970.

    An app that was installed with the authorization code grant also needs the `refresh_token`, which changes with each access
    token."""

    client_id: str
    obtained_at: float = 0
    expires_at: float = 0
    renewing_until: float = 0
    refresh_token: str = field(repr=False, default="")


@dataclass(frozen=True, slots=True)
class PlatformConnection:
    """The connection to a shop's live platform: its domain, the access token, and the client secret of the app, with which its
    webhooks are signed. With a `grant`, the token is renewed regularly, and is empty before the first renewal; without a `grant`,
    the operator provides the token. While the secret is being rotated, the `previous_secret` is still valid."""

    domain: str
    access_token: str = field(repr=False)
    webhook_secret: str = field(repr=False, default="")
    grant: ClientCredentials | None = None
    previous_secret: str = field(repr=False, default="")

    @property
    def webhook_secrets(self) -> tuple[str, ...]:
        """The secrets with which a webhook may have been signed, newest first."""
        return tuple(secret for secret in (self.webhook_secret, self.previous_secret) if secret)


@dataclass(frozen=True, slots=True)
class ConnectionFault:
    """A fault on the platform's side of a connection. `code` is the name of the check that found the fault; `remedy` says how to
    fix it."""

    code: str
    sentence: str
    remedy: str


@dataclass(frozen=True, slots=True)
class AppAccess:
    """The permissions of a shop's app. `faults` are the required permissions that the app lacks, and `notes` the optional
    permissions that it lacks. `may_read` says whether the app can read the data that every shop needs, and `has_old_secret`
    whether its previous client secret is still valid in this service."""

    faults: Sequence[ConnectionFault]
    may_read: bool
    has_old_secret: bool = False
    notes: Sequence[str] = ()


@dataclass(frozen=True, slots=True)
class WebhookState:
    """The webhooks of a shop: a sentence about the active webhooks (empty when there are none), and the faults that were
    found."""

    sentence: str = ""
    faults: Sequence[ConnectionFault] = ()


@dataclass(frozen=True, slots=True)
class CheckoutState:
    """Whether a shop's checkout applies the discounts of native bundles. `code` is the name of the check. Without `faults`, the
    discounts are applied, and `sentence` says what applies them."""

    code: str
    sentence: str = ""
    faults: Sequence[ConnectionFault] = ()

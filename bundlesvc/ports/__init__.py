"""What the use cases need from outside, as Protocols. No driver's exception crosses a port."""

from bundlesvc.ports.diagnosis import AppInspection, LoggedWarnings, RedisServer, TestedDatabase
from bundlesvc.ports.platform import (
    CredentialKeys,
    CredentialStore,
    Platform,
    PlatformCache,
    SharedPlatformCache,
    SignedMessage,
    WebhookReader,
)
from bundlesvc.ports.stores import (
    ChangeLog,
    ConfiguredStore,
    GhostRetired,
    GhostStore,
    KeyAdmin,
    KeyStore,
    MarketPromiseStore,
    OwnUpdates,
    ReminderStore,
    ShopFileStore,
    ShopStore,
)
from bundlesvc.ports.system import Buckets, Clock, Ids, ImmediateBuckets, RotatingCipher, TokenCipher, TokenInvalid

__all__ = [
    "AppInspection",
    "Buckets",
    "ChangeLog",
    "Clock",
    "ConfiguredStore",
    "CredentialKeys",
    "CredentialStore",
    "GhostRetired",
    "GhostStore",
    "Ids",
    "ImmediateBuckets",
    "KeyAdmin",
    "KeyStore",
    "LoggedWarnings",
    "MarketPromiseStore",
    "OwnUpdates",
    "Platform",
    "PlatformCache",
    "RedisServer",
    "ReminderStore",
    "RotatingCipher",
    "SharedPlatformCache",
    "ShopFileStore",
    "ShopStore",
    "SignedMessage",
    "TestedDatabase",
    "TokenCipher",
    "TokenInvalid",
    "WebhookReader",
]

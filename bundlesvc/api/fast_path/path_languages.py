"""The languages that the responses of a path can have, so that all spellings of `Accept-Language` share a few serialised
responses.

The application chooses one language for each kind of text (the bundle's, the component's, the cadences'), each from a separate
list, and records these lists (`AVAILABLE_LANGUAGES`). The fast path caches the lists of a path and makes the same choices from
them with the same function. The key of the serialised response contains these choices, never the header. So a path has at most as
many serialised responses as there are different choices of languages, and nothing that a client writes into the header enters the
table.

The lists of a path depend on the shop's revision, and on a live platform also on whether the visitor's first language differs
from the shop's (`wants_another`): only then do they include the platform's languages. A path has separate lists for each case.
The languages of a live platform may also change over time. In that case, the lists are at most as old as the serialised response,
which is rendered again when its entry expires.
"""

from collections.abc import Sequence
from functools import lru_cache
from sys import getsizeof

from bundlesvc.api.fast_path.serialized_responses import MAX_KEY
from bundlesvc.api.negotiation.accept_language import AvailableLanguages, accepted_languages
from bundlesvc.domain.shop import TRANSLATIONS, Tenant
from bundlesvc.domain.texts.translation import choose_language, wants_another
from bundlesvc.lru import LruMapping

MAX_BYTES = 1024 * 1024
OVERHEAD = 512
"""Bytes that an entry takes in addition to the text of the path and the lists of languages."""

IDLE_PERIODS = 600
"""The number of whole periods of `expire` after which the languages of an unused path are dropped."""

MAX_HEADER = 256
"""The maximum length of an `Accept-Language` header, in characters. A request with a longer header is handled by the application.
Browsers send fewer than a hundred characters."""

Choices = tuple[str, ...]
_Key = tuple[str, int, bool]


class PathLanguages:
    """A size-limited cache of the languages available for each path. The least recently requested paths are evicted first."""

    def __init__(self, max_bytes: int = MAX_BYTES) -> None:
        self._paths: LruMapping[_Key, tuple[tuple[int, int], AvailableLanguages]] = LruMapping(max_bytes, _size)

    @property
    def size(self) -> int:
        return self._paths.total

    def expire(self) -> None:
        """Drop the languages of paths that are no longer requested. Call this method once per period."""
        self._paths.end_period(IDLE_PERIODS)

    def choices(self, path: str, tenant: Tenant, header: str) -> Choices | None:
        """Choose the languages of the response. Returns None when the available languages are not known."""
        if not tenant.shop.has(TRANSLATIONS):
            return ()
        if len(header) > MAX_HEADER:
            return None
        requested = _accepted(header)
        version, available = self._paths.get(_key(path, tenant, requested), (None, ()))
        return _chosen(requested, available, tenant.shop.locale) if version == tenant.version else None

    def learn(self, path: str, tenant: Tenant, header: str, available: AvailableLanguages) -> None:
        """Record the available languages of a response, unless the path or the header is too long."""
        if tenant.shop.has(TRANSLATIONS) and len(header) <= MAX_HEADER and len(path) <= MAX_KEY:
            self._paths[_key(path, tenant, _accepted(header))] = tenant.version, available


def _key(path: str, tenant: Tenant, requested: Sequence[str]) -> _Key:
    return path, tenant.id, wants_another(requested, tenant.shop.locale)


def _size(key: _Key, known: tuple[tuple[int, int], AvailableLanguages]) -> int:
    """Return the memory that an entry takes, in bytes. The language tags are not counted: they belong to the shop's bundles and
    products."""
    return OVERHEAD + getsizeof(key[0]) + sum(map(getsizeof, known[1]))


@lru_cache(maxsize=256)
def _accepted(header: str) -> tuple[str, ...]:
    return accepted_languages(header)


@lru_cache(maxsize=256)
def _chosen(requested: tuple[str, ...], available: AvailableLanguages, own: str) -> Choices:
    return tuple(choose_language(requested, languages, own) for languages in available)

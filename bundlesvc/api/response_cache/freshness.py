"""How long clients and shared caches may use a response: `Cache-Control` (docs/contract.md#http-caching)."""

from dataclasses import dataclass

from bundlesvc.domain.publication import Phase


@dataclass(frozen=True, slots=True)
class Freshness:
    """How long a client may cache a response, and how long it may show a stale response while fetching a new one (in seconds)."""

    max_age: int
    stale_while_revalidate: int

    def header(self, phase: Phase) -> str:
        """Return the value of `Cache-Control` for responses sent in this phase. Shortly before a bundle goes on or off sale, a
        cached response must be revalidated on every use."""
        if phase.closing:
            return "private, no-cache"
        return f"private, max-age={self.max_age}, stale-while-revalidate={self.stale_while_revalidate}"

    def shared_header(self, phase: Phase) -> str:
        """Return the value of `Cache-Control` for caches that serve many clients."""
        if phase.closing:
            return "public, no-cache"
        seconds = self.max_age
        return f"public, max-age={seconds}, s-maxage={seconds}, stale-while-revalidate={self.stale_while_revalidate}"


BUNDLE_FRESHNESS = Freshness(max_age=60, stale_while_revalidate=300)
PRODUCTS_FRESHNESS = Freshness(max_age=15, stale_while_revalidate=60)

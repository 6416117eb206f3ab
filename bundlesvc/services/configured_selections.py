"""Reads a configured bundle back for editing (docs/contract.md#reading-configured)."""

from collections.abc import Sequence
from dataclasses import dataclass
from hmac import compare_digest

from bundlesvc.domain.access.caller import Caller
from bundlesvc.domain.bundle import Bundle
from bundlesvc.domain.configured import StoredSelection
from bundlesvc.domain.errors import Fault, InvalidInput, NotFound
from bundlesvc.domain.selection import SelectedItem, SelectionRequest, units_of
from bundlesvc.ports import ConfiguredStore
from bundlesvc.request_deadline import RequestDeadline
from bundlesvc.services.access.authentication import GuessLimit
from bundlesvc.services.bundles import Bundles
from bundlesvc.services.price_selection import PriceSelection, Quote, check_quote

_NO_UNIQUE_ID = "-" * 32
"""A value to compare with when there is no configured bundle. It has the length of a unique id and never equals one."""


@dataclass(frozen=True, slots=True)
class ReadSelection:
    """A stored selection, unit by unit, with the prices that `configure` would charge now, or the faults that it would report.
    There are neither prices nor faults when the bundle no longer exists."""

    stored: StoredSelection
    items: Sequence[SelectedItem]
    quote: Quote | None
    faults: Sequence[Fault] = ()


class ConfiguredSelections:
    """Reads configured bundles back, and checks whether they still meet the rules and what they cost now."""

    def __init__(
        self, store: ConfiguredStore, bundles: Bundles, price_selection: PriceSelection, guesses: GuessLimit
    ) -> None:
        self._store = store
        self._bundles = bundles
        self._price_selection = price_selection
        self._guesses = guesses

    async def read(
        self, caller: Caller, configured_bundle_id: int, unique_id: str, address: str, deadline: RequestDeadline
    ) -> ReadSelection:
        """Read the configured bundle with this id and this unique id. Raises NotFound, RateLimited when too many guesses came
        from the address, and what `PriceSelection.quote` raises for reasons other than the selection."""
        stored = await self._find(caller, configured_bundle_id, unique_id, address)
        try:
            bundle = await self._bundles.find(caller, stored.bundle_id)
        except NotFound:
            return ReadSelection(stored, stored.selected(None), None)
        items = stored.selected(bundle)
        try:
            return ReadSelection(stored, items, await self._quote(caller, bundle, stored, items, deadline))
        except InvalidInput as refused:
            return ReadSelection(stored, items, None, refused.faults)

    async def _find(self, caller: Caller, configured_bundle_id: int, unique_id: str, address: str) -> StoredSelection:
        """Find a configured bundle. An unknown id and a wrong unique id take the same steps, so that neither the response nor its
        timing reveals which of the two was wrong."""
        expected = await self._store.unique_id(caller.tenant, configured_bundle_id)
        is_right = compare_digest(unique_id.encode(), (expected or _NO_UNIQUE_ID).encode())
        if is_right and expected and (stored := await self._store.selection(caller.tenant, configured_bundle_id)):
            return stored
        await self._guesses.take(address)
        raise NotFound

    async def _quote(
        self,
        caller: Caller,
        bundle: Bundle,
        stored: StoredSelection,
        items: Sequence[SelectedItem],
        deadline: RequestDeadline,
    ) -> Quote:
        """Price a selection as `configure` would now. Raises what `configure` would raise."""
        request = SelectionRequest(units_of(items), stored.bundle_type, stored.country, stored.subscription)
        quote = await self._price_selection.quote(caller.tenant, bundle, request, deadline)
        check_quote(caller.tenant.shop, bundle, request, quote)
        return quote

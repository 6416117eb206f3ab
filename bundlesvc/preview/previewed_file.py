"""A shop file that is followed: read when it changes, linted, and loaded into the preview's database."""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from dataclasses import dataclass, replace
from decimal import Decimal
from pathlib import Path

from bundlesvc.domain.bundle import Bundle
from bundlesvc.domain.listing.discount_summary import discount_summary
from bundlesvc.domain.listing.from_price import from_price
from bundlesvc.domain.shop_files.shop_file import ShopFile
from bundlesvc.shop_file.lint import lint_bytes
from bundlesvc.shop_file.lint.findings import ERROR, Code, Finding
from bundlesvc.shop_file.loading import ShopFileInvalid, parse_shop_file, read_bytes

SHOP = "preview"
"""The handle of the shop in the preview's database, whatever the file calls it."""

EMPTY = parse_shop_file(b"shop: {handle: preview, currency: EUR, headlessEnabled: true}", Path("empty.yaml"))

LIVE_SHOP = "The products of this shop are on a live platform. The preview shows shops whose products are in the file."

Load = Callable[[ShopFile], Awaitable[None]]


@dataclass(frozen=True, slots=True)
class PreviewedBundle:
    """A bundle with its offer, as a list shows it."""

    bundle: Bundle
    from_price: Decimal | None
    discount_summary: str | None


@dataclass(frozen=True, slots=True)
class Preview:
    """The content of the page: the shop as it was last loaded, and the findings in the file as it is now. `is_current` says
    whether both are the same; `number` grows with each change."""

    number: int
    shop_file: ShopFile
    bundles: Sequence[PreviewedBundle]
    findings: Sequence[Finding]
    is_current: bool


class PreviewedFile:
    """`load` makes the service use a shop file."""

    def __init__(self, path: Path, load: Load) -> None:
        self.path = path
        self.preview = Preview(0, EMPTY, (), (), is_current=False)
        self.closed = False
        self._load = load
        self._stamp: object = None
        self._changed = asyncio.Condition()

    async def follow(self) -> None:
        """Read the file if it has changed since the last call."""
        stamp = _stamp(self.path)
        if stamp == self._stamp:
            return
        findings, shop_file = await asyncio.to_thread(_read, self.path)
        number = self.preview.number + 1
        if shop_file is None:
            preview = replace(self.preview, number=number, findings=findings, is_current=False)
        else:
            await self._load(shop_file)
            bundles = await asyncio.to_thread(_bundles, shop_file)
            preview = Preview(number, shop_file, bundles, findings, is_current=True)
        self._stamp = stamp
        await self._show(preview, closed=self.closed)

    async def close(self) -> None:
        """End all iterations over `previews`."""
        await self._show(self.preview, closed=True)

    async def previews(self, patience: float) -> AsyncIterator[Preview | None]:
        """The preview now, and after each change; None when nothing has changed for `patience` seconds."""
        seen = -1
        while not self.closed:
            try:
                async with asyncio.timeout(patience):
                    preview = await self._other_than(seen)
            except TimeoutError:
                yield None
            else:
                if preview.number != seen:
                    seen = preview.number
                    yield preview

    async def _other_than(self, seen: int) -> Preview:
        """The next preview, or the same when this is closed."""
        async with self._changed:
            await self._changed.wait_for(lambda: self.closed or self.preview.number != seen)
            return self.preview

    async def _show(self, preview: Preview, *, closed: bool) -> None:
        async with self._changed:
            self.preview, self.closed = preview, closed
            self._changed.notify_all()


def _stamp(path: Path) -> object:
    """A stamp that differs when the file has changed."""
    try:
        found = path.stat()
    except OSError as error:
        return error.errno
    return found.st_mtime_ns, found.st_size, found.st_ino


def _read(path: Path) -> tuple[list[Finding], ShopFile | None]:
    """The findings in a file, and the shop to show; None when the file does not load."""
    try:
        data = read_bytes(path)
        shop_file = parse_shop_file(data, path)
    except ShopFileInvalid as invalid:
        return [_invalid(fault.line, fault.path, fault.message) for fault in invalid.faults], None
    findings = lint_bytes(data, path)
    if shop_file.shop.settings is None:
        return [_invalid(None, "shop.platform", LIVE_SHOP), *findings], None
    return findings, replace(shop_file, shop=replace(shop_file.shop, handle=SHOP, headless_enabled=True))


def _invalid(line: int | None, path: str, message: str) -> Finding:
    return Finding("", line, ERROR, Code.INVALID, path, message, "")


def _bundles(shop_file: ShopFile) -> list[PreviewedBundle]:
    shop, settings = shop_file.shop, shop_file.shop.settings
    if settings is None:  # `_read` lets none of these pass
        return []
    products = {product.id: product for product in shop_file.products}
    return [
        PreviewedBundle(
            bundle,
            from_price(shop, bundle, products, settings),
            discount_summary(bundle.discount, shop.locale, settings),
        )
        for bundle in shop_file.bundles
    ]

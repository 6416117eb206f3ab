"""A shop file that is followed: what is loaded, and what is said of it."""

import asyncio
from pathlib import Path

import pytest

from bundlesvc.domain.shop_files.shop_file import ShopFile
from bundlesvc.preview import previewed_file
from bundlesvc.preview.previewed_file import LIVE_SHOP, Preview, PreviewedFile
from tests.preview.conftest import SavedFile

LONG = 60.0


class Previewed:
    """A followed file, and what was loaded of it."""

    def __init__(self, path: Path) -> None:
        self.loaded: list[ShopFile] = []
        self.file = PreviewedFile(path, self._load)

    async def _load(self, shop_file: ShopFile) -> None:
        self.loaded.append(shop_file)

    async def follow(self) -> Preview:
        await self.file.follow()
        return self.file.preview


@pytest.fixture
def previewed(saved: SavedFile) -> Previewed:
    return Previewed(saved.path)


async def test_file_is_loaded_with_its_bundles_and_offers(previewed: Previewed) -> None:
    preview = await previewed.follow()

    assert preview.is_current
    assert [(each.bundle.name, str(each.from_price), each.discount_summary) for each in preview.bundles] == [
        ("Breakfast", "3.60", "10 % off"),
        ("Supper", "None", None),
    ]
    (loaded,) = previewed.loaded
    assert (loaded.shop.handle, loaded.shop.name, loaded.shop.headless_enabled) == ("preview", "Corner Shop", True)


async def test_findings_of_the_linter_have_their_lines(previewed: Previewed) -> None:
    (finding,) = (await previewed.follow()).findings
    assert (finding.path, finding.severity, finding.line) == ("bundles.1.limitRules.0", "warning", 25)


async def test_file_that_has_not_changed_is_not_read_again(previewed: Previewed) -> None:
    first = await previewed.follow()
    assert await previewed.follow() is first
    assert len(previewed.loaded) == 1


async def test_saved_change_is_loaded(previewed: Previewed, saved: SavedFile) -> None:
    before = await previewed.follow()
    saved.change("name: Breakfast", "name: Brunch")
    after = await previewed.follow()
    assert [each.bundle.name for each in after.bundles] == ["Brunch", "Supper"]
    assert after.number > before.number


@pytest.mark.parametrize(
    ("before", "after", "lines"),
    [
        ("type: percentage", "type: percantage", [16]),
        ("  - id: 2\n", "  - id: [\n", [20]),
        ("name: Supper", "nme: Supper", [18, 19]),
    ],
)
async def test_faulty_file_names_lines_and_leaves_the_last_good_state(
    previewed: Previewed, saved: SavedFile, before: str, after: str, lines: list[int]
) -> None:
    good = await previewed.follow()
    saved.change(before, after)

    faulty = await previewed.follow()

    assert not faulty.is_current
    assert {finding.severity for finding in faulty.findings} == {"error"}
    assert [finding.line for finding in faulty.findings] == lines
    assert faulty.bundles == good.bundles
    assert len(previewed.loaded) == 1


async def test_file_that_is_gone_comes_back(previewed: Previewed, saved: SavedFile) -> None:
    await previewed.follow()
    saved.path.unlink()
    gone = await previewed.follow()
    assert not gone.is_current
    assert [finding.message for finding in gone.findings] == ["The file cannot be read: No such file or directory."]
    saved.change("name: Breakfast", "name: Brunch")
    assert (await previewed.follow()).is_current


async def test_shop_on_a_live_platform_is_not_shown(previewed: Previewed, saved: SavedFile) -> None:
    saved.save("shop: {handle: live, platform: {kind: shopify, domain: live.myshopify.com}}")
    preview = await previewed.follow()
    assert not preview.is_current
    assert preview.findings[0].message == LIVE_SHOP
    assert previewed.loaded == []


async def test_failed_load_is_tried_again(previewed: Previewed, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: object) -> None:
        raise RuntimeError("once")

    with monkeypatch.context() as patch:
        patch.setattr(previewed_file, "_bundles", fail)
        with pytest.raises(RuntimeError):
            await previewed.follow()
    assert (await previewed.follow()).is_current


async def test_pages_get_the_state_and_each_change(previewed: Previewed, saved: SavedFile) -> None:
    await previewed.follow()
    previews = previewed.file.previews(LONG)
    first = await anext(previews)
    second = asyncio.ensure_future(anext(previews))
    saved.change("name: Breakfast", "name: Brunch")
    await previewed.follow()

    assert first is not None
    assert (await second) is previewed.file.preview
    await previewed.file.close()
    assert [preview async for preview in previews] == []


async def test_close_ends_waiting_pages(previewed: Previewed) -> None:
    previews = previewed.file.previews(LONG)
    await anext(previews)
    waiting = asyncio.ensure_future(anext(previews, None))
    await asyncio.sleep(0)
    await previewed.file.close()
    assert await waiting is None


async def test_idle_page_gets_a_sign_of_life(previewed: Previewed) -> None:
    previews = previewed.file.previews(0.001)
    assert await anext(previews) is previewed.file.preview
    assert await anext(previews) is None
    await previewed.file.close()
    assert [preview async for preview in previews] == []

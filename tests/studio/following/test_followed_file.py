"""A followed shop file: the content that is loaded from it, and the problems reported about it."""

import asyncio
import os
from pathlib import Path

import pytest

from bundlesvc.domain.shop_files.shop_file import ShopFile
from bundlesvc.studio.following.followed_file import LIVE_SHOP, FileState, FollowedFile
from tests.studio.following.conftest import SavedFile

LONG = 60.0


class Loading:
    """A followed file, and what was loaded from it."""

    def __init__(self, path: Path) -> None:
        self.loaded: list[ShopFile] = []
        self.fails = False
        self.file = FollowedFile(path, self._load)

    async def _load(self, shop_file: ShopFile) -> None:
        if self.fails:
            raise RuntimeError("once")
        self.loaded.append(shop_file)

    async def follow(self) -> FileState:
        await self.file.follow()
        return self.file.state

    @property
    def names(self) -> list[str]:
        """Return the names of the bundles that were loaded last."""
        return [bundle.name for bundle in self.loaded[-1].bundles]


@pytest.fixture
def loading(saved: SavedFile) -> Loading:
    return Loading(saved.path)


async def test_file_is_loaded_under_the_handle_of_the_preview(loading: Loading) -> None:
    state = await loading.follow()

    assert state.is_current
    assert loading.names == ["Breakfast", "Supper"]
    (loaded,) = loading.loaded
    assert (loaded.shop.handle, loaded.shop.name, loaded.shop.headless_enabled) == ("preview", "Corner Shop", True)


async def test_state_says_when_the_file_was_saved(loading: Loading, saved: SavedFile) -> None:
    os.utime(saved.path, (1_700_000_000, 1_700_000_000))
    assert (await loading.follow()).saved_at == 1_700_000_000
    saved.path.unlink()
    assert (await loading.follow()).saved_at is None


async def test_findings_of_the_linter_have_their_lines(loading: Loading) -> None:
    (found,) = (await loading.follow()).findings
    finding = found.finding
    assert (finding.path, finding.severity, found.line) == ("bundles.2.limitRules.0", "warning", 25)


async def test_file_that_has_not_changed_is_not_read_again(loading: Loading) -> None:
    first = await loading.follow()
    assert await loading.follow() is first
    assert len(loading.loaded) == 1


async def test_saved_change_is_loaded(loading: Loading, saved: SavedFile) -> None:
    before = await loading.follow()
    saved.change("name: Breakfast", "name: Brunch")
    after = await loading.follow()
    assert loading.names == ["Brunch", "Supper"]
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
    loading: Loading, saved: SavedFile, before: str, after: str, lines: list[int]
) -> None:
    await loading.follow()
    saved.change(before, after)

    faulty = await loading.follow()

    assert not faulty.is_current
    assert {found.finding.severity for found in faulty.findings} == {"error"}
    assert [found.line for found in faulty.findings] == lines
    assert len(loading.loaded) == 1


async def test_file_that_is_gone_comes_back(loading: Loading, saved: SavedFile) -> None:
    await loading.follow()
    saved.path.unlink()
    gone = await loading.follow()
    assert not gone.is_current
    assert [found.finding.message for found in gone.findings] == ["The file cannot be read: No such file or directory."]
    saved.change("name: Breakfast", "name: Brunch")
    assert (await loading.follow()).is_current


async def test_shop_on_a_live_platform_is_not_shown(loading: Loading, saved: SavedFile) -> None:
    saved.save("shop: {handle: live, platform: {kind: shopify, domain: live.myshopify.com}}")
    state = await loading.follow()
    assert not state.is_current
    assert state.findings[0].finding.message == LIVE_SHOP
    assert loading.loaded == []


async def test_failed_load_is_tried_again(loading: Loading) -> None:
    loading.fails = True
    with pytest.raises(RuntimeError):
        await loading.follow()
    loading.fails = False
    assert (await loading.follow()).is_current


async def test_pages_get_the_state_and_each_change(loading: Loading, saved: SavedFile) -> None:
    await loading.follow()
    states = loading.file.states(LONG)
    first = await anext(states)
    second = asyncio.ensure_future(anext(states))
    saved.change("name: Breakfast", "name: Brunch")
    await loading.follow()

    assert first is not None
    assert (await second) is loading.file.state
    await loading.file.close()
    assert [state async for state in states] == []


async def test_close_ends_waiting_pages(loading: Loading) -> None:
    states = loading.file.states(LONG)
    await anext(states)
    waiting = asyncio.ensure_future(anext(states, None))
    await asyncio.sleep(0)
    await loading.file.close()
    assert await waiting is None


async def test_idle_page_gets_a_sign_of_life(loading: Loading) -> None:
    states = loading.file.states(0.001)
    assert await anext(states) is loading.file.state
    assert await anext(states) is None
    await loading.file.close()
    assert [state async for state in states] == []

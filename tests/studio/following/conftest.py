"""Fixtures: a shop file that is being previewed."""

from pathlib import Path

import pytest

SHOP = Path(__file__).with_name("shop.yaml").read_text("utf-8")


class SavedFile:
    """A shop file that an editor saves repeatedly."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.save(SHOP)

    def save(self, text: str) -> None:
        """Save new content as editors do: a new file replaces the old one."""
        new = self.path.with_suffix(".new")
        new.write_text(text, "utf-8")
        new.replace(self.path)

    def change(self, before: str, after: str) -> None:
        """Replace a string that occurs exactly once in the file, and save the file."""
        assert SHOP.count(before) == 1, before
        self.save(SHOP.replace(before, after))


@pytest.fixture
def saved(tmp_path: Path) -> SavedFile:
    return SavedFile(tmp_path / "shop.yaml")

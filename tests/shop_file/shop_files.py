"""Shop files to load: complete files, and files in which one part is broken."""

from pathlib import Path
from typing import NamedTuple

import pytest

from bundlesvc.domain.shop_files.shop_file import ShopFile
from bundlesvc.shop_file.loading import FileFault, ShopFileInvalid, parse_shop_file

HERE = Path(__file__).parent
SAMPLE = (HERE / "sample.yaml").read_text("utf-8")
"""A small shop file with an example of every feature."""
FULL = (HERE / "full.yaml").read_text("utf-8")
SHOP_YAML = Path("shop.yaml")
SHOP_JSON = Path("shop.json")

MARK = "¦"
"""Marks the expected position of the fault in the text of a `Broken`."""


class Broken(NamedTuple):
    """The full file with `old` replaced by `new`, and the expected fault. The fault is on the line of MARK in `new`, or on the
    line of `old` if `new` has no MARK."""

    old: str
    new: str
    path: str
    message: str

    @property
    def text(self) -> str:
        assert FULL.count(self.old) == 1, f"{self.old!r} is not unique"
        return FULL.replace(self.old, self.new.replace(MARK, ""))

    @property
    def line(self) -> int:
        before, mark, _ = self.new.partition(MARK)
        return FULL.count("\n", 0, FULL.index(self.old)) + (before.count("\n") if mark else 0) + 1


def load(text: str, path: Path = SHOP_YAML) -> ShopFile:
    return parse_shop_file(text.encode(), path)


def faults(data: str | bytes, path: Path = SHOP_YAML) -> tuple[FileFault, ...]:
    """Return the faults for which a file is refused. Fails when the file loads."""
    with pytest.raises(ShopFileInvalid) as refused:
        parse_shop_file(data.encode() if isinstance(data, str) else data, path)
    return refused.value.faults


def assert_broken(broken: Broken) -> None:
    """Check that a broken shop file has exactly the expected fault, on the expected line."""
    found = faults(broken.text)
    assert [(fault.path, fault.line) for fault in found] == [(broken.path, broken.line)], found
    assert broken.message in found[0].message

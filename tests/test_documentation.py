"""All links and file names in the documentation, and all references to sections of the contract, point to existing targets."""

import re
import subprocess
from functools import cache
from pathlib import Path

import pytest

pytestmark = pytest.mark.process

ROOT = Path(__file__).parents[1]
_LINK = re.compile(r"\]\(([^)\s]+)\)")
_FENCE = re.compile(r"^```.*?^```", re.MULTILINE | re.DOTALL)
_FENCE_LINE = re.compile(r" *```[a-z]*")
_ANCHOR = re.compile(r'<a id="([^"]+)"></a>')
_HEADING = re.compile(r"^#+ (.+)$", re.MULTILINE)
_PATH = re.compile(r"""[`"]([\w.-]*/[\w./-]*|[\w-]+\.\w{2,4})(?=[`"\s#])""")
"""A path in backticks, or in a label of a diagram: it contains a slash, or is a file's name."""

_CONTRACT = re.compile(r"contract\.md#([a-z-]+)")


def _tracked(*patterns: str) -> list[Path]:
    command = ["git", "ls-files", "--cached", "--others", "--exclude-standard", *patterns]
    listed = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True).stdout
    return [path for name in listed.splitlines() if (path := ROOT / name).is_file()]


@cache
def _anchors(page: Path) -> frozenset[str]:
    """Return the anchors of a page: explicit ones, and those that viewers generate from headings."""
    text = _FENCE.sub("", page.read_text("utf-8"))
    headings = [
        re.sub(r"[^\w\- ]", "", heading).strip().lower().replace(" ", "-") for heading in _HEADING.findall(text)
    ]
    return frozenset([*_ANCHOR.findall(text), *headings])


def _links(page: Path) -> list[str]:
    return [link for link in _LINK.findall(_FENCE.sub("", page.read_text("utf-8"))) if "://" not in link]


@pytest.mark.parametrize("page", _tracked("*.md"), ids=lambda page: str(page.relative_to(ROOT)))
def test_links_of_a_page_lead_somewhere(page: Path) -> None:
    for link in _links(page):
        name, _, anchor = link.partition("#")
        target = (page.parent / name).resolve() if name else page
        assert target.exists(), link
        assert not anchor or anchor in _anchors(target), link


@pytest.mark.parametrize("page", _tracked("*.md"), ids=lambda page: str(page.relative_to(ROOT)))
def test_fences_of_code_samples_are_lines_of_their_own(page: Path) -> None:
    """Each fence of a code sample is on a line of its own, which may be indented, as in a list. Wrapping a paragraph could have
    joined these lines to others."""
    fences = [line for line in page.read_text("utf-8").splitlines() if "```" in line]
    assert [line for line in fences if not _FENCE_LINE.fullmatch(line)] == []
    assert len(fences) % 2 == 0


def test_references_to_the_contract_name_a_section() -> None:
    contract = _anchors(ROOT / "docs" / "contract.md")
    references = [
        (path.relative_to(ROOT), anchor)
        for path in _tracked("*.py", "*.js", "*.ts", "*.mjs", "*.graphql", "*.yaml")
        for anchor in _CONTRACT.findall(path.read_text("utf-8"))
    ]
    assert [reference for reference in references if reference[1] not in contract] == []


@pytest.mark.parametrize("page", ["CONTRIBUTING.md", "docs/architecture.md"])
def test_files_named_for_contributors_exist(page: str) -> None:
    """Files named in the pages for contributors exist. Paths are relative to the package or to the root of the repository."""
    named = _PATH.findall((ROOT / page).read_text("utf-8"))
    assert len(named) > 30
    assert [path for path in named if not any((base / path).exists() for base in (ROOT / "bundlesvc", ROOT))] == []

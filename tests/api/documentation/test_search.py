"""Searching the guides."""

import pytest

from bundlesvc.api.documentation.search import MAX_RESULTS, find
from tests.api.conftest import Api
from tests.api.documentation.test_pages import Addresses, page


def test_section_with_the_words_in_its_heading_comes_first() -> None:
    assert find(["limit", "rules"])[0].heading.lower() == "limit rules"


def test_every_word_must_be_there() -> None:
    found = find(["idempotency", "byte"])
    assert found
    assert all("idempotency" in f"{each.heading} {each.text}".lower() for each in found)
    assert find(["idempotency", "no-such-word"]) == []


async def test_results_lead_to_sections_that_exist(shared_api: Api) -> None:
    links = Addresses(await page(shared_api, "/docs/search?q=rate+limit")).links
    results = [link for link in links if "#" in link]
    assert results
    for address in results:
        path, _, anchor = address.partition("#")
        assert anchor in Addresses(await page(shared_api, path)).ids, address


async def test_page_shows_a_limited_number_of_results(shared_api: Api) -> None:
    text = await page(shared_api, "/docs/search?q=the")
    assert text.count("<li>") == MAX_RESULTS
    assert f"the first {MAX_RESULTS}" in text


@pytest.mark.parametrize(
    ("query", "sentence"),
    [
        ("", "Write one or more words"),
        ("%20", "Write one or more words"),
        ("no-such-word", "No guide contains “no-such-word”"),
        ("%3Cscript%3Ealert(1)%3C/script%3E", "“&lt;script&gt;alert(1)&lt;/script&gt;”"),
        ("%00" + "x" * 5000, "No guide contains"),
    ],
)
async def test_page_without_results_says_what_to_do(query: str, sentence: str, shared_api: Api) -> None:
    assert sentence in await page(shared_api, f"/docs/search?q={query}")

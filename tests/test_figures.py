"""Figures in the guides: every sentence that states one of the quantities in `FIGURES` states the value used in the code."""

import re
from collections.abc import Callable, Collection, Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import pytest

from bundlesvc import __version__
from bundlesvc.api import cors, overload, webhooks
from bundlesvc.api.bodies import limits as body_limits
from bundlesvc.api.response_cache import cache as response_cache
from bundlesvc.api.server import runner
from bundlesvc.caching import entries, freshness
from bundlesvc.domain import idempotency, personalisation, selection, shopper
from bundlesvc.domain.access import key
from bundlesvc.domain.checkout import discount_promise
from bundlesvc.services.access import authentication
from bundlesvc.services.diagnosis import database as database_checks
from bundlesvc.services.ghosts import upkeep as ghost_upkeep
from bundlesvc.services.ghosts import variants as ghost_variants
from bundlesvc.serving import background
from bundlesvc.settings.environment import Settings
from bundlesvc.storage.catalogue import shop_deletion
from bundlesvc.storage.live_platforms import change_log
from bundlesvc.storage.migrations.schema import HEAD
from bundlesvc.storage.shoppers import shopper_requests

ROOT = Path(__file__).parents[1]
PAGES = sorted([*(ROOT / "docs").glob("*.md"), ROOT / "README.md", ROOT / "SECURITY.md"])

_WORDS = ("a", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten")
_NUMBER = rf"\d[\d,]*(?:\.\d+)?|{'|'.join(_WORDS)}|an|one|fifteen|twenty|thirty|sixty"
_LARGER_WORDS = {"an": 1, "one": 1, "fifteen": 15, "twenty": 20, "thirty": 30, "sixty": 60}
_SECONDS = {"second": 1, "minute": 60, "hour": 3600, "day": 86_400, "week": 604_800}
_BYTES = {"bytes": 1, "kB": 1000, "KiB": 1024, "MB": 1000**2, "MiB": 1024**2}
_DURATION = re.compile(rf"\b({_NUMBER}) ({'|'.join(_SECONDS)})s?\b")
_RATE = re.compile(rf"\b({_NUMBER}) (?:requests )?a minute\b")
_SIZE = re.compile(rf"\b({_NUMBER}) ({'|'.join(_BYTES)})\b")

Measure = Callable[[str], Iterator[float]]
"""A function that finds the values of one dimension in a sentence."""


def _number(text: str) -> float:
    if text in _WORDS:
        return _WORDS.index(text) + 1
    return _LARGER_WORDS.get(text) or float(text.replace(",", ""))


def durations(sentence: str) -> Iterator[float]:
    """Find the durations in a sentence, in seconds, except those that belong to a rate ("100 a minute")."""
    for number, unit in _DURATION.findall(_RATE.sub("", sentence)):
        yield _number(number) * _SECONDS[unit]


def rates(sentence: str) -> Iterator[float]:
    """Find the rates per minute in a sentence."""
    return map(_number, _RATE.findall(sentence))


def sizes(sentence: str) -> Iterator[float]:
    """Find the sizes in a sentence, in bytes."""
    for number, unit in _SIZE.findall(sentence):
        yield _number(number) * _BYTES[unit]


def counted(noun: str) -> Measure:
    """Return a measure that finds the numbers before a noun, as in "200 units"."""
    pattern = re.compile(rf"\b({_NUMBER}) {noun}\b")
    return lambda sentence: map(_number, pattern.findall(sentence))


@dataclass(frozen=True)
class Figure:
    """A quantity stated in the documentation. `about` is a pattern for the sentences that state it; in these sentences, `measure`
    must find only `values`."""

    name: str
    about: str
    measure: Measure
    values: Collection[float]


FIGURES = [
    Figure(
        "age of a discount string",
        r"discount strings?\b|[Nn]ative bundle's|maxAgeDays",
        counted("days"),
        {discount_promise.MAX_AGE_DAYS},
    ),
    Figure(
        "lifetime of a stored response",
        r"[Ii]dempoten|[Ss]tored responses?",
        durations,
        {idempotency.RESPONSE_SECONDS},
    ),
    Figure(
        "guesses from one address",
        r"[Uu]nknown keys|wrong unique ids?",
        rates,
        {authentication.GUESSES_PER_MINUTE},
    ),
    Figure("limit of a key", r"[Aa] key allows", rates, {key.DEFAULT_RATE_LIMIT}),
    Figure("limits of a key for pages", r"--page|page key", rates, {key.PAGE_RATE_LIMIT, key.PAGE_VISITOR_LIMIT}),
    Figure("body of a selection", r"^\| `price`, `configure`", sizes, {body_limits.SELECTION_BYTES}),
    Figure("body of POST /content", r"POST /content", sizes, {body_limits.CONTENT_BYTES}),
    Figure("body of POST /notify", r"POST /notify", sizes, {body_limits.NOTIFY_BYTES}),
    Figure("body of a webhook", r"[Ww]ebhooks?\b", sizes, {webhooks.MAX_WEBHOOK_BYTES}),
    Figure("answers of a selection", r"\banswers\b(?!, how)", sizes, {personalisation.MAX_ANSWERS_BYTES}),
    Figure("items of a selection", r"[Ss]elections?\b", counted("(?:items|units)"), {selection.MAX_ITEMS}),
    Figure("age of stale data", r"still served for|[Dd]ata older than", durations, {freshness.STALE_SECONDS}),
    Figure(
        "age of data while the platform fails", r"old data is served|older, up to", durations, {entries.DAY_SECONDS}
    ),
    Figure(
        "time after which an unused response leaves",
        r"nobody request",
        durations,
        {response_cache.IDLE_PERIODS * background.IDLE_CACHE_SECONDS},
    ),
    Figure("end of a stopping process", r"of the signal", durations, {runner.STOP_SECONDS}),
    Figure("free space that doctor wants", r"disk with less than", sizes, {database_checks.FEW_BYTES}),
    Figure("time in which a replay is recognised", r"acknowledged with 200", durations, {change_log.DELIVERIES_KEPT}),
    Figure("list of completed exports", r"exports, ", durations, {shopper_requests.COMPLETED_KEPT}),
    Figure("time to answer a request for data", r"due date|day when it is due", durations, {shopper.TIME_TO_ANSWER}),
    Figure(
        "deletion after an uninstallation",
        r"later the service deletes the shop",
        durations,
        {shopper.GRACE, 2 * 86_400},
    ),
    Figure(
        "servers that follow a change",
        r"(?:servers|processes) (?:follow|apply)",
        durations,
        {shop_deletion.NOTICE_SECONDS},
    ),
    Figure("preflights", r"[Pp]reflight is valid", durations, {cors.MAX_AGE}),
    Figure("time of the last use of a key", r"last used? \(", durations, {key.TOUCH_INTERVAL}),
    Figure("size of the database", r"bundlesvc_database_bytes", durations, {background.SIZES_SECONDS}),
    Figure("upkeep of ghost variants", r"each process claims", durations, {background.GHOST_SECONDS, 86_400}),
    Figure(
        "ghost variants of one pass", r"each process claims", counted("ghost variants"), {ghost_upkeep.GHOSTS_A_PASS}
    ),
    Figure(
        "ghost variants of a product",
        r"product has|[Gg]host variant whose",
        counted("(?:ghost )?variants(?= on|, the next)"),
        {ghost_variants.GHOSTS_PER_PRODUCT},
    ),
    Figure(
        "variants of a product",
        r"may have",
        counted("variants(?= that a product may)"),
        {ghost_variants.VARIANTS_PER_PRODUCT},
    ),
    Figure("pause after an overload", r"503 `overloaded`", counted("seconds"), {overload.MAX_RETRY_AFTER}),
]
"""In a sentence about one of these quantities, every figure of that dimension must be a value of the quantity."""

_FENCE = re.compile(r"^```.*?^```", re.MULTILINE | re.DOTALL)
_ITEM = re.compile(r"\n(?=\s*(?:[-*#|]|\d+\. ))")
_END = re.compile(r"(?<=[.:;!?]) ")


@cache
def _sentences(page: Path) -> list[str]:
    """Return the sentences of a page, without its code examples. A table row counts as one sentence."""
    parts = (part for block in _FENCE.sub("", page.read_text("utf-8")).split("\n\n") for part in _ITEM.split(block))
    lines = (" ".join(part.split()) for part in parts)
    return [text for line in lines for text in ([line] if line.startswith("|") else _END.split(line))]


def _contradictions(figure: Figure, sentences: Collection[str]) -> list[str]:
    about = [sentence for sentence in sentences if re.search(figure.about, sentence)]
    return [sentence for sentence in about if set(figure.measure(sentence)) - set(figure.values)]


@pytest.mark.parametrize("figure", FIGURES, ids=lambda figure: figure.name)
def test_every_page_gives_the_same_figure(figure: Figure) -> None:
    pages = [(page, _sentences(page)) for page in PAGES]
    stated = [sentence for _, sentences in pages for sentence in sentences if re.search(figure.about, sentence)]
    assert any(list(figure.measure(sentence)) for sentence in stated), "no page gives it: remove the row"
    found = [f"{page.name}: {sentence}" for page, all_ in pages for sentence in _contradictions(figure, all_)]
    assert found == [], f"it is {sorted(figure.values)}"


@pytest.mark.parametrize(
    ("name", "sentence"),
    [
        ("age of a discount string", "A discount string is valid for 31 days."),
        ("lifetime of a stored response", "A stored response is deleted after two days."),
        ("guesses from one address", "Unknown keys: 60 a minute for each address."),
        ("body of a webhook", "A webhook may have 8 MB."),
        ("items of a selection", "A selection has up to 100 units."),
    ],
)
def test_another_figure_is_a_contradiction(name: str, sentence: str) -> None:
    figure = next(figure for figure in FIGURES if figure.name == name)
    assert _contradictions(figure, [sentence]) == [sentence]


_VARIABLES = {f"BUNDLESVC_{name.upper()}": default for name, default in vars(Settings()).items()} | {
    "PORT": Settings().port,
    "WEB_CONCURRENCY": Settings().workers,
}
_ROW = re.compile(r"^\| `([A-Z_]+)` \| (\d[\d,]*) \|")
_AFTER = re.compile(rf"`([A-Z_]+)`(?: seconds)? \(({_NUMBER})(?: s)?\)")
_BEFORE = re.compile(r"(\d[\d,]*)(?: [\w']+){1,5} \(`([A-Z_]+)`")


def _stated_defaults(page: Path) -> Iterator[tuple[str, float]]:
    """Find the settings for which a page states a default, in a table or in brackets. Yields the name and default of each."""
    for sentence in _sentences(page):
        yield from ((name, _number(default)) for name, default in _ROW.findall(sentence) + _AFTER.findall(sentence))
        yield from ((name, _number(default)) for default, name in _BEFORE.findall(sentence))


def test_every_page_gives_the_same_defaults() -> None:
    stated = [(page.name, name, default) for page in PAGES for name, default in _stated_defaults(page)]
    assert [(page, name, default) for page, name, default in stated if _VARIABLES[name] != default] == []
    assert len({page for page, *_ in stated}) > 1, "only one page gives defaults"
    numbers = {name for name, default in _VARIABLES.items() if type(default) in (int, float)}
    assert numbers - {name for page, name, _ in stated if page == "settings.md"} == _NOT_IN_THE_ENVIRONMENT


_NOT_IN_THE_ENVIRONMENT = {"BUNDLESVC_PORT", "BUNDLESVC_WORKERS"}
"""Settings whose environment variables have other names, because hosting platforms set these variables."""


def test_upgrades_name_the_version_of_the_tables() -> None:
    page = (ROOT / "docs" / "running.md").read_text("utf-8")
    stated = re.findall(rf"\| {re.escape(__version__)} \| (\d+) \||\(schema (\d+),", page)
    assert stated == [("", HEAD), (HEAD, "")]

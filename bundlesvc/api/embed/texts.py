"""The web component's own words, by language: the same keys in each, English where one is missing."""

from collections.abc import Mapping
from functools import cache
from importlib.resources import files

import orjson

from bundlesvc.domain.translation import choose_language

FALLBACK = "en"


@cache
def texts_by_language() -> Mapping[str, Mapping[str, str]]:
    """Every language that the component speaks."""
    folder = files("bundlesvc") / "storefront" / "texts"
    read = {file.name.removesuffix(".json"): orjson.loads(file.read_bytes()) for file in folder.iterdir()}
    return {language: {**read[FALLBACK], **words} for language, words in read.items()}


def texts_in(locale: str) -> Mapping[str, str]:
    """The words in this language, else in English."""
    by_language = texts_by_language()
    return by_language[choose_language([locale], list(by_language), FALLBACK)]

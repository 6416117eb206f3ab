"""Labels of cadences: the right words and plural form in each language."""

import re

import pytest

from bundlesvc.domain.bundle import SUBSCRIPTION_UNITS
from bundlesvc.domain.texts.cadence import CADENCE_LANGUAGES, cadence_label

LABELS = [
    ("en", 1, "day", "Every day"),
    ("en", 1, "month", "Every month"),
    ("en", 5, "week", "Every 5 weeks"),
    ("en", 10, "year", "Every 10 years"),
    ("de", 1, "week", "Jede Woche"),
    ("de", 5, "week", "Alle 5 Wochen"),
    ("fr", 2, "month", "Tous les 2 mois"),
    ("cs", 4, "week", "Každé 4 týdny"),
    ("cs", 22, "week", "Každých 22 týdnů"),
    ("sk", 5, "year", "Každých 5 rokov"),
    ("pl", 2, "week", "Co 2 tygodnie"),
    ("pl", 5, "week", "Co 5 tygodni"),
    ("pl", 12, "month", "Co 12 miesięcy"),
    ("pl", 22, "month", "Co 22 miesiące"),
    ("pl", 112, "year", "Co 112 lat"),
    ("ru", 2, "year", "Каждые 2 года"),
    ("ru", 5, "year", "Каждые 5 лет"),
    ("ru", 11, "day", "Каждые 11 дней"),
    ("ru", 21, "week", "Каждую 21 неделю"),
    ("ru", 111, "week", "Каждые 111 недель"),
    ("uk", 1, "week", "Щотижня"),
    ("uk", 24, "week", "Кожні 24 тижні"),
    ("ro", 19, "day", "La fiecare 19 zile"),
    ("ro", 20, "day", "La fiecare 20 de zile"),
    ("ro", 100, "day", "La fiecare 100 de zile"),
    ("ro", 119, "day", "La fiecare 119 zile"),
    ("sv", 2, "week", "Med 2 veckors mellanrum"),
    ("ja", 5, "week", "5週間ごと"),
    ("zh", 5, "week", "每5周"),
    ("zh-TW", 5, "week", "每5週"),
]


@pytest.mark.parametrize(("language", "frequency", "unit", "label"), LABELS)
def test_label_has_the_plural_form_of_its_language(language: str, frequency: int, unit: str, label: str) -> None:
    assert cadence_label(frequency, unit, language) == label


@pytest.mark.parametrize(
    ("language", "label"), [("de-CH", "Alle 5 Wochen"), ("DE", "Alle 5 Wochen"), ("tlh", "Every 5 weeks")]
)
def test_label_is_in_the_language_of_the_tag_or_else_in_english(language: str, label: str) -> None:
    assert cadence_label(5, "week", language) == label


@pytest.mark.parametrize("language", CADENCE_LANGUAGES)
@pytest.mark.parametrize("unit", SUBSCRIPTION_UNITS)
def test_every_number_has_a_label_that_names_it(unit: str, language: str) -> None:
    assert not re.search(r"[\d{}]", cadence_label(1, unit, language))
    for frequency in range(2, 400):
        assert re.findall(r"\d+", cadence_label(frequency, unit, language)) == [str(frequency)]

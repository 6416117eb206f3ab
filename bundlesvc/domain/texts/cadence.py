"""Labels for delivery intervals, in the shopper's language (docs/contract.md#selling-plans)."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from bundlesvc.domain.texts.translation import choose_language

FALLBACK = "en"
"""The language of labels that are missing in the requested language."""

_Labels = tuple[str, ...]
"""The labels of a unit: the singular, then the language's plural forms in the order of their indexes."""


@dataclass(frozen=True, slots=True)
class _Language:
    day: _Labels
    week: _Labels
    month: _Labels
    year: _Labels
    plural: Callable[[int], int] = lambda _: 0
    """Returns the index of the plural form for a number above one (Unicode CLDR, plural rules)."""


def _east_slavic(count: int) -> int:
    """Return the index of the plural form: 0 for 1, 21, 31 and so on; 1 for 2 to 4, 22 to 24 and so on; 2 for all others."""
    if count % 10 == 1 and count % 100 != 11:
        return 0
    return 1 if 2 <= count % 10 <= 4 and not 12 <= count % 100 <= 14 else 2


def _polish(count: int) -> int:
    """Return the index of the plural form: 0 for 2 to 4, 22 to 24 and so on; 1 for all others."""
    return 0 if 2 <= count % 10 <= 4 and not 12 <= count % 100 <= 14 else 1


def _czech(count: int) -> int:
    """Return the index of the plural form: 0 for 2 to 4; 1 for all others."""
    return 0 if 2 <= count <= 4 else 1


def _romanian(count: int) -> int:
    """Return the index of the plural form: 0 for 2 to 19, 101 to 119 and so on; 1 for all others."""
    return 0 if 1 <= count % 100 <= 19 else 1


_CHINESE = _Language(("每天", "每{}天"), ("每周", "每{}周"), ("每月", "每{}个月"), ("每年", "每{}年"))
_TRADITIONAL_CHINESE = _Language(("每天", "每{}天"), ("每週", "每{}週"), ("每月", "每{}個月"), ("每年", "每{}年"))
_NORWEGIAN = _Language(
    ("Hver dag", "Hver {}. dag"),
    ("Hver uke", "Hver {}. uke"),
    ("Hver måned", "Hver {}. måned"),
    ("Hvert år", "Hvert {}. år"),
)

_LANGUAGES: Mapping[str, _Language] = {
    "cs": _Language(
        ("Každý den", "Každé {} dny", "Každých {} dní"),
        ("Každý týden", "Každé {} týdny", "Každých {} týdnů"),
        ("Každý měsíc", "Každé {} měsíce", "Každých {} měsíců"),
        ("Každý rok", "Každé {} roky", "Každých {} let"),
        _czech,
    ),
    "da": _Language(
        ("Hver dag", "Hver {}. dag"),
        ("Hver uge", "Hver {}. uge"),
        ("Hver måned", "Hver {}. måned"),
        ("Hvert år", "Hvert {}. år"),
    ),
    "de": _Language(
        ("Jeden Tag", "Alle {} Tage"),
        ("Jede Woche", "Alle {} Wochen"),
        ("Jeden Monat", "Alle {} Monate"),
        ("Jedes Jahr", "Alle {} Jahre"),
    ),
    "en": _Language(
        ("Every day", "Every {} days"),
        ("Every week", "Every {} weeks"),
        ("Every month", "Every {} months"),
        ("Every year", "Every {} years"),
    ),
    "es": _Language(
        ("Cada día", "Cada {} días"),
        ("Cada semana", "Cada {} semanas"),
        ("Cada mes", "Cada {} meses"),
        ("Cada año", "Cada {} años"),
    ),
    "fi": _Language(
        ("Joka päivä", "{} päivän välein"),
        ("Joka viikko", "{} viikon välein"),
        ("Joka kuukausi", "{} kuukauden välein"),
        ("Joka vuosi", "{} vuoden välein"),
    ),
    "fr": _Language(
        ("Tous les jours", "Tous les {} jours"),
        ("Toutes les semaines", "Toutes les {} semaines"),
        ("Tous les mois", "Tous les {} mois"),
        ("Tous les ans", "Tous les {} ans"),
    ),
    "hu": _Language(
        ("Naponta", "{} naponta"),
        ("Hetente", "{} hetente"),
        ("Havonta", "{} havonta"),
        ("Évente", "{} évente"),
    ),
    "it": _Language(
        ("Ogni giorno", "Ogni {} giorni"),
        ("Ogni settimana", "Ogni {} settimane"),
        ("Ogni mese", "Ogni {} mesi"),
        ("Ogni anno", "Ogni {} anni"),
    ),
    "ja": _Language(("毎日", "{}日ごと"), ("毎週", "{}週間ごと"), ("毎月", "{}か月ごと"), ("毎年", "{}年ごと")),
    "ko": _Language(("매일", "{}일마다"), ("매주", "{}주마다"), ("매월", "{}개월마다"), ("매년", "{}년마다")),
    "nb": _NORWEGIAN,
    "nl": _Language(
        ("Elke dag", "Elke {} dagen"),
        ("Elke week", "Elke {} weken"),
        ("Elke maand", "Elke {} maanden"),
        ("Elk jaar", "Elke {} jaar"),
    ),
    "no": _NORWEGIAN,
    "pl": _Language(
        ("Codziennie", "Co {} dni", "Co {} dni"),
        ("Co tydzień", "Co {} tygodnie", "Co {} tygodni"),
        ("Co miesiąc", "Co {} miesiące", "Co {} miesięcy"),
        ("Co rok", "Co {} lata", "Co {} lat"),
        _polish,
    ),
    "pt": _Language(
        ("Todos os dias", "A cada {} dias"),
        ("Todas as semanas", "A cada {} semanas"),
        ("Todos os meses", "A cada {} meses"),
        ("Todos os anos", "A cada {} anos"),
    ),
    "ro": _Language(
        ("În fiecare zi", "La fiecare {} zile", "La fiecare {} de zile"),
        ("În fiecare săptămână", "La fiecare {} săptămâni", "La fiecare {} de săptămâni"),
        ("În fiecare lună", "La fiecare {} luni", "La fiecare {} de luni"),
        ("În fiecare an", "La fiecare {} ani", "La fiecare {} de ani"),
        _romanian,
    ),
    "ru": _Language(
        ("Каждый день", "Каждый {} день", "Каждые {} дня", "Каждые {} дней"),
        ("Каждую неделю", "Каждую {} неделю", "Каждые {} недели", "Каждые {} недель"),
        ("Каждый месяц", "Каждый {} месяц", "Каждые {} месяца", "Каждые {} месяцев"),
        ("Каждый год", "Каждый {} год", "Каждые {} года", "Каждые {} лет"),
        _east_slavic,
    ),
    "sk": _Language(
        ("Každý deň", "Každé {} dni", "Každých {} dní"),
        ("Každý týždeň", "Každé {} týždne", "Každých {} týždňov"),
        ("Každý mesiac", "Každé {} mesiace", "Každých {} mesiacov"),
        ("Každý rok", "Každé {} roky", "Každých {} rokov"),
        _czech,
    ),
    "sv": _Language(
        ("Varje dag", "Med {} dagars mellanrum"),
        ("Varje vecka", "Med {} veckors mellanrum"),
        ("Varje månad", "Med {} månaders mellanrum"),
        ("Varje år", "Med {} års mellanrum"),
    ),
    "tr": _Language(
        ("Her gün", "{} günde bir"),
        ("Her hafta", "{} haftada bir"),
        ("Her ay", "{} ayda bir"),
        ("Her yıl", "{} yılda bir"),
    ),
    "uk": _Language(
        ("Щодня", "Кожен {} день", "Кожні {} дні", "Кожні {} днів"),
        ("Щотижня", "Кожен {} тиждень", "Кожні {} тижні", "Кожні {} тижнів"),
        ("Щомісяця", "Кожен {} місяць", "Кожні {} місяці", "Кожні {} місяців"),
        ("Щороку", "Кожен {} рік", "Кожні {} роки", "Кожні {} років"),
        _east_slavic,
    ),
    "zh": _CHINESE,
    "zh-Hant": _TRADITIONAL_CHINESE,
    "zh-HK": _TRADITIONAL_CHINESE,
    "zh-TW": _TRADITIONAL_CHINESE,
}

CADENCE_LANGUAGES = tuple(_LANGUAGES)


def cadence_label(frequency: int, unit: str, language: str) -> str:
    """Return the label of a delivery interval in a language, such as "Every month" or "Alle 2 Wochen". Falls back to English when
    there are no labels in that language."""
    words = _LANGUAGES[choose_language([language], CADENCE_LANGUAGES, FALLBACK)]
    each, *several = getattr(words, unit)
    return str(each if frequency == 1 else several[words.plural(frequency)].format(frequency))

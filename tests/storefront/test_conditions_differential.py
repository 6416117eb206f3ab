"""Python and JavaScript come to the same, whatever the graph and the selection (design 10)."""

from hypothesis import given
from hypothesis import strategies as st

from tests.domain.condition_cases import Json, comparable, evaluate
from tests.properties import examples
from tests.storefront.graphs import GRAMS, PRICES, SECTIONS, VARIANTS, graphs
from tests.storefront.node import RunScript

ANSWERS = st.sampled_from([{}, {"name": ""}, {"name": "Mira"}, {"gift": True}])


@st.composite
def selections(draw: st.DrawFn) -> list[Json]:
    """Lines of variants in sections, 0 among these, some personalised; each once."""
    places = draw(st.lists(st.tuples(VARIANTS, st.just(0) | SECTIONS, ANSWERS), max_size=6, unique_by=str))
    return [
        {
            "variant": variant,
            "product": variant[0],
            "section": section,
            "count": draw(st.integers(1, 4)),
            "price": PRICES[variant],
            "grams": GRAMS[variant],
            "personalisation": answers,
        }
        for variant, section, answers in places
    ]


CASES = st.fixed_dictionaries(
    {
        "nodes": graphs(),
        "lines": selections(),
        "facts": st.fixed_dictionaries(
            {
                "weightUnit": st.sampled_from(["g", "kg", "oz", "lb"]),
                "country": st.sampled_from([None, "DE", "AT"]),
                "subscribed": st.booleans(),
            }
        ),
    }
)


@examples(300)
@given(case=CASES)
def test_both_come_to_the_same(run_script: RunScript, case: Json) -> None:
    evaluated = run_script("evaluate-lines.mjs", case)
    assert comparable(evaluated) == evaluate(**case)

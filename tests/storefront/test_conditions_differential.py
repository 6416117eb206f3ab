"""Python and JavaScript agree on random condition graphs and selections (docs/contract.md#conditions)."""

from hypothesis import given
from hypothesis import strategies as st

from bundlesvc.domain.conditions.action_types import ACTION_TYPES
from bundlesvc.domain.conditions.condition_types import CONDITION_TYPES
from tests.domain.condition_cases import Json, comparable, evaluate
from tests.running.properties import examples
from tests.storefront.graphs import ACTIONS, CONDITIONS, GRAMS, PRICES, SECTIONS, VARIANTS, graphs
from tests.storefront.node import RunScript

ANSWERS = st.sampled_from([{}, {"name": ""}, {"name": "Mira"}, {"gift": True}])


@st.composite
def selections(draw: st.DrawFn) -> list[Json]:
    """Draw distinct lines, each with a variant and a section, which may be 0. Some lines are personalised."""
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


def test_random_graphs_have_every_type() -> None:
    assert set(CONDITIONS) == set(CONDITION_TYPES)
    assert set(ACTIONS) == set(ACTION_TYPES)


@examples(300)
@given(case=CASES)
def test_python_and_javascript_agree(run_script: RunScript, case: Json) -> None:
    evaluated = run_script("evaluate-lines.mjs", case)
    assert comparable(evaluated) == evaluate(**case)

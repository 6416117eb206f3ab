"""Random condition graphs over a small catalogue: the products 1 to 3 with the variants 11, 12, 21 and 31."""

from typing import Any

from hypothesis import strategies as st

from tests.domain.condition_cases import Json

PRICES = {"11": "0.10", "12": "9.99", "21": "10.00", "31": "19.99"}
GRAMS = {"11": 1, "12": 454, "21": 500, "31": 1340}
"""The weights of the variants, in grams."""
VARIANTS = st.sampled_from(sorted(PRICES))
PRODUCTS = st.sampled_from(["1", "2", "3"])
SECTIONS = st.sampled_from([1, 2, 10])
COUNTS = st.sampled_from(["0", "0.9", "1", "2", "2.00", "2.5", "3", "4", "6", "9"])
AMOUNTS = st.sampled_from(["0", "0.10", "0.3", "9.99", "10", "10.09", "19.98", "20.00", "30.000", "39.98", "100"])
WEIGHTS = st.sampled_from(["0", "0.001", "0.454", "0.5", "1", "1.000881123456", "2", "16", "454", "500", "1340"])
OPERATIONS = st.sampled_from(["gt", "gte", "lt", "lte", "eq"])


def _condition(type_: str, values: st.SearchStrategy[str], **fields: st.SearchStrategy[Any]) -> st.SearchStrategy[Json]:
    head = {"kind": st.just("condition"), "type": st.just(type_), **fields, "operation": OPERATIONS, "value": values}
    scope = {} if "sectionId" in fields else {"sectionId": st.none() | SECTIONS}
    return st.fixed_dictionaries(head, optional=scope)


def _node(kind: str, type_: str, **fields: st.SearchStrategy[Any]) -> st.SearchStrategy[Json]:
    return st.fixed_dictionaries({"kind": st.just(kind), "type": st.just(type_), **fields})


CONDITIONS: dict[str, st.SearchStrategy[Json]] = {
    "total-products": _condition("total-products", COUNTS),
    "total-price": _condition("total-price", AMOUNTS),
    "total-weight": _condition("total-weight", WEIGHTS),
    "product-quantity": _condition("product-quantity", COUNTS, productId=PRODUCTS),
    "variant-selected": _condition("variant-selected", COUNTS, variantId=VARIANTS)
    | _node("condition", "variant-selected", variantId=VARIANTS),
    "section-quantity": _condition("section-quantity", COUNTS, sectionId=SECTIONS),
    "country": _node("condition", "country", operation=st.just("eq"), value=st.sampled_from(["DE", "AT", "de"])),
    "subscription-chosen": _node("condition", "subscription-chosen"),
}
UNKNOWN = st.sampled_from([{"kind": "cascade-variant"}, {"kind": "condition", "type": "moon-phase", "value": "full"}])
DISCOUNT_TYPES = st.sampled_from(["percentage", "fixed", "price"])
DISCOUNT_VALUES = st.sampled_from(["0.00", "0.05", "7.50", "10.00", "33.33", "99.99", "100.00"])
DISCOUNTS = st.fixed_dictionaries({"type": DISCOUNT_TYPES, "value": DISCOUNT_VALUES})
TEXTS = st.sampled_from(["One more.", "Not so."])
ACTIONS: dict[str, st.SearchStrategy[Json]] = {
    "discount": _node("action", "discount", discount=DISCOUNTS),
    "free-item": _node("action", "free-item", variantId=VARIANTS, quantity=st.integers(1, 4)),
    "message": _node("action", "message", text=TEXTS),
    "hide-section": _node("action", "hide-section", sectionId=SECTIONS),
    "hide-product": _node("action", "hide-product", productId=PRODUCTS, sectionId=st.none() | SECTIONS),
    "goto-section": _node("action", "goto-section", sectionId=SECTIONS),
    "block-cart": _node("action", "block-cart", text=TEXTS),
}
UNKNOWN_ACTION = _node("action", "fireworks")


@st.composite
def graphs(draw: st.DrawFn) -> list[Json]:
    """Draw acyclic graphs, with their nodes in any order. Some contain nodes that cannot be evaluated."""
    leaves = draw(st.lists(st.one_of(*CONDITIONS.values()), min_size=1, max_size=6)) + draw(
        st.lists(UNKNOWN, max_size=1)
    )
    nodes: list[Json] = [{"id": f"c{index}", **leaf} for index, leaf in enumerate(leaves)]
    for index in range(draw(st.integers(0, 5))):
        children = draw(st.lists(st.sampled_from([node["id"] for node in nodes]), max_size=4))
        mode = draw(st.sampled_from(["all", "any", "none"]))
        nodes.append({"id": f"g{index}", "kind": "group", "mode": mode, "children": children})
    causes = st.sampled_from([None, *(node["id"] for node in nodes)])
    effects = [*(each for type_, each in ACTIONS.items() if type_ != "free-item"), UNKNOWN_ACTION]
    actions = draw(st.lists(st.one_of(*effects), max_size=4)) + draw(st.lists(ACTIONS["free-item"], max_size=3))
    nodes += [{"id": f"a{index}", **action, "when": draw(causes)} for index, action in enumerate(actions)]
    return draw(st.permutations(nodes))

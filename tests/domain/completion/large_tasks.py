"""Large random shops for measuring how long completions take: 200 products and six rules, unless other numbers are given."""

from decimal import Decimal
from random import Random

from bundlesvc.domain.bundle import Bundle, Discount, LimitRule, RequiredProduct, Tier
from bundlesvc.domain.completion.task import AIMS, Task, UnitKind, Wishes
from bundlesvc.domain.conditions.condition_types import Facts
from bundlesvc.domain.line import Line
from bundlesvc.domain.product import Product
from tests.domain.builders import EUR, bundle, offer, product, section, variant

SECTIONS = 4


def large_task(seed: int, products: int = 200, rules: int = 6) -> Task:
    """Generate, from this seed, a large shop's bundle and a selection to complete."""
    random = Random(seed)
    offered = [_product(random, number) for number in range(1, products + 1)]
    made = _bundle(random, offered, rules)
    kinds = [UnitKind(_line(each, number % SECTIONS + 1), 0, grows=True) for number, each in enumerate(offered)]
    for _ in range(random.choice([0, 1, 2, 4, 6, 8])):
        number = random.randrange(products)
        kinds[number] = kinds[number]._replace(chosen=kinds[number].chosen + 1)
    ids = [each.id for each in offered]
    wishes = Wishes(
        random.choice(AIMS),
        frozenset(random.sample(ids, random.choice([0, 0, 3]))),
        frozenset(random.sample(ids, random.choice([0, 0, 3]))),
        random.choice([None, None, None, Decimal(random.randint(30, 90))]),
    )
    return Task(made, made.graph, tuple(kinds), Facts("g"), EUR, {}, wishes)


def _product(random: Random, number: int) -> Product:
    price = f"{random.randint(2, 18)}.{random.choice(['00', '50', '90', '95'])}"
    stock = random.choice([None, None, None, 0, 2, 20])
    return product(number, variant(number * 10, price=price, grams=random.choice([100, 250, 330, 500]), stock=stock))


def _line(own: Product, section_id: int) -> Line:
    (sold,) = own.variants
    return Line(own, sold, section_id, 1, sold.price, 0)


def _bundle(random: Random, offered: list[Product], rules: int) -> Bundle:
    least = random.choice([3, 6, 6, 8, 12, 24])
    most = least + random.choice([0, 0, 2, 6])
    weight = least * random.choice([200, 250, 300])
    price = least * random.choice([5, 6, 8])
    possible = [
        LimitRule("total-number-of-products", "lte", str(most)),
        *(
            LimitRule("total-number-of-products", random.choice(["gte", "lte"]), str(max(1, least // 4)), number)
            for number in range(1, SECTIONS + 1)
        ),
        LimitRule("number-of-different-products", "gte", str(max(1, least // 2))),
        LimitRule("multiples-of", "", random.choice(["2", "3"])),
        LimitRule("amount-of-one-product", "lte", random.choice(["1", "2", "4"])),
        LimitRule("amount-of-one-variant", "lte", random.choice(["2", "3"])),
        LimitRule("amount-of-weight", random.choice(["gte", "lte"]), str(weight)),
        LimitRule("bundle-price", random.choice(["gte", "lte"]), str(price)),
        LimitRule("bundle-price-before-discount", "gte", str(price)),
    ]
    chosen = [LimitRule("total-number-of-products", "gte", str(least)), *random.sample(possible, rules - 1)]
    required = random.sample(offered, random.choice([0, 0, 1]))
    return bundle(
        sections=tuple(
            section(number + 1, *(offer(each.id) for each in offered[number::SECTIONS])) for number in range(SECTIONS)
        ),
        limit_rules=tuple(chosen),
        required_products=tuple(RequiredProduct(each.id, (), 1) for each in required),
        discount=random.choice([None, _flat(random), _tiered(random, least)]),
        conditions=tuple(random.choice([[], [], _conditions(random, offered, least)])),
    )


def _flat(random: Random) -> Discount:
    type_ = random.choice(["percentage", "fixed", "price"])
    return Discount(type_, Decimal({"percentage": 10, "fixed": 5, "price": 40}[type_]), "flat")


def _tiered(random: Random, least: int) -> Discount:
    type_ = random.choice(["total_products", "total_price"])
    scale = 1 if type_ == "total_products" else 8
    tiers = [Tier(type_, "gte", str(least * scale + step * scale), Decimal(5 * step)) for step in (1, 2, 3)]
    return Discount("percentage", Decimal(0), "tiered", tiers=tuple(tiers))


def _conditions(random: Random, offered: list[Product], least: int) -> list[dict[str, object]]:
    named = random.choice(offered)
    tested = {"operation": "gte", "value": str(least), "productId": str(named.id), "sectionId": None}
    action: dict[str, object] = random.choice(
        [
            {"type": "discount", "discount": {"type": "percentage", "value": "15"}},
            {"type": "block-cart", "text": "No."},
            {"type": "free-item", "productId": str(named.id), "variantId": str(named.variants[0].id), "quantity": "1"},
            {"type": "hide-product", "productId": str(named.id), "sectionId": None},
        ]
    )
    type_ = random.choice(["total-products", "product-quantity"])
    if type_ == "product-quantity":
        tested["value"] = "1"
    return [
        {"id": "c", "kind": "condition", "type": type_, **tested},
        {"id": "a", "kind": "action", "when": "c", **action},
    ]

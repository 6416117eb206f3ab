"""Loading a whole file: two loads give the same result, all faults are reported together (each on one readable line), and a large
file loads in reasonable time."""

import json
import time
from pathlib import Path

import pytest
import yaml

from bundlesvc.shop_file.format_fields import FileSchema
from bundlesvc.shop_file.loading import ShopFileInvalid, parse_shop_file, read_shop_file
from tests.shop_file.shop_files import FULL, HERE, SAMPLE, SHOP_JSON, SHOP_YAML, faults, load


def test_a_file_is_read_from_disk(tmp_path: Path) -> None:
    path = tmp_path / "sample.yaml"
    path.write_text(SAMPLE, "utf-8")
    assert read_shop_file(path) == load(SAMPLE) == read_shop_file(HERE / "sample.yaml")


@pytest.mark.parametrize("text", [SAMPLE, FULL], ids=["sample", "full"])
def test_two_loads_are_equal(text: str) -> None:
    assert load(text) == load(text)


@pytest.mark.parametrize("text", [SAMPLE, FULL], ids=["sample", "full"])
def test_what_is_usual_loads_as_marshmallow_loads_it(text: str, monkeypatch: pytest.MonkeyPatch) -> None:
    usual = load(text)
    monkeypatch.setattr(FileSchema, "_values", lambda _schema, _data: None)
    assert load(text) == usual


def test_json_loads_like_yaml() -> None:
    tree = yaml.safe_load(SAMPLE)
    assert load(json.dumps(tree), SHOP_JSON) == load(json.dumps(tree, indent="\t"), SHOP_JSON) == load(SAMPLE)


def test_json_numbers_and_booleans_are_exact() -> None:
    text = """{"shop": {"handle": "s", "currency": "EUR", "headlessEnabled": true},
"products": [{"id": 1, "title": "T", "variants": [{"id": 2, "price": 19.90, "inventoryTracked": false}]}]}"""
    shop_file = load(text, SHOP_JSON)
    assert shop_file.shop.headless_enabled
    assert str(shop_file.products[0].variants[0].price) == "19.90"


def test_faults_in_json_have_their_lines() -> None:
    text = json.dumps(yaml.safe_load(SAMPLE), indent="\t").replace('"10.00"', '"101"', 1).replace('"linen"', "[]")
    found = faults(text, SHOP_JSON)
    lines = text.splitlines()
    assert [(fault.path, lines[(fault.line or 0) - 1].strip()) for fault in found] == [
        ("products.0.tags.0", "[],"),
        ("bundles.0.discount.value", '"value": "101",'),
    ]


MANY_FAULTS = """shop:
  handle: s
  currency: euro
bundles:
  - id: 1
    name: Box
    name: Boxes
    type: nativ
    discount: {type: percentage, value: 101}
    sections:
      - id: 1
        products: [{bundleItemId: 1, platformProductId: "7"}, {bundleItemId: 1, platformProductId: x}]
      - id: 1
    limitRules: [{type: multiple-of, value: 3}]
  - {id: 1, vairantIds: []}
products:
  - id: "8"
    variants:
      - {id: "1", price: 0.001, optionValues: [S]}
"""


def test_every_fault_is_reported_at_once_in_the_order_of_lines() -> None:
    with pytest.raises(ShopFileInvalid) as refused:
        load(MANY_FAULTS)
    lines = [line.partition(" is not one of: ")[0] for line in str(refused.value).splitlines()]
    assert lines == [
        "shop.yaml:3: shop.currency: 'euro' is not a currency code: three capital letters, such as EUR.",
        "shop.yaml:7: bundles.0.name: The key 'name' is already in line 6; remove one of the two.",
        "shop.yaml:8: bundles.0.type: 'nativ'",
        "shop.yaml:9: bundles.0.discount.value: A percentage must be at most 100.",
        "shop.yaml:12: bundles.0.sections.0.products.1.platformProductId: 'x' is not an id such as 1234 or gid://platform/Product/1234.",
        "shop.yaml:12: bundles.0.sections.0.products.1.bundleItemId: Bundle item 1 already exists.",
        "shop.yaml:12: bundles.0.sections.0.products.0.platformProductId: There is no product 7 in this file.",
        "shop.yaml:13: bundles.0.sections.1.id: Section 1 already exists.",
        "shop.yaml:14: bundles.0.limitRules.0.type: 'multiple-of'",
        "shop.yaml:14: bundles.0.limitRules.0.operation: This is required.",
        "shop.yaml:15: bundles.1.name: This is required.",
        "shop.yaml:15: bundles.1.type: This is required.",
        "shop.yaml:15: bundles.1.vairantIds: Unknown key 'vairantIds'.",
        "shop.yaml:15: bundles.1.id: Bundle 1 already exists.",
        "shop.yaml:17: products.0.title: This is required.",
        "shop.yaml:19: products.0.variants.0.price: This can have at most 2 decimals.",
        "shop.yaml:19: products.0.variants.0.optionValues: The product has 0 options, but this variant has 1 value.",
    ]


def test_a_file_that_cannot_be_read_is_a_fault(tmp_path: Path) -> None:
    with pytest.raises(ShopFileInvalid) as missing:
        read_shop_file(tmp_path / "none.yaml")
    assert str(missing.value) == f"{tmp_path / 'none.yaml'}: The file cannot be read: No such file or directory."
    with pytest.raises(ShopFileInvalid):
        read_shop_file(tmp_path)


def test_a_syntax_error_names_its_line() -> None:
    (fault,) = faults("shop: {handle: s\nbundles: [\n")
    assert str(fault).startswith('shop.yaml:2: The "{" of line 1 is not closed')


def test_faults_stay_on_one_line_and_can_be_printed() -> None:
    text = '{"shop": {"handle": "s", "currency": "EUR",\n"a\\nb": 1, "\\ud800": 1, "\\u001b[31m": 1, "%s": "%s"}}'
    with pytest.raises(ShopFileInvalid) as refused:
        parse_shop_file((text % ("k" * 5000, "v" * 5000)).encode(), SHOP_JSON)
    lines = str(refused.value).splitlines()
    assert len(lines) == len(refused.value.faults) == 5
    assert all(line.isprintable() and len(line) < 250 for line in lines)
    str(refused.value).encode()


def big_shop(products: int, variants: int) -> str:
    options = f"[{{name: Size, values: [{', '.join(f'S{n}' for n in range(variants))}]}}]"
    lines = ["shop: {handle: big, currency: EUR}", "products:"]
    for product in range(1, products + 1):
        lines += [f"  - id: {product}", f"    title: Product {product}", f"    options: {options}", "    variants:"]
        lines += [
            f'      - {{id: {product * 1000 + n}, title: S{n}, price: "19.99", compareAtPrice: null, sku: SH-{n}, '
            f"inventoryTracked: true, inventoryPolicy: deny, inventoryQuantity: 5, grams: 200, optionValues: [S{n}]}}"
            for n in range(variants)
        ]
    return "\n".join(lines)


def test_a_large_shop_loads_in_reasonable_time_and_reports_progress() -> None:
    reported: list[tuple[str, int, int]] = []
    text = big_shop(2000, 10).encode()
    start = time.process_time()  # CPU time, which other processes on a busy machine do not increase
    shop_file = parse_shop_file(text, SHOP_YAML, lambda *stage: reported.append(stage))
    assert time.process_time() - start < 20
    assert sum(len(product.variants) for product in shop_file.products) == 20_000
    assert reported[:3] == [("reading", 0, 1), ("reading", 1, 1), ("products", 100, 2000)]
    assert reported[-1] == ("products", 2000, 2000)
    assert len(reported) == 22

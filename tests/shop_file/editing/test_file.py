"""Editing changes a shop file only where its content differs, and loading the edited file returns exactly the new content."""

from collections.abc import Callable
from copy import deepcopy
from difflib import ndiff
from pathlib import Path
from random import Random
from typing import Any, cast

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from bundlesvc.domain.shop_files.shop_file import ShopFile
from bundlesvc.shop_file.editing.file import edited_file
from bundlesvc.shop_file.loading import ShopFileInvalid, parse_shop_file
from bundlesvc.shop_file.plain import plain_content, read_content
from tests.process.shop import SHOP

Content = dict[str, Any]

ROOT = Path(__file__).parents[3]
DEMO = ROOT / "config" / "demo-shop.yaml"
FULL = ROOT / "tests" / "shop_file" / "full.yaml"
COLLECTION = (SHOP, DEMO, FULL)

YAML = """\
# The shop of a bakery.
shop: {handle: bakery, name: 'Bakery', currency: EUR}   # one line

products:
  # Loaves first.
  - id: "1"
    title: Rye      # dark
    variants:
      - {id: "11", price: "4.50"}

  - id: 2
    title: "Wheat"
    tags: [white, soft]
    variants: [{id: "21", price: 3.90}]
  # The box itself.
  - {id: "9", title: Box, variants: [{id: "91", price: "0"}]}

bundles:
  - id: 5
    name: Weekend
    type: native
    platformProductId: "9"
    parentVariantId: "91"
    description: |
      Two loaves.
      For two days.
    sections:
      - id: 1
        name: Loaves
        products:
          - {bundleItemId: 1, platformProductId: "1"}   # rye
          - {bundleItemId: 2, platformProductId: "2"}
      # More than bread.
      - id: 2
        name: Extras
    limitRules:
      - {type: total-number-of-products, operation: gte, value: "2"}
"""
PATH = Path("shop.yaml")


def content_of(data: bytes, path: Path = PATH) -> Content:
    return plain_content(parse_shop_file(data, path))


def changed_lines(before: str, after: str) -> list[str]:
    """Return the lines that are removed and added by a change."""
    return [line for line in ndiff(before.splitlines(), after.splitlines()) if line[0] in "-+"]


def edit(change: Callable[[Content], object], text: str = YAML, path: Path = PATH) -> list[str]:
    """Change the content of a file, and return the lines that differ in the edited file."""
    content = content_of(text.encode(), path)
    change(content)
    shop_file, faults = read_content(content)
    assert shop_file is not None, faults
    content = plain_content(shop_file)
    data = edited_file(text.encode(), path, content)
    assert content_of(data, path) == content
    return changed_lines(text, data.decode())


def product(content: Content, place: int) -> Content:
    return dict.__getitem__(content, "products")[place]  # type: ignore[no-any-return]


def bundle(content: Content) -> Content:
    return content["bundles"][0]  # type: ignore[no-any-return]


@pytest.mark.parametrize(
    ("change", "lines"),
    [
        (lambda _: None, []),
        (
            lambda c: product(c, 0).update(title="Dark rye"),
            ["-     title: Rye      # dark", "+     title: Dark rye      # dark"],
        ),
        (
            lambda c: product(c, 1).update(title="White: wheat"),
            ['-     title: "Wheat"', '+     title: "White: wheat"'],
        ),
        (
            lambda c: product(c, 0)["variants"][0].update(price="4.75"),
            ['-       - {id: "11", price: "4.50"}', '+       - {id: "11", price: "4.75"}'],
        ),
        (
            lambda c: product(c, 1)["variants"][0].update(price="4.00"),
            ['-     variants: [{id: "21", price: 3.90}]', '+     variants: [{id: "21", price: 4.00}]'],
        ),
        (lambda c: product(c, 0).update(status="DRAFT"), ["+     status: DRAFT"]),
        (lambda c: product(c, 1).update(tags=["white"]), ["-     tags: [white, soft]", "+     tags: [white]"]),
        (lambda c: product(c, 1).pop("tags"), ["-     tags: [white, soft]", "+     tags: []"]),
        (
            lambda c: c["shop"].update(name="Bob's"),
            [
                "- shop: {handle: bakery, name: 'Bakery', currency: EUR}   # one line",
                "+ shop: {handle: bakery, name: 'Bob''s', currency: EUR}   # one line",
            ],
        ),
        (
            lambda c: bundle(c)["limitRules"].append({"type": "multiples-of", "operation": "eq", "value": "2"}),
            ['+       - {type: multiples-of, operation: eq, value: "2"}'],
        ),
        (
            lambda c: bundle(c).update(limitRules=[]),
            [
                "-     limitRules:",
                '-       - {type: total-number-of-products, operation: gte, value: "2"}',
                "+     limitRules: []",
            ],
        ),
        (
            lambda c: bundle(c)["sections"][0]["products"].pop(0),
            ['-           - {bundleItemId: 1, platformProductId: "1"}   # rye'],
        ),
        (
            lambda c: bundle(c)["sections"][0]["products"].reverse(),
            [
                '+           - {bundleItemId: 2, platformProductId: "2"}',
                '-           - {bundleItemId: 2, platformProductId: "2"}',
            ],
        ),
        (
            lambda c: bundle(c).update(discount={"type": "percentage", "value": "5.00", "flatOrTiered": "flat"}),
            ['+     discount: {type: percentage, value: "5.00", flatOrTiered: flat}'],
        ),
        (
            lambda c: bundle(c).update(description="Two loaves."),
            ["-     description: |", "-       Two loaves.", "-       For two days.", "+     description: Two loaves."],
        ),
    ],
)  # fmt: skip
def test_only_these_lines_change(change: Callable[[Content], object], lines: list[str]) -> None:
    assert sorted(edit(change)) == sorted(lines)


def test_moved_section_takes_its_comment_with_it() -> None:
    lines = edit(lambda c: bundle(c)["sections"].reverse())
    assert {line[2:] for line in lines if line[0] == "+"} == {line[2:] for line in lines if line[0] == "-"}
    content = content_of(YAML.encode())
    bundle(content)["sections"].reverse()
    text = edited_file(YAML.encode(), PATH, content).decode()
    assert "      # More than bread.\n      - id: 2\n" in text


def test_new_bundle_is_written_in_lines_of_its_own() -> None:
    def add(content: Content) -> None:
        new = deepcopy(bundle(content)) | {"id": 6, "name": "Every day"}
        content["bundles"].append(new)

    lines = edit(add)
    assert all(line.startswith("+") for line in lines)
    assert lines[:2] == ["+   - id: 6", "+     name: Every day"]


def test_first_part_of_a_list_that_the_file_does_not_have() -> None:
    market = {"countryCode": "CH", "currency": "CHF", "exchangeRate": "0.93"}
    assert edit(lambda c: c["markets"].append(market))[0] == "+ markets:"


@pytest.mark.parametrize("line_end", ["\n", "\r\n"])
@pytest.mark.parametrize("mark", [b"", b"\xef\xbb\xbf"])
def test_line_ends_and_byte_order_mark_stay(line_end: str, mark: bytes) -> None:
    data = mark + YAML.replace("\n", line_end).encode()
    content = content_of(data)
    product(content, 0)["status"] = "DRAFT"
    changed = edited_file(data, PATH, content)
    assert changed.startswith(mark + b"# The shop")
    assert changed == data.replace(
        b"# dark" + line_end.encode(), b"# dark" + line_end.encode() + b"    status: DRAFT" + line_end.encode()
    )


JSON = """{
  "shop": {"handle": "bakery", "currency": "EUR"},
  "products": [
    {
      "id": "1",
      "title": "Rye",
      "variants": [{"id": "11", "price": "4.50"}]
    },
    {"id": "2", "title": "Wheat", "variants": []}
  ]
}
"""


@pytest.mark.parametrize(
    ("change", "lines"),
    [
        (lambda c: product(c, 0).update(title="Käse"), ['-       "title": "Rye",', '+       "title": "Käse",']),
        (
            lambda c: product(c, 0).update(status="DRAFT"),
            ['-       "title": "Rye",', '+       "title": "Rye",', '+       "status": "DRAFT",'][2:],
        ),
        (
            lambda c: c["products"].pop(1),
            ["-     },", '-     {"id": "2", "title": "Wheat", "variants": []}', "+     }"],
        ),
    ],
)  # fmt: skip
def test_json_stays_json(change: Callable[[Content], object], lines: list[str]) -> None:
    assert sorted(edit(change, JSON, Path("shop.json"))) == sorted(lines)


ANCHORS = """\
shop: {handle: bakery, currency: EUR}
products:
  - {id: "1", title: Rye, tags: &tags [dark, heavy], variants: [{id: "11", price: "4.50"}]}
  - {id: "2", title: Wheat, tags: *tags, variants: [{id: "21", price: "4.50"}]}
"""


@pytest.mark.parametrize(("place", "line"), [(0, 3), (1, 4)])
def test_part_that_is_repeated_is_not_changed(place: int, line: int) -> None:
    """An edit to a part that a YAML alias repeats is refused, because the change would either apply in both places or require the
    file to be restructured."""
    content = content_of(ANCHORS.encode())
    product(content, place)["tags"] = ["dark"]
    with pytest.raises(ShopFileInvalid) as refused:
        edited_file(ANCHORS.encode(), PATH, content)
    (fault,) = refused.value.faults
    assert fault.line == line
    assert "Write it out" in fault.message


def test_other_parts_of_a_file_with_anchors_are_changed() -> None:
    assert len(edit(lambda c: product(c, 1).update(title="White"), ANCHORS)) == 2


TEXTS = ["Box", "A: b", "10", "yes", "#1", "Ünïcödé", "it's", 'say "hi"', "two\nlines", "- x", " padded "]


def change_text(content: Content, random: Random) -> None:
    random.choice(content["bundles"])[random.choice(["name", "description"])] = random.choice(TEXTS)


def change_title(content: Content, random: Random) -> None:
    random.choice(content["products"])[random.choice(["title", "descriptionHtml"])] = random.choice(TEXTS)


def change_flag(content: Content, random: Random) -> None:
    chosen = random.choice(content["bundles"])
    chosen["published"] = not chosen["published"]


def change_price(content: Content, random: Random) -> None:
    random.choice(random.choice(content["products"])["variants"])["price"] = f"{random.randint(1, 99)}.50"


def drop_item(content: Content, random: Random) -> None:
    lists = [section["products"] for each in content["bundles"] for section in each["sections"] if section["products"]]
    if lists:
        items = random.choice(lists)
        items.pop(random.randrange(len(items)))


def copy_bundle(content: Content, random: Random) -> None:
    free = max(each["id"] for each in content["bundles"]) + 1
    content["bundles"].append(deepcopy(random.choice(content["bundles"])) | {"id": free})


def move_sections(content: Content, random: Random) -> None:
    sections = random.choice(content["bundles"])["sections"]
    for section in sections:
        section.pop("order", None)
    random.shuffle(sections)


def change_rules(content: Content, random: Random) -> None:
    rules = random.choice(content["bundles"])["limitRules"]
    if rules and random.random() < 0.5:
        rules.pop(random.randrange(len(rules)))
    else:
        rule = {"type": "total-number-of-products", "operation": "gte", "value": str(random.randint(1, 9))}
        rules.insert(random.randint(0, len(rules)), rule)


def change_tier(content: Content, random: Random) -> None:
    tiers = [each["discount"]["tiers"] for each in content["bundles"] if (each.get("discount") or {}).get("tiers")]
    if tiers:
        random.choice(random.choice(tiers))["discount"] = f"{random.randint(1, 40)}.00"


EDITS = (
    change_text,
    change_title,
    change_flag,
    change_price,
    drop_item,
    copy_bundle,
    move_sections,
    change_rules,
    change_tier,
)


@settings(max_examples=30, deadline=None)
@given(st.sampled_from(COLLECTION), st.integers(0, 2**32), st.lists(st.sampled_from(EDITS), min_size=1, max_size=6))
def test_random_edits_keep_comments_and_can_be_taken_back(path: Path, seed: int, edits: list[Any]) -> None:
    data, random = path.read_bytes(), Random(seed)
    old, content = content_of(data, path), content_of(data, path)
    for change in edits:
        change(content, random)
    shop_file, faults = read_content(content)
    assume(shop_file is not None)  # otherwise the edits made an invalid shop
    assert (faults, shop_file is not None) == ((), True)
    content = plain_content(cast("ShopFile", shop_file))

    changed = edited_file(data, path, content)

    assert content_of(changed, path) == content
    assert comments(changed) == comments(data)
    assert content_of(edited_file(changed, path, old), path) == old


def comments(data: bytes) -> list[str]:
    """Return the lines that are comments, sorted, because the comments of an item move with the item."""
    return sorted(line for line in data.decode().splitlines() if line.lstrip().startswith("#"))


@settings(max_examples=30, deadline=None)
@given(st.sampled_from(COLLECTION), st.integers(0, 2**32), st.sampled_from([change_price, change_tier]))
def test_another_value_changes_one_line(path: Path, seed: int, change: Any) -> None:
    data, content = path.read_bytes(), content_of(path.read_bytes(), path)
    before = deepcopy(content)
    change(content, Random(seed))
    lines = changed_lines(data.decode(), edited_file(data, path, content).decode())
    assert [line[0] for line in lines] == ([] if content == before else ["-", "+"])

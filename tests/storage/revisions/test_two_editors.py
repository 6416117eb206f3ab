"""A file owner and users of the API edit one shop for a thousand steps. Afterwards, each field has the value that the three-way
rule promises: a change by only one side is kept, and different changes to the same field are a conflict, which changes nothing.
The rule is reimplemented here, field by field."""

import json
from collections.abc import Mapping
from copy import deepcopy
from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from typing import Any

from bundlesvc.cli.shop_file.files.file_loads import FileLoads
from bundlesvc.domain.revisions.items import BUNDLES, MARKETS, PRODUCTS, ItemName
from bundlesvc.domain.revisions.refusals import RevisionConflict
from bundlesvc.domain.revisions.revision import Revision
from bundlesvc.domain.shop import Tenant
from bundlesvc.shop_file.loading import ShopFileInvalid
from bundlesvc.shop_file.plain import plain_content, read_content
from bundlesvc.storage.database.interface import Database
from tests.storage.conftest import ON_SQLITE
from tests.storage.prepared import the_shop
from tests.storage.revisions.revising import Revising, act

STEPS = 1_000
MOST_DRAFTS = 3
VALUES = 4

Field = tuple[str, str, str]
"""A field of the content: the list, the name of the item in the list, and the key in the item."""

FIELDS: tuple[Field, ...] = (
    *((BUNDLES, bundle, key) for bundle in ("42", "43", "44") for key in ("name", "imageUrl", "description")),
    *((PRODUCTS, product, key) for product in ("111", "222") for key in ("title", "imageUrl")),
    (MARKETS, "US", "priceAdjustment"),
    (MARKETS, "JP", "priceAdjustment"),
)
State = dict[Field, Any]


def merged(base: State, live: State, yours: State) -> State | None:
    """Return the merged state that the rule for three-way merges requires, or None for a conflict."""
    made: State = {}
    for each in FIELDS:
        old, theirs, mine = base[each], live[each], yours[each]
        if mine not in (old, theirs) and theirs != old:
            return None
        made[each] = theirs if mine == old else mine
    return made


def state_of(content: Mapping[str, Any]) -> State:
    names = {BUNDLES: "id", PRODUCTS: "id", MARKETS: "countryCode"}
    items = {(kind, str(item[key])): item for kind, key in names.items() for item in content[kind]}
    return {each: items[each[:2]].get(each[2]) for each in FIELDS}


def with_state(content: Mapping[str, Any], state: State) -> dict[str, Any]:
    made = deepcopy(dict(content))
    names = {BUNDLES: "id", PRODUCTS: "id", MARKETS: "countryCode"}
    items = {(kind, str(item[key])): item for kind, key in names.items() for item in made[kind]}
    for (kind, name, key), value in state.items():
        items[kind, name][key] = value
    return made


@dataclass
class Draft:
    revision: Revision
    base: State
    changes: State = field(default_factory=dict)


class TwoEditors:
    """A shop that two editors change, one through its file and one through drafts, and the state that it must have after each
    step."""

    def __init__(self, shop: Revising, folder: Path, seed: int) -> None:
        self.shop = shop
        self.random = Random(seed)
        self.loads = FileLoads(shop.database)
        self.path = folder / "shop.json"
        self.content = plain_content(the_shop())
        self.live = self.base = self.file = state_of(self.content)
        self.drafts: list[Draft] = []
        self.conflicts = self.publications = self.file_loads = 0

    async def step(self) -> None:
        await self.random.choice((self.edit_file, self.load, self.open_draft, self.edit_draft, self.publish))()

    def value(self, each: Field) -> str:
        number = self.random.randrange(VALUES)
        return f"{number}.00" if each[0] == MARKETS else f"value-{number}"

    async def edit_file(self) -> None:
        each = self.random.choice(FIELDS)
        self.file = {**self.file, each: self.value(each)}

    async def load(self) -> None:
        expected = merged(self.base, self.live, self.file)
        content = with_state(self.content, self.file)
        shop_file, faults = read_content(content)
        assert shop_file is not None, faults
        self.path.write_text(json.dumps(content))
        try:
            await self.loads.load(self.path, shop_file)
        except ShopFileInvalid:
            assert expected is None
            self.conflicts += 1
            self.file = dict(self.live)  # the owner adopts the live content
        else:
            assert expected is not None
            self.file_loads += 1
            self.live, self.base = expected, self.file
        await self.check()

    async def open_draft(self) -> None:
        if len(self.drafts) < MOST_DRAFTS:
            self.drafts.append(Draft(await self.shop.drafts.create(self.shop.tenant, act(), ""), self.live))

    async def edit_draft(self) -> None:
        if not self.drafts:
            return
        draft, each = self.random.choice(self.drafts), self.random.choice(FIELDS)
        value = self.value(each)
        draft.revision = await self.shop.patch(draft.revision, ItemName(*each[:2]), {each[2]: value})
        draft.changes[each] = value

    async def publish(self) -> None:
        if not self.drafts:
            return
        draft = self.drafts.pop(self.random.randrange(len(self.drafts)))
        expected = merged(draft.base, self.live, {**draft.base, **draft.changes})
        try:
            await self.shop.publish(draft.revision)
        except RevisionConflict:
            assert expected is None
            self.conflicts += 1
        else:
            assert expected is not None
            self.publications += 1
            self.live = expected
        await self.check()

    async def check(self) -> None:
        assert state_of(await self.shop.content()) == self.live


@ON_SQLITE
async def test_a_thousand_steps_of_a_file_owner_and_the_api(database: Database, tenant: Tenant, tmp_path: Path) -> None:
    editors = TwoEditors(Revising(database, tenant), tmp_path, seed=27)
    await editors.load()
    for _ in range(STEPS):
        await editors.step()
    assert min(editors.conflicts, editors.publications, editors.file_loads) > STEPS / 50
    states = [state for _, state in await editors.shop.states()]
    assert states.count("live") == 1

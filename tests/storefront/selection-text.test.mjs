/** Selections as text for links. */

import assert from "node:assert/strict";
import { test } from "node:test";

import "./browser-globals.mjs";
import { SelectionTextError, decodeSelection, encodeSelection } from "../../bundlesvc/storefront/client/client.js";
import { readVectors } from "./selection-cases.mjs";

const LARGEST = String(Number.MAX_SAFE_INTEGER);
const unit = (variant, section = 1, more = {}) => ({ variant, product: variant.slice(0, -1), section, ...more });

test("a text of version 1 stays readable", () => {
  const selection = {
    items: [unit("10011"), unit("10011"), unit("10021", 2), unit("10011", 1, { personalisation: { name: "Zoë" } })],
    subscription: { id: 7, frequency: 2, unit: "week" },
  };
  const text = "1~2.7q3.rt.1~1.7qd.ru.2~1.7q3.rt.1.eyJuYW1lIjoiWm_DqyJ9~P.7.2.1";
  assert.equal(encodeSelection(selection), text);
  assert.deepEqual(decodeSelection(text), selection);
});

test("every selection of the vectors comes back", () => {
  const whole = readVectors().filter(({ selection: { items } }) => items.length <= 200);
  assert.ok(whole.length > 100);
  for (const { selection } of whole) {
    const text = encodeSelection(selection);
    assert.match(text, /^[\w.~-]+$/);
    assert.equal(encodeSelection(decodeSelection(text)), text);
  }
});

test("ids are read in both spellings, up to the largest", () => {
  const items = [
    { variant: `gid://platform/ProductVariant/${LARGEST}`, product: "gid://platform/Product/1", section: 0 },
  ];
  assert.deepEqual(decodeSelection(encodeSelection({ items })), {
    items: [{ variant: LARGEST, product: "1", section: 0 }],
  });
});

test("any number of units differs from a plan", () => {
  for (let count = 1; count <= 200; count += 1) {
    const items = Array(count).fill(unit("71", 1));
    assert.deepEqual(decodeSelection(encodeSelection({ items })), { items });
  }
});

test("a selection without units is one", () =>
  assert.deepEqual(decodeSelection(encodeSelection({ items: [] })), { items: [] }));

test("a link has no e-mail address", () => {
  const text = encodeSelection({
    items: [],
    subscription: { id: 7, frequency: 1, unit: "month", email: "mira@mail.example" },
  });
  assert.deepEqual(decodeSelection(text), { items: [], subscription: { id: 7, frequency: 1, unit: "month" } });
});

test("ticked boxes are text, empty answers are left out", () => {
  const items = [unit("10011", 1, { personalisation: { wrapped: true, name: "", note: null } })];
  assert.deepEqual(decodeSelection(encodeSelection({ items })).items, [
    unit("10011", 1, { personalisation: { wrapped: "true" } }),
  ]);
});

test("two hundred units are short, and no more are read", () => {
  const text = encodeSelection({ items: Array(200).fill(unit("44012345678901")) });
  assert.ok(text.length < 40);
  assert.equal(decodeSelection(text).items.length, 200);
  assert.throws(() => decodeSelection(`${text}~1.7q3.rt.1`), /up to 200 units/);
});

test("an id that is none is not written", () => {
  for (const variant of ["", "x1", "-1", "1.5", "9007199254740992", undefined]) {
    assert.throws(() => encodeSelection({ items: [{ variant, product: "1", section: 1 }] }), TypeError);
  }
});

const answers = (value) => btoa(value).replaceAll("=", "");
const HOSTILE = [
  ...[
    "",
    "1~",
    "~",
    "1~~",
    "x",
    "01~1.1.1.1",
    " 1",
    "1 ",
    "1~1.1.1",
    "1~1.1.1.1.",
    "1~1.1.1.1.!!",
    "1~1.1.1.1.a.b",
    "1~0.1.1.1",
  ],
  ...[
    "1~1.0.1.1",
    "1~1.1.0.1",
    "1~-1.1.1.1",
    "1~1.1.1.-1",
    "1~1e9.1.1.1",
    "1~1.1.1.00",
    "1~1.zzzzzzzzzzz.1.1",
    "1~1.A.1.1",
  ],
  ...[
    "1~P.7.1",
    "1~P.7.1.4",
    "1~P.0.1.1",
    "1~P.7.0.1",
    "1~P.7.1.1.1",
    "1~P.7.1.1~1.1.1.1",
    "1~P.7.1.1~P.7.1.1",
    "1~P.",
  ],
  ...["[]", "null", '"x"', "1", "{", '{"a":1}', '{"a":{}}', '{"a":null}', "\xff\xfe"].map(
    (text) => `1~1.1.1.1.${answers(text)}`,
  ),
  ...[
    null,
    undefined,
    1,
    {},
    [],
    Symbol("x"),
    "1~".repeat(50_000),
    `1~1.1.1.1.${"A".repeat(50_000)}`,
    "2~1.1.1.1",
    "9".repeat(300),
  ],
];
for (const text of HOSTILE) {
  test(`"${String(text).slice(0, 40)}" is refused with a sentence`, () => {
    assert.throws(
      () => decodeSelection(text),
      (error) => error instanceof SelectionTextError && /^[A-Z].+\.$/.test(error.message) && error.text.length <= 200,
    );
  });
}

test("a link of a newer version says so", () => {
  assert.throws(() => decodeSelection("2~whatever"), /version 2; this client reads 1/);
});

test("an answer cannot reach the prototype", () => {
  const { items } = decodeSelection(`1~1.1.1.1.${answers('{"__proto__":"x","constructor":"y"}')}`);
  assert.equal(Object.getPrototypeOf(items[0].personalisation), Object.prototype);
  assert.equal({}.x, undefined);
});

test("random damage never ends in another error", () => {
  const text = encodeSelection({ items: [unit("10011"), unit("10021", 2, { personalisation: { name: "Zoë" } })] });
  for (let seed = 1; seed < 3000; seed += 1) {
    const place = (seed * 7919) % text.length;
    const damaged = text.slice(0, place) + String.fromCharCode((seed * 31) % 256) + text.slice(place + (seed % 3));
    try {
      assert.ok(decodeSelection(damaged).items.length <= 200);
    } catch (error) {
      assert.equal(error.name, "SelectionTextError");
    }
  }
});

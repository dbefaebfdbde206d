import fc from "fast-check";
import { expect, test } from "vitest";
import { canonicalize } from "../json/canonical.ts";
import { type DraftRecord, LOG_START, parseRecord, recordText } from "./logRecord.ts";

const name = fc.string({ unit: "grapheme", maxLength: 12 });
const anyDraft: fc.Arbitrary<DraftRecord> = fc.record({
  tenant: name,
  seq: fc.nat(),
  at: fc.constant("2026-01-02T03:04:05.678Z"),
  kind: name,
  ref: name,
  agent: fc.option(name),
  codes: fc.array(name, { maxLength: 3 }),
  prev: fc.constant(LOG_START),
  chain: fc.option(fc.record({ seq: fc.nat(), prev: fc.constant(LOG_START), hash: fc.constant(LOG_START) })),
  body: fc.dictionary(name, name, { maxKeys: 3 }).map((body) => canonicalize(body)),
});

test("what is appended is canonical, and reads back as what was written", () => {
  fc.assert(
    fc.property(anyDraft, (draft) => {
      const text = recordText(draft);
      expect(text).toBe(canonicalize(JSON.parse(text)));
      expect(parseRecord(text)).toEqual({ ok: true, value: { ...draft, v: 1, body: JSON.parse(draft.body) } });
    }),
  );
});

const draft: DraftRecord = {
  tenant: "t",
  seq: 3,
  at: "2026-01-02T03:04:05.678Z",
  kind: "decide",
  ref: "dec_1",
  agent: "a",
  codes: [],
  prev: LOG_START,
  chain: null,
  body: "{}",
};

test.each([
  { it: "with a space in it", text: recordText(draft).replace(":3", ": 3") },
  { it: "with a member more", text: recordText(draft).replace('"v":1', '"v":1,"w":1') },
  { it: "with a member less", text: recordText(draft).replace('"agent":"a",', "") },
  { it: "with a member twice", text: recordText(draft).replace('"v":1', '"v":1,"v":1') },
  { it: "of another version", text: recordText(draft).replace('"v":1', '"v":2') },
  { it: "whose index is text", text: recordText(draft).replace('"seq":3', '"seq":"3"') },
  { it: "whose body is a list", text: recordText({ ...draft, body: "[]" }) },
  { it: "cut off", text: recordText(draft).slice(0, -1) },
  { it: "that is empty", text: "" },
])("a record $it is refused", ({ text }) => {
  expect(parseRecord(text)).toMatchObject({ ok: false, error: { code: "record.malformed" } });
});

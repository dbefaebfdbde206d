import { SURFACES, TEXT_SOURCES } from "../../action/action.ts";
import { BUILT_IN_MARKS } from "../../check/sequence/marks.ts";
import type { JsonValue } from "../../json/value.ts";
import type { Seconds } from "../../time/duration.ts";
import type { MarkRule, Scope, SequenceRule, SequenceRules } from "../effective.ts";
import type { Report } from "../problem.ts";
import { readList, readObject, readOneOf, readSeconds, readText } from "../reader.ts";
import { reportRepeatedIds } from "../repeatedIds.ts";
import { readMatch } from "./mandate.ts";

const LIST_LIMIT = 64;
const MARK = /^[a-z][a-z0-9_]{0,39}$/;

/** How long marks are remembered. */
export const MARKS_KEPT = 86_400 as Seconds;

/** `sequence: {marks?: [{mark, match?, texts?}], rules: [{id, after, match, effect, within?}]}` */
export function readSequence(value: JsonValue, path: string, report: Report, scope: Scope): SequenceRules | undefined {
  const object = readObject(value, path, report);
  if (object === undefined) return undefined;
  const marks =
    object.optional("marks", (list, at) =>
      readList(list, at, report, LIST_LIMIT, (item, itemAt) => readMark(item, itemAt, report), 0),
    ) ?? [];
  const rules = object.required(
    "rules",
    (list, at) => readList(list, at, report, LIST_LIMIT, (item, itemAt) => readRule(item, itemAt, report)),
    "a list of rules",
  );
  object.close();
  if (rules === undefined) return undefined;
  reportRepeatedIds(rules, object.at("rules"), report, "rule");
  const known = new Set<string>([...BUILT_IN_MARKS, ...marks.map(({ mark }) => mark)]);
  for (const [index, { after }] of rules.entries()) {
    for (const mark of after) {
      if (known.has(mark)) continue;
      const expected = [...known].join(", ");
      report("policy.reference", `${object.at("rules")}/${index}/after`, "nothing leaves one of these marks", expected);
    }
  }
  return { scope, marks, rules };
}

function readMark(value: JsonValue, path: string, report: Report): MarkRule | undefined {
  const object = readObject(value, path, report);
  if (object === undefined) return undefined;
  const mark = object.required("mark", (one, at) => readMarkName(one, at, report), "a name");
  const match = object.optional("match", readMatch);
  const texts = object.optional("texts", (one, at) => {
    const inner = readObject(one, at, report);
    if (inner === undefined) return undefined;
    const surfaces = inner.required(
      "surfaces",
      (list, listAt) =>
        readList(list, listAt, report, SURFACES.length, (item, itemAt) => readOneOf(item, itemAt, report, SURFACES)),
      "a list of surfaces",
    );
    const sources = inner.optional("sources", (list, listAt) =>
      readList(list, listAt, report, TEXT_SOURCES.length, (item, itemAt) =>
        readOneOf(item, itemAt, report, TEXT_SOURCES),
      ),
    );
    inner.close();
    return surfaces === undefined ? undefined : { surfaces, sources: sources ?? null };
  });
  object.close();
  if (match === undefined && texts === undefined) {
    report("policy.missing", path, "this says not what leaves the mark", "match, texts, or both");
  }
  if (mark === undefined) return undefined;
  return { mark, ...(match === undefined ? {} : { match }), ...(texts === undefined ? {} : { texts }) };
}

function readRule(value: JsonValue, path: string, report: Report): SequenceRule | undefined {
  const object = readObject(value, path, report);
  if (object === undefined) return undefined;
  const id = object.required("id", (one, at) => readText(one, at, report, 128), "a name that no other rule has");
  const after = object.required(
    "after",
    (list, at) => readList(list, at, report, 8, (one, oneAt) => readMarkName(one, oneAt, report)),
    "a list of marks",
  );
  const match = object.required("match", readMatch, "what may not come after them");
  const effect = object.required(
    "effect",
    (one, at) => readOneOf(one, at, report, ["review", "block"]),
    "review or block",
  );
  const within = object.optional("within", (one, at) => readSeconds(one, at, report, MARKS_KEPT));
  object.close();
  if (id === undefined || after === undefined || match === undefined || effect === undefined) return undefined;
  return { id, after, match, effect, within: within ?? MARKS_KEPT };
}

function readMarkName(value: JsonValue, path: string, report: Report): string | undefined {
  if (typeof value === "string" && MARK.test(value)) return value;
  report("policy.wrong_value", path, "this is not the name of a mark", "a letter, then up to 39 of a-z 0-9 _");
  return undefined;
}

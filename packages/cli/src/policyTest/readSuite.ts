import {
  type Ask,
  type Instant,
  isObject,
  type JsonObject,
  type JsonValue,
  parseDecimal,
  parseInstant,
  suggest,
  type Verdict,
} from "@countersign/core";
import { askOf } from "../ask.ts";
import { refuse } from "../exit.ts";
import { timeOf } from "../now.ts";
import type { Before } from "../offlineFacts.ts";

/** One ask, and what has to become of it. */
export interface TestCase {
  readonly name: string;
  readonly path: string;
  readonly ask: Ask;
  readonly now: Instant;
  readonly before: Before;
  readonly want: Verdict;
  /** Clauses that have to permit it, all of them. */
  readonly by: readonly string[] | undefined;
  /** Codes that have to be among the findings. */
  readonly codes: readonly string[];
  /** What the remedy has to say; null: that there is none. */
  readonly remedy: string | null | undefined;
}

export interface TestSuite {
  /** The policy it names, seen from its own folder; undefined: the one beside it. */
  readonly policy: string | undefined;
  readonly cases: readonly TestCase[];
}

const SUITE = ["policy", "now", "cases"];
const CASE = ["name", "ask", "want", "by", "codes", "remedy", "now", "spent", "marks"];
const VERDICTS = ["allow", "review", "block"] as const;

/**
 * `{policy?, now?, cases: [{name, ask, want, by?, codes?, remedy?, now?, spent?, marks?}]}`. Strict: a mistyped key would
 * be an expectation that is never held. What is wrong ends the command.
 */
export function readSuite(document: JsonValue, file: string): TestSuite {
  const reader = new SuiteReader(file);
  const suite = reader.object(document, "", SUITE);
  const policy = suite["policy"] === undefined ? undefined : reader.text(suite["policy"], "/policy");
  const now = reader.time(suite["now"], "/now") ?? timeOf(undefined);
  const list = suite["cases"];
  if (!Array.isArray(list) || list.length === 0) return reader.wrong("/cases", "a list of cases");
  const cases = list.map((one: JsonValue, at) => readCase(reader, one, `/cases/${at}`, now));
  const names = new Set<string>();
  for (const { name, path } of cases) {
    if (names.has(name)) return reader.wrong(`${path}/name`, "a name that no other case has");
    names.add(name);
  }
  return { policy, cases };
}

function readCase(reader: SuiteReader, value: JsonValue, path: string, now: Instant): TestCase {
  const one = reader.object(value, path, CASE);
  const name = reader.text(one["name"], `${path}/name`);
  const want = VERDICTS.find((verdict) => verdict === one["want"]);
  if (want === undefined) return reader.wrong(`${path}/want`, VERDICTS.join(", "));
  if (!isObject(one["ask"] ?? null)) return reader.wrong(`${path}/ask`, "{action?, material?}");
  const spent = one["spent"] === undefined ? undefined : readSpent(reader, one["spent"], `${path}/spent`);
  const marks = one["marks"] === undefined ? undefined : reader.texts(one["marks"], `${path}/marks`);
  const { remedy } = one;
  if (remedy !== undefined && remedy !== null && typeof remedy !== "string")
    return reader.wrong(`${path}/remedy`, "what the remedy says, or null for none");
  return {
    name,
    path,
    ask: askOf(one["ask"] as JsonObject, `${reader.file}, ${path}/ask`),
    now: reader.time(one["now"], `${path}/now`) ?? now,
    before: { ...(spent === undefined ? {} : { spent }), ...(marks === undefined ? {} : { marks }) },
    want,
    by: one["by"] === undefined ? undefined : reader.texts(one["by"], `${path}/by`),
    codes: one["codes"] === undefined ? [] : reader.texts(one["codes"], `${path}/codes`),
    remedy,
  };
}

/** An amount for every budget, or one for each that is named. */
function readSpent(reader: SuiteReader, value: JsonValue, path: string): NonNullable<Before["spent"]> {
  const amount = (one: JsonValue, at: string): string =>
    typeof one === "string" && parseDecimal(one).ok ? one : reader.wrong(at, 'an amount such as "40.00"');
  if (!isObject(value)) return amount(value, path);
  return new Map(Object.entries(value).map(([id, one]) => [id, amount(one, `${path}/${id}`)]));
}

class SuiteReader {
  readonly file: string;

  constructor(file: string) {
    this.file = file;
  }

  wrong(path: string, expected: string): never {
    return refuse({ code: "test.malformed", message: "this is no test of a policy", path, expected }, this.file);
  }

  object(value: JsonValue, path: string, known: readonly string[]): JsonObject {
    if (!isObject(value)) return this.wrong(path, `an object of ${known.join(", ")}`);
    const unknown = Object.keys(value).find((key) => !known.includes(key));
    if (unknown === undefined) return value;
    const meant = suggest(unknown, known);
    return this.wrong(`${path}/${unknown}`, meant ?? known.join(", "));
  }

  text(value: JsonValue | undefined, path: string): string {
    return typeof value === "string" && value !== "" ? value : this.wrong(path, "text");
  }

  texts(value: JsonValue, path: string): readonly string[] {
    return Array.isArray(value)
      ? value.map((one: JsonValue, at) => this.text(one, `${path}/${at}`))
      : this.wrong(path, "a list of texts");
  }

  time(value: JsonValue | undefined, path: string): Instant | undefined {
    if (value === undefined) return undefined;
    const read = parseInstant(value);
    return read.ok ? read.value : this.wrong(path, "RFC 3339, such as 2027-01-31T12:00:00Z");
  }
}

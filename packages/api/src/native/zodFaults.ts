import { pointerOf, suggest } from "@countersign/core";
import * as z from "zod/mini";
import type { Fault } from "../problem.ts";
import { shownKey } from "../schema/shownKey.ts";

/** More than this is not told at once. */
const MOST_FAULTS = 20;

/** What a schema refused of an input, in our words: the library's own messages quote what was sent. */
export function zodFaults(schema: z.core.$ZodType, input: unknown, error: z.core.$ZodError): [Fault, ...Fault[]] {
  const faults = error.issues.flatMap((issue) => faultsOf(schema, input, issue)).slice(0, MOST_FAULTS);
  const [first = { path: "", ...REFUSED }, ...rest] = faults;
  return [first, ...rest];
}

const REFUSED = { message: "this is not as its schema says" };

function faultsOf(schema: z.core.$ZodType, input: unknown, issue: z.core.$ZodIssue): Fault[] {
  const steps = issue.path.map((step) => (typeof step === "number" ? step : shownKey(String(step))));
  if (issue.code !== "unrecognized_keys") {
    const missing = issue.path.length > 0 && at(input, issue.path) === undefined;
    return [{ path: pointerOf(steps), ...(missing ? MISSING : wordsOf(issue)) }];
  }
  const names = namesAt(schema, issue.path);
  return issue.keys.map((key) => {
    const meant = suggest(key, names);
    return {
      path: pointerOf([...steps, shownKey(key)]),
      message: `this member is not known here${meant === undefined ? "" : `; did you mean ${meant}?`}`,
      expected: names.join(", "),
    };
  });
}

const MISSING = { message: "this member is missing", expected: "a value" };

function wordsOf(issue: z.core.$ZodIssue): { readonly message: string; readonly expected?: string } {
  switch (issue.code) {
    case "invalid_type":
      return { message: `this has to be of type ${issue.expected}`, expected: issue.expected };
    case "invalid_value":
      return {
        message: "this is not one of the values that it can have",
        expected: issue.values.map(String).join(", "),
      };
    case "too_small":
      return isNumber(issue)
        ? { message: "this is too small", expected: `at least ${issue.minimum}` }
        : { message: "this is too short", expected: `a length of at least ${issue.minimum}` };
    case "too_big":
      return isNumber(issue)
        ? { message: "this is too large", expected: `at most ${issue.maximum}` }
        : { message: "this is too long", expected: `a length of at most ${issue.maximum}` };
    case "invalid_format":
      return {
        message: "this text is not of the form it must have",
        expected: String(issue["pattern"] ?? issue.format),
      };
    default:
      return REFUSED;
  }
}

function at(input: unknown, path: readonly PropertyKey[]): unknown {
  let value = input;
  for (const step of path) {
    if (typeof value !== "object" || value === null || !Object.hasOwn(value, step)) return undefined;
    value = (value as Readonly<Record<PropertyKey, unknown>>)[step];
  }
  return value;
}

/** The members that an object at a path could have. */
function namesAt(schema: z.core.$ZodType, path: readonly PropertyKey[]): readonly string[] {
  let here: z.core.$ZodType | undefined = schema;
  for (const step of [...path, undefined]) {
    while (here instanceof z.ZodMiniOptional || here instanceof z.ZodMiniNullable) here = here.def.innerType;
    if (step === undefined) break;
    if (here instanceof z.ZodMiniArray) here = here.def.element;
    else if (here instanceof z.ZodMiniObject) here = (here.def.shape as z.core.$ZodShape)[String(step)];
    else return [];
  }
  return here instanceof z.ZodMiniObject ? Object.keys(here.def.shape) : [];
}

const isNumber = ({ origin }: { readonly origin: string }): boolean => origin === "number" || origin === "int";

import { err, type JsonValue, jsonLimits, ok, parseJson, type Result } from "@countersign/core";
import { isMap, isScalar, isSeq, LineCounter, type Node, parseDocument } from "yaml";

/** Why a text was not read. */
export interface YamlError {
  readonly code: "yaml.malformed" | "yaml.refused" | "yaml.too_deep";
  readonly message: string;
  /** `line 3, column 7` */
  readonly path?: string;
  readonly expected?: string;
}

/**
 * Reads a document in YAML's core schema as JSON. Anchors, aliases and tags are refused: a policy says in one place what it
 * says. So are keys that are no strings, keys that come twice, and numbers that JSON has not or that a double would change.
 */
export function parseYaml(text: string): Result<JsonValue, YamlError> {
  const lines = new LineCounter();
  const at = (offset: number | undefined): string => {
    const { line, col } = lines.linePos(offset ?? 0);
    return `line ${line}, column ${col}`;
  };
  try {
    const document = parseDocument(text, {
      schema: "core",
      version: "1.2",
      strict: true,
      // The library compares every key with every other: keys are told apart below.
      uniqueKeys: false,
      merge: false,
      prettyErrors: false,
      // "silent" would pass over a second document.
      logLevel: "error",
      lineCounter: lines,
    });
    const fault = document.errors[0] ?? document.warnings[0];
    if (fault !== undefined) {
      // The library's message may quote the file.
      return err({
        code: "yaml.malformed",
        message: MESSAGES[fault.code] ?? "this is not YAML",
        path: at(fault.pos[0]),
      });
    }
    return ok(document.contents === null ? null : jsonOf(document.contents, 1, at));
  } catch (cause) {
    if (cause instanceof Refused) return err(cause.refusal);
    // Nested so deeply that the library gives up.
    if (cause instanceof RangeError) return err(TOO_DEEP);
    throw cause;
  }
}

const MESSAGES: Readonly<Record<string, string>> = {
  MULTIPLE_DOCS: "there is more than one document",
  TAB_AS_INDENT: "a tab is used to indent",
  TAG_RESOLVE_FAILED: "tags are not read here",
  BAD_ALIAS: "aliases are not read here",
};

const TOO_DEEP: YamlError = {
  code: "yaml.too_deep",
  message: "the document is nested too deeply",
  expected: `at most ${jsonLimits.depth} levels`,
};

class Refused extends Error {
  readonly refusal: YamlError;
  constructor(refusal: YamlError) {
    super(refusal.code);
    this.refusal = refusal;
  }
}

function jsonOf(node: Node | null, depth: number, at: (offset: number | undefined) => string): JsonValue {
  const refuse = (message: string, expected: string): never => {
    throw new Refused({ code: "yaml.refused", message, path: at(node?.range?.[0]), expected });
  };
  if (node === null) return null;
  if (node.tag !== undefined) return refuse("tags are not read here", "a plain value");
  if ("anchor" in node && node.anchor !== undefined) return refuse("anchors are not read here", "the value itself");
  if (isScalar(node))
    return typeof node.value === "number" ? number(node.source ?? "", refuse) : scalar(node.value, refuse);
  if (depth > jsonLimits.depth) throw new Refused(TOO_DEEP);
  if (isSeq<Node | null>(node)) return node.items.map((item) => jsonOf(item, depth + 1, at));
  if (!isMap<Node, Node | null>(node)) return refuse("aliases are not read here", "the value itself");
  const members = new Map<string, JsonValue>();
  for (const { key, value } of node.items) {
    if (!isScalar(key) || typeof key.value !== "string" || key.anchor !== undefined || key.tag !== undefined)
      return refuse("a key is not a string", "a string, in quotes where it reads as something else");
    if (HALF.test(key.value)) return refuse(HALF_MESSAGE, "whole characters");
    if (members.has(key.value))
      throw new Refused({ code: "yaml.malformed", message: "a key is there twice", path: at(key.range?.[0]) });
    members.set(key.value, jsonOf(value, depth + 1, at));
  }
  return Object.fromEntries(members);
}

type Refuse = (message: string, expected: string) => never;

/** An escape can write half of a character, which no JSON text holds. */
const HALF = /\p{Cs}/u;
const HALF_MESSAGE = "half of a surrogate pair stands alone";

function scalar(value: unknown, refuse: Refuse): JsonValue {
  if (typeof value === "string" && HALF.test(value)) return refuse(HALF_MESSAGE, "whole characters");
  if (value === null || typeof value === "string" || typeof value === "boolean") return value;
  return refuse("this is no JSON value", "a string, a number, true, false or null");
}

/** As JSON reads the same characters: hexadecimal, octal, `.5` and `.inf` are for other documents. */
function number(source: string, refuse: Refuse): JsonValue {
  const read = parseJson(source, jsonLimits, "plain");
  return read.ok
    ? read.value
    : refuse("this number is not one that JSON has and a double holds", "a plain number, or a string");
}

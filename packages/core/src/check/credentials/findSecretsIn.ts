import type { Finding } from "../../decision/finding.ts";
import { excessOf } from "../../json/measure.ts";
import { pointerOf } from "../../json/pointer.ts";
import type { JsonObject, JsonValue } from "../../json/value.ts";
import { findSecrets } from "./findSecrets.ts";
import { memberKind, type Role, roleOf, SEARCHED } from "./memberKind.ts";
import { redact } from "./redact.ts";

/** What kind of secret lies where in a value, and never what it is. */
export interface SecretFinding {
  readonly kind: string;
  /** JSON Pointer of the string that holds it, or of the member whose name does. Names that hold secrets are redacted. */
  readonly path: string;
}

/**
 * The secrets in a JSON value: in strings, in names of members, and in what a name says of its string (`"password": "…"`).
 * In document order, each kind once a place. A value beyond 1,000 levels or 2,000,000 nodes is not searched and gives the
 * kind `unsearched`, so that it is never taken for clean.
 */
export function findSecretsIn(value: JsonValue): readonly SecretFinding[] {
  if (excessOf(value, SEARCHED) !== undefined) return [{ kind: "unsearched", path: "" }];
  const found: SecretFinding[] = [];
  search(value, [], undefined, found);
  return found;
}

/** The same as findings of a decision. `at` is the pointer of the value in the ask. */
export function judgeCredentials(value: JsonValue, at: string): readonly Finding[] {
  return findSecretsIn(value).map(({ kind, path }) => ({
    check: "credentials",
    code: kind === "unsearched" ? "credentials.unsearched" : "credentials.found",
    severity: "block",
    path: at + path,
    message: kind === "unsearched" ? "too large to be searched for secrets" : `carries a secret of the kind ${kind}`,
    retry: "changed",
  }));
}

function search(value: JsonValue, path: (string | number)[], role: Role, found: SecretFinding[]): void {
  if (typeof value === "string") {
    for (const kind of kindsIn(value)) found.push({ kind, path: pointerOf(path) });
    return;
  }
  if (typeof value !== "object" || value === null) return;
  if (Array.isArray(value)) {
    for (const [index, item] of value.entries()) inside(path, index, () => search(item, path, undefined, found));
    return;
  }
  const object = value as JsonObject;
  for (const [name, member] of Object.entries(object)) {
    const inName = kindsIn(name);
    inside(path, inName.length === 0 ? name : redact(name), () => {
      for (const kind of inName) found.push({ kind, path: pointerOf(path) });
      const before = found.length;
      search(member, path, roleOf(object, name), found);
      const kind = found.length === before ? memberKind(object, name, role) : undefined;
      if (kind !== undefined) found.push({ kind, path: pointerOf(path) });
    });
  }
}

function inside(path: (string | number)[], segment: string | number, work: () => void): void {
  path.push(segment);
  work();
  path.pop();
}

function kindsIn(text: string): readonly string[] {
  const found = findSecrets(text);
  return found.length === 0 ? NONE : [...new Set(found.map(({ kind }) => kind))];
}

const NONE: readonly string[] = [];

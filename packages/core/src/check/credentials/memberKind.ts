import type { JsonObject, JsonValue } from "../../json/value.ts";
import { assignedKind, isKeyName } from "./assignment.ts";
import { looksLikePlaceholder } from "./randomness.ts";

/** How far a JSON value is searched: above what any face reads, so that only a caller in the same process can pass it. */
export const SEARCHED = { depth: 1000, nodes: 2_000_000 };

/** What an object is by where it stands: all strings of a cluster secret's data are secrets, whatever they look like. */
export type Role = "secret-data" | undefined;

export function roleOf(parent: JsonObject, name: string): Role {
  const isSecret = Object.hasOwn(parent, "kind") && parent["kind"] === "Secret";
  return isSecret && (name === "data" || name === "stringData") ? "secret-data" : undefined;
}

/** The kind of secret that a member is because of its name or of the object it is in; its own form is not looked at. */
export function memberKind(object: JsonObject, name: string, role: Role): string | undefined {
  const member = object[name];
  if (typeof member === "string") {
    if (role === "secret-data" && member !== "" && !looksLikePlaceholder(member)) return "kube-secret";
    if (isPrivateJwkMember(object, name) && member.length >= 16 && !looksLikePlaceholder(member)) return "jwk-private";
    return assignedKind(name, member);
  }
  return isKeyName(name) && isKeyBytes(member) ? "key-bytes" : undefined;
}

/** RFC 7518: "d" is the private part of an asymmetric key, "k" the whole of a symmetric one. */
const isPrivateJwkMember = (object: JsonObject, name: string): boolean =>
  (name === "d" || name === "k") && Object.hasOwn(object, "kty") && typeof object["kty"] === "string";

const isKeyBytes = (value: JsonValue | undefined): boolean =>
  Array.isArray(value) &&
  value.length >= 32 &&
  value.length <= 128 &&
  value.every((item) => typeof item === "number" && Number.isInteger(item) && item >= 0 && item < 256);

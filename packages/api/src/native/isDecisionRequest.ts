import { isObject, type JsonValue, KINDS, SURFACES, TEXT_SOURCES } from "@countersign/core";

type Is = (value: JsonValue) => boolean;

const text =
  (most: number): Is =>
  (value) =>
    typeof value === "string" && value.length > 0 && value.length <= most;

/** Names in other scripts are left to the schema: what tells which characters they may hold takes long to prepare. */
const name = (most: number): Is => matching(new RegExp(`^[ -~]{1,${most}}$`));

const matching =
  (pattern: RegExp): Is =>
  (value) =>
    typeof value === "string" && pattern.test(value);

const oneOf =
  (words: readonly string[]): Is =>
  (value) =>
    typeof value === "string" && words.includes(value);

const list =
  (item: Is, most: number): Is =>
  (value) =>
    Array.isArray(value) && value.length <= most && value.every(item);

const both =
  (one: Is, other: Is): Is =>
  (value) =>
    one(value) && other(value);

/** An object with these members and no others; those in `needed` have to be there. */
function object(members: Readonly<Record<string, Is>>, needed: readonly string[]): Is {
  const known = new Map(Object.entries(members));
  return (value) =>
    isObject(value) &&
    needed.every((member) => Object.hasOwn(value, member)) &&
    Object.keys(value).every((member) => known.get(member)?.(value[member] as JsonValue) === true);
}

const anyText: Is = (value) => typeof value === "string";
const anyObject: Is = (value) => isObject(value);
const address = matching(/^0x[0-9a-fA-F]{40}$/);

const action = object(
  {
    kind: oneOf(KINDS),
    verb: matching(/^[A-Za-z0-9._:-]{1,64}$/),
    target: text(16_384),
    counterparty: name(512),
    amount: object({ value: anyText, currency: anyText }, ["value", "currency"]),
    parameters: anyObject,
    assets: list(both(name(321), matching(/^[^:]{1,64}:.+$/)), 64),
    labels: list(name(120), 64),
    justification: text(8192),
  },
  ["kind", "verb", "target"],
);

const origin = object({ agent: name(128), domain: name(253), address: text(45) }, []);

const material = object(
  {
    texts: list(
      object({ surface: oneOf(SURFACES), text: anyText, source: oneOf(TEXT_SOURCES), from: origin }, [
        "surface",
        "text",
      ]),
      256,
    ),
    urls: list(anyText, 256),
    data: () => true,
    evidence: list(object({ source: name(512), observed_at: text(64) }, ["source"]), 256),
    calldata: object(
      {
        chain: matching(/^eip155:(?:0|[1-9][0-9]{0,19})$/),
        to: address,
        data: matching(/^0x(?:[0-9a-fA-F]{2})*$/),
        value: matching(/^(?:0|[1-9][0-9]{0,77})$/),
        from: address,
      },
      ["chain", "to", "data"],
    ),
    typed_data: anyObject,
  },
  [],
);

const request = object(
  { action, material, agent: name(128), session: name(128), idempotency_key: name(128), audience: name(512) },
  ["idempotency_key"],
);

/**
 * Whether a body is certainly as `decisionRequestSchema` has it. Never true where the schema refuses; false also where the
 * schema would have to look at more than this does. Several times as fast as the schema, and there at once: what is asked
 * is looked at before every decision.
 */
export const isDecisionRequest = (body: JsonValue): boolean => request(body);

import { KINDS } from "../../action/action.ts";
import { prepareFields } from "../../check/fields/fields.ts";
import { readFields } from "../../check/fields/readFields.ts";
import { SCHEMA_BOUNDS } from "../../check/schema/bounds.ts";
import { guardSchema } from "../../check/schema/guard.ts";
import { DEFAULT_URL_POLICY, type HostRule, type UrlPolicy, urlPolicyFaults } from "../../check/url/urlPolicy.ts";
import { pointerOf } from "../../json/pointer.ts";
import { isObject, type JsonValue } from "../../json/value.ts";
import { parseDuration, type Seconds } from "../../time/duration.ts";
import {
  type Contract,
  type EvidenceRules,
  NOBODY_TRUSTED,
  type SchemaContract,
  type Scope,
  type Screening,
  type TrustedSources,
} from "../effective.ts";
import type { Report } from "../problem.ts";
import { readBoolean, readList, readNumber, readObject, readOneOf, readText } from "../reader.ts";
import { reportRepeatedIds } from "../repeatedIds.ts";
import { isPlatform } from "../scope.ts";
import { trustedDomainFault, trustedRangeFault } from "../trustedSource.ts";

const LIST_LIMIT = 64;
const CONTRACT_LIMIT = 100;
const SCHEMA_LENGTH = 65_536;
const VERDICTS = ["allow", "review", "block"] as const;

/** Where the shipped thresholds stand; the scanner's scores are calibrated to them. */
export const DEFAULT_THRESHOLDS = { warn: 0.6, quarantine: 0.8, block: 0.95 } as const;

/** `evidence: {required?, trusted?, max_age?}` */
export function readEvidence(value: JsonValue, path: string, report: Report): EvidenceRules | undefined {
  const object = readObject(value, path, report);
  if (object === undefined) return undefined;
  const required = object.optional("required", (one, at) => readBoolean(one, at, report));
  const trusted = object.optional("trusted", (list, at) =>
    readList(list, at, report, LIST_LIMIT, (one, oneAt) => readText(one, oneAt, report), 0),
  );
  const maxAge = object.optional("max_age", readAges);
  object.close();
  return {
    required: required ?? true,
    trusted: trusted === undefined ? { everyone: true } : { only: trusted },
    maxAge: maxAge ?? {},
  };
}

function readAges(value: JsonValue, path: string, report: Report): { readonly [source: string]: Seconds } | undefined {
  if (!isObject(value)) {
    report("policy.wrong_type", path, "this has to be an object from source to duration", "{source: PT60S}");
    return undefined;
  }
  if (Object.keys(value).length > LIST_LIMIT) {
    const expected = `at most ${LIST_LIMIT} sources`;
    report("policy.out_of_range", path, `this can hold ${LIST_LIMIT} sources at most`, expected);
    return undefined;
  }
  const ages: [string, Seconds][] = [];
  for (const [source, text] of Object.entries(value)) {
    const age = parseDuration(text);
    if (age.ok) ages.push([source, age.value]);
    else report("policy.duration", path + pointerOf([source]), age.error.message, "an ISO 8601 duration such as PT60S");
  }
  return Object.fromEntries(ages);
}

/** Contracts of both kinds, as a document has them. */
export interface Contracts {
  readonly fields: readonly Contract[];
  readonly schemas: readonly SchemaContract[];
}

/** `contracts: [{id, fields, allow_extra?, required_for?} | {id, schema, required_for?}]` */
export function readContracts(value: JsonValue, path: string, report: Report, scope: Scope): Contracts | undefined {
  const read = readList(value, path, report, CONTRACT_LIMIT, (item, at) => readContract(item, at, report, scope));
  if (read === undefined) return undefined;
  reportRepeatedIds(read, path, report, "contract");
  return {
    fields: read.filter((one) => "fields" in one),
    schemas: read.filter((one) => "schema" in one),
  };
}

function readContract(
  value: JsonValue,
  path: string,
  report: Report,
  scope: Scope,
): Contract | SchemaContract | undefined {
  const object = readObject(value, path, report);
  if (object === undefined) return undefined;
  const id = object.required("id", (one, at) => readText(one, at, report, 128), "a name");
  const isSchema = object.has("schema");
  const fields = isSchema
    ? undefined
    : object.required("fields", (one, at) => readFieldRules(one, at, report), "an object from dot path to rule");
  const schema = isSchema ? object.optional("schema", (one, at) => readSchema(one, at, report)) : undefined;
  const allowExtra = isSchema ? undefined : object.optional("allow_extra", (one, at) => readBoolean(one, at, report));
  const requiredFor =
    object.optional("required_for", (list, at) =>
      readList(list, at, report, KINDS.length, (one, oneAt) => readOneOf(one, oneAt, report, KINDS), 0),
    ) ?? [];
  object.close();
  if (id === undefined) return undefined;
  if (schema !== undefined) return { scope, id, schema, compiled: null, requiredFor };
  if (fields === undefined) return undefined;
  const extra = (allowExtra ?? true) ? "allowed" : "refused";
  return { scope, id, fields: prepareFields({ fields, extra }), requiredFor };
}

function readFieldRules(value: JsonValue, path: string, report: Report) {
  const read = readFields(value);
  if (read.ok) return read.value;
  report("policy.contract", `${path}${read.error.path}`, read.error.message, read.error.expected);
  return undefined;
}

function readSchema(value: JsonValue, path: string, report: Report): JsonValue | undefined {
  if (typeof value !== "boolean" && !isObject(value)) {
    report("policy.wrong_type", path, "a schema is an object, or true or false", "a schema of JSON Schema 2020-12");
    return undefined;
  }
  const guarded = guardSchema(value, SCHEMA_BOUNDS);
  if (!guarded.ok) {
    report("policy.contract", path + guarded.error.path, guarded.error.message, "a schema of JSON Schema 2020-12");
    return undefined;
  }
  if (JSON.stringify(value).length <= SCHEMA_LENGTH) return value;
  report("policy.out_of_range", path, "this schema is too large", `at most ${SCHEMA_LENGTH} characters`);
  return undefined;
}

/** `screening: {mode, thresholds?, surfaces?, trusted_sources?}` */
export function readScreening(value: JsonValue, path: string, report: Report, scope: Scope): ScreeningPart | undefined {
  const object = readObject(value, path, report);
  if (object === undefined) return undefined;
  const mode = object.required(
    "mode",
    (one, at) => readOneOf(one, at, report, ["off", "observe", "nudge", "enforce"]),
    "off, observe, nudge or enforce",
  );
  const thresholds = object.optional("thresholds", (one, at) => {
    const inner = readObject(one, at, report);
    if (inner === undefined) return undefined;
    const level = (name: string) =>
      inner.required(name, (number, numberAt) => readNumber(number, numberAt, report, 0, 1), "0 to 1");
    const warn = level("warn");
    const quarantine = level("quarantine");
    const block = level("block");
    inner.close();
    if (warn === undefined || quarantine === undefined || block === undefined) return undefined;
    if (warn <= quarantine && quarantine <= block) return { warn, quarantine, block };
    report("policy.out_of_range", at, "the thresholds are not in order", "warn <= quarantine <= block");
    return undefined;
  });
  const surfaces = object.optional("surfaces", (one, at) => {
    const inner = readObject(one, at, report);
    if (inner === undefined) return undefined;
    const on = (name: string) => inner.optional(name, (flag, flagAt) => readBoolean(flag, flagAt, report)) ?? true;
    const read = {
      incoming: on("incoming"),
      outgoing: on("outgoing"),
      tool_calls: on("tool_calls"),
      tool_responses: on("tool_responses"),
    };
    inner.close();
    return read;
  });
  const trust = object.optional("trusted_sources", (one, at) => readTrust(one, at, report, scope));
  object.close();
  if (mode === undefined) return undefined;
  return {
    rules: {
      mode,
      thresholds: thresholds ?? DEFAULT_THRESHOLDS,
      surfaces: surfaces ?? { incoming: true, outgoing: true, tool_calls: true, tool_responses: true },
    },
    trust: trust ?? { sources: NOBODY_TRUSTED, ceiling: "listed", without: "nobody" },
  };
}

/** What one document says of screening. */
export interface ScreeningPart {
  readonly rules: Screening;
  readonly trust: Trust;
}

/**
 * What one document says of whom to trust. At the platform its lists are the ceiling for the scopes below; `open` names
 * the lists that set none. Below, `without` says what the lists count for where no document of the platform sets a
 * ceiling: natively for nobody, in the card dialect as they stand.
 */
export interface Trust {
  readonly sources: TrustedSources;
  readonly ceiling: "listed" | "none" | { readonly open: readonly (keyof TrustedSources)[] };
  readonly without: "nobody" | "as-listed";
}

/** `trusted_sources: {agents?, domains?, addresses?, ceiling?: none}`, the last at the platform only. */
function readTrust(value: JsonValue, path: string, report: Report, scope: Scope): Trust | undefined {
  const object = readObject(value, path, report);
  if (object === undefined) return undefined;
  const list = (key: string, faultOf: (text: string) => string | undefined, expected: string): readonly string[] =>
    object.optional(key, (items, at) =>
      readList(
        items,
        at,
        report,
        LIST_LIMIT,
        (one, oneAt) => {
          const text = readText(one, oneAt, report);
          const fault = text === undefined ? undefined : faultOf(text);
          if (fault !== undefined) report("policy.trusted_source", oneAt, fault, expected);
          return fault === undefined ? text : undefined;
        },
        0,
      ),
    ) ?? [];
  const agents = list("agents", (text) => (text.includes("*") ? "a wildcard is not a source" : undefined), "an agent");
  const domains = list("domains", trustedDomainFault, "a host name such as mail.example.com");
  const addresses = list("addresses", trustedRangeFault, "10.1.0.0/16, or one address");
  const ceiling = object.optional("ceiling", (one, at) => {
    if (isPlatform(scope)) return readOneOf(one, at, report, ["none", "listed"]);
    report("policy.scope", at, "only the platform sets a ceiling for whom to trust", "no ceiling here");
    return undefined;
  });
  object.close();
  return {
    sources: { agents, domains: domains.map((name) => name.toLowerCase()), addresses },
    ceiling: ceiling ?? "listed",
    without: "nobody",
  };
}

/**
 * `network: {schemes?, ports?, allow?, deny?, internal?, raw_public_address?, single_label_names?, unlisted_suffixes?,
 * homographs?, encoded_controls?, resolution?}`
 */
export function readNetwork(value: JsonValue, path: string, report: Report): UrlPolicy | undefined {
  const object = readObject(value, path, report);
  if (object === undefined) return undefined;
  const texts = (list: JsonValue, at: string) =>
    readList(list, at, report, LIST_LIMIT, (one, oneAt) => readText(one, oneAt, report), 0);
  const schemes = object.optional("schemes", (list, at) =>
    readList(list, at, report, 2, (one, oneAt) => readOneOf(one, oneAt, report, ["https", "http"])),
  );
  const ports = object.optional("ports", (list, at) =>
    readList(list, at, report, LIST_LIMIT, (one, oneAt) => readNumber(one, oneAt, report, 1, 65_535)),
  );
  const allow = object.optional("allow", (list, at) =>
    readList(list, at, report, LIST_LIMIT, (one, oneAt) => readHostRule(one, oneAt, report), 0),
  );
  const deny = object.optional("deny", (list, at) =>
    readList(list, at, report, LIST_LIMIT, (one, oneAt) => readHostRule(one, oneAt, report), 0),
  );
  const internal = object.optional("internal", (one, at) => {
    const inner = readObject(one, at, report);
    if (inner === undefined) return undefined;
    const read = { addresses: inner.optional("addresses", texts) ?? [], names: inner.optional("names", texts) ?? [] };
    inner.close();
    return read;
  });
  const verdict = (name: string) => object.optional(name, (one, at) => readOneOf(one, at, report, VERDICTS));
  const raw = verdict("raw_public_address");
  const single = verdict("single_label_names");
  const unlisted = verdict("unlisted_suffixes");
  const homographs = verdict("homographs");
  const controls = verdict("encoded_controls");
  const resolution = object.optional("resolution", (one, at) => readOneOf(one, at, report, ["required", "skipped"]));
  object.close();
  const read: UrlPolicy = {
    schemes: schemes ?? DEFAULT_URL_POLICY.schemes,
    ports: ports === undefined ? DEFAULT_URL_POLICY.ports : { only: ports },
    allow: allow === undefined ? { everyone: true } : { only: allow },
    deny: deny ?? [],
    internal: internal ?? { addresses: [], names: [] },
    rawPublicAddress: raw ?? DEFAULT_URL_POLICY.rawPublicAddress,
    singleLabelNames: single ?? DEFAULT_URL_POLICY.singleLabelNames,
    unlistedSuffixes: unlisted ?? DEFAULT_URL_POLICY.unlistedSuffixes,
    homographs: homographs ?? DEFAULT_URL_POLICY.homographs,
    encodedControls: controls ?? DEFAULT_URL_POLICY.encodedControls,
    resolution: resolution ?? DEFAULT_URL_POLICY.resolution,
    maxLength: DEFAULT_URL_POLICY.maxLength,
  };
  for (const fault of urlPolicyFaults(read)) {
    const expected = fault.startsWith("/internal/addresses") ? "10.1.0.0/16, or one address" : "the name of a host";
    report("policy.wrong_value", path + fault.replace("/only", ""), "this names nothing on a network", expected);
  }
  return read;
}

/** `api.example.com` is that host alone; `*.example.com` is the domain and everything below it. */
function readHostRule(value: JsonValue, path: string, report: Report): HostRule | undefined {
  const text = readText(value, path, report, 255);
  if (text === undefined) return undefined;
  if (text.startsWith("*.") && !text.slice(2).includes("*")) return { domain: text.slice(2) };
  if (!text.includes("*")) return { host: text };
  report("policy.wrong_value", path, "this is neither a host nor a domain", "api.example.com or *.example.com");
  return undefined;
}

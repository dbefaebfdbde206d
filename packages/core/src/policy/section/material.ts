import { KINDS } from "../../action/action.ts";
import { prepareFields } from "../../check/fields/fields.ts";
import { readFields } from "../../check/fields/readFields.ts";
import { DEFAULT_URL_POLICY, type HostRule, type UrlPolicy, urlPolicyFaults } from "../../check/url/urlPolicy.ts";
import { isObject, type JsonValue } from "../../json/value.ts";
import { parseDuration, type Seconds } from "../../time/duration.ts";
import type { Contract, EvidenceRules, Scope, Screening } from "../effective.ts";
import type { Report } from "../problem.ts";
import { readBoolean, readList, readNumber, readObject, readOneOf, readText } from "../reader.ts";

const LIST_LIMIT = 64;
const CONTRACT_LIMIT = 100;
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
  const ages: [string, Seconds][] = [];
  for (const [source, text] of Object.entries(value)) {
    const age = parseDuration(text);
    if (age.ok) ages.push([source, age.value]);
    else report("policy.duration", `${path}/${source}`, age.error.message, "an ISO 8601 duration such as PT60S");
  }
  return Object.fromEntries(ages);
}

/** `contracts: [{id, fields, allow_extra?, required_for?}]` */
export function readContracts(
  value: JsonValue,
  path: string,
  report: Report,
  scope: Scope,
): readonly Contract[] | undefined {
  return readList(value, path, report, CONTRACT_LIMIT, (item, at) => {
    const object = readObject(item, at, report);
    if (object === undefined) return undefined;
    const id = object.required("id", (one, oneAt) => readText(one, oneAt, report, 128), "a name");
    const fields = object.required(
      "fields",
      (one, oneAt) => {
        const read = readFields(one);
        if (read.ok) return read.value;
        report("policy.contract", `${oneAt}${read.error.path}`, read.error.message, read.error.expected);
        return undefined;
      },
      "an object from dot path to rule",
    );
    const allowExtra = object.optional("allow_extra", (one, oneAt) => readBoolean(one, oneAt, report));
    const requiredFor = object.optional("required_for", (list, listAt) =>
      readList(list, listAt, report, KINDS.length, (one, oneAt) => readOneOf(one, oneAt, report, KINDS), 0),
    );
    object.close();
    if (id === undefined || fields === undefined) return undefined;
    return {
      scope,
      id,
      fields: prepareFields({ fields, extra: (allowExtra ?? true) ? "allowed" : "refused" }),
      requiredFor: requiredFor ?? [],
    };
  });
}

/** `screening: {mode, thresholds?, surfaces?}` */
export function readScreening(value: JsonValue, path: string, report: Report): Screening | undefined {
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
  object.close();
  if (mode === undefined) return undefined;
  return {
    mode,
    thresholds: thresholds ?? DEFAULT_THRESHOLDS,
    surfaces: surfaces ?? { incoming: true, outgoing: true, tool_calls: true, tool_responses: true },
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

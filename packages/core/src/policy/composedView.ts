import { SURFACES } from "../action/action.ts";
import type { HostRule, UrlPolicy } from "../check/url/urlPolicy.ts";
import { isObject, type JsonObject, type JsonValue } from "../json/value.ts";
import { formatDuration } from "../time/duration.ts";
import { formatInstant } from "../time/instant.ts";
import { wantsReview } from "./compose.ts";
import { assetKey } from "./composeProtection.ts";
import { BUCKETS, throughCeilings, trustAt } from "./composeTrust.ts";
import type { EffectivePolicy, EscalatedOperation, ForbiddenOperation } from "./effective.ts";
import { folded } from "./fold.ts";
import type { Names } from "./mandate.ts";
import type { PolicyPart, SectionName } from "./readPart.ts";
import { isPlatform } from "./scope.ts";
import { tells } from "./section/review.ts";

/** Which document put a value where it is. */
export interface Provenance {
  /** JSON Pointer into the view. */
  readonly path: string;
  readonly scope: string;
  /** Which of the two documents that a scope can have. */
  readonly document: "policy" | "card";
  readonly version: number | null;
}

export interface ComposedView {
  readonly policy: JsonObject;
  readonly provenance: readonly Provenance[];
}

/**
 * What is in force, for people and programs: sections that are asked scope by scope as they were written, the others as
 * they compose, and of every value the document that it comes from. Of documents that say the same the first is named.
 */
export function composedView(parts: readonly PolicyPart[], policy: EffectivePolicy): ComposedView {
  const origins = originsIn(parts);
  const view: { [section: string]: JsonValue } = {};
  for (const name of BESIDE) {
    const written = parts.filter(({ sections }) => sections[name] !== undefined);
    if (written.length === 0) continue;
    view[name] = written.map(({ scope, document }) => ({ scope, ...(document[name] as JsonObject) }));
    for (const [index, part] of written.entries()) origins.from(`/${name}/${index}`, part);
  }
  for (const [name, write] of WRITERS) {
    const section = write(policy, origins);
    if (section !== undefined) view[name] = section;
  }
  return { policy: view, provenance: origins.list };
}

/** Sections of which every scope's stands beside the others. */
const BESIDE = ["mandate", "spend", "sequence", "limits", "trade"] as const satisfies readonly SectionName[];

interface Origins {
  readonly parts: readonly PolicyPart[];
  readonly list: Provenance[];
  from(path: string, part: PolicyPart | undefined): void;
  /** The first document whose value is the one that stands. */
  first(path: string, says: (sections: PolicyPart["sections"]) => unknown, stands: unknown): void;
}

function originsIn(parts: readonly PolicyPart[]): Origins {
  const list: Provenance[] = [];
  const from: Origins["from"] = (path, part) => {
    if (part === undefined) return;
    const { scope, version, dialect } = part;
    list.push({ path, scope, document: dialect === "card" ? "card" : "policy", version });
  };
  return {
    parts,
    list,
    from,
    first(path, says, stands) {
      if (stands !== null && stands !== undefined)
        from(
          path,
          parts.find(({ sections }) => says(sections) === stands),
        );
    },
  };
}

type Writer = (policy: EffectivePolicy, origins: Origins) => JsonValue | undefined;

const WRITERS: readonly (readonly [name: string, write: Writer])[] = [
  ["contracts", writeContracts],
  ["evidence", writeEvidence],
  ["screening", writeScreening],
  ["protected", writeProtected],
  ["review", writeReview],
  ["network", writeNetwork],
  ["tools", writeTools],
  ["content", writeContent],
  ["expires", writeExpiries],
  [
    "observe_until",
    ({ enforcement }) => (enforcement === "enforce" ? undefined : formatInstant(enforcement.observe.until)),
  ],
];

function writeContracts(_: EffectivePolicy, { parts, from }: Origins): JsonValue | undefined {
  const written = parts.flatMap((part) =>
    part.sections.contracts === undefined
      ? []
      : (part.document["contracts"] as readonly JsonObject[]).map((contract) => ({ part, contract })),
  );
  for (const [index, { part }] of written.entries()) from(`/contracts/${index}`, part);
  return written.length === 0 ? undefined : written.map(({ part, contract }) => ({ scope: part.scope, ...contract }));
}

function writeEvidence({ evidence }: EffectivePolicy, { parts, from, first }: Origins): JsonValue | undefined {
  if (evidence === null) return undefined;
  const { required, trusted, maxAge } = evidence;
  first("/evidence/required", (sections) => sections.evidence?.required, required);
  for (const part of parts) {
    const own = part.sections.evidence?.trusted;
    if (own !== undefined && "only" in own) from("/evidence/trusted", part);
  }
  for (const [source, age] of Object.entries(maxAge))
    first(`/evidence/max_age/${escaped(source)}`, (sections) => sections.evidence?.maxAge[source], age);
  return {
    required,
    ...("only" in trusted ? { trusted: [...trusted.only] } : {}),
    max_age: Object.fromEntries(Object.entries(maxAge).map(([source, age]) => [source, formatDuration(age)])),
  };
}

function writeScreening(
  { screening, trusted }: EffectivePolicy,
  { parts, from, first }: Origins,
): JsonValue | undefined {
  if (screening === null) return undefined;
  const { mode, thresholds, surfaces } = screening;
  first("/screening/mode", (sections) => sections.screening?.rules.mode, mode);
  for (const name of ["warn", "quarantine", "block"] as const)
    first(`/screening/thresholds/${name}`, (sections) => sections.screening?.rules.thresholds[name], thresholds[name]);
  for (const name of SURFACES)
    first(`/screening/surfaces/${name}`, (sections) => sections.screening?.rules.surfaces[name], surfaces[name]);
  const ceilings = trustAt(parts, isPlatform);
  for (const bucket of BUCKETS) {
    for (const [index, entry] of trusted[bucket].entries()) {
      // The platform's list is a ceiling; whoever trusts stands below it.
      const part = parts.find(({ scope, sections: { screening: own } }) => {
        if (own === undefined || isPlatform(scope)) return false;
        return own.trust.sources[bucket].some((one) =>
          throughCeilings(bucket, one, own.trust, ceilings).includes(entry),
        );
      });
      from(`/screening/trusted_sources/${bucket}/${index}`, part);
    }
  }
  const sources = Object.fromEntries(BUCKETS.map((bucket) => [bucket, [...trusted[bucket]]]));
  return { mode, thresholds: { ...thresholds }, surfaces: { ...surfaces }, trusted_sources: sources };
}

function writeProtected({ protection }: EffectivePolicy, { parts, from }: Origins): JsonValue | undefined {
  const { assets, forbidden, escalations } = protection;
  if (assets.length + forbidden.length + escalations.length === 0) return undefined;
  const surfaces = parts.flatMap((part) =>
    part.sections.protected === undefined ? [] : [{ part, own: part.sections.protected }],
  );
  for (const [index, asset] of assets.entries()) {
    const named = surfaces.find(({ own }) => own.assets.some((one) => assetKey(one) === assetKey(asset)));
    from(`/protected/assets/${index}`, named?.part);
  }
  const lists = { forbidden_operations: "forbidden", escalation_required: "escalations" } as const;
  for (const [name, list] of Object.entries(lists)) {
    for (const [index, operation] of protection[list].entries()) {
      const path = `/protected/${name}/${index}`;
      const key = folded(operation.pattern);
      const written = surfaces.flatMap(({ part, own }) =>
        own[list].filter(({ pattern }) => folded(pattern) === key).map((one) => ({ part, one })),
      );
      from(path, written.find(({ part }) => part.scope === operation.scope)?.part);
      const heaviest = written.find(({ one }) => "severity" in one && one.severity === severityOf(operation));
      if (heaviest !== undefined) from(`${path}/severity`, heaviest.part);
      if (operation.appliesTo !== null) for (const { part } of written) from(`${path}/applies_to`, part);
    }
  }
  return {
    assets: assets.map(({ scope: _, ...asset }) => ({ ...asset })),
    forbidden_operations: forbidden.map((one) => ({ ...operation(one), severity: one.severity })),
    escalation_required: escalations.map(operation),
  };
}

const severityOf = (operation: EscalatedOperation | ForbiddenOperation): string | undefined =>
  "severity" in operation ? operation.severity : undefined;

function writeReview({ review }: EffectivePolicy, { parts, from, first }: Origins): JsonValue | undefined {
  if (review === null) return undefined;
  const { enabled, gateOn, onTimeout, sla, notice, notify, approvers } = review;
  first("/review/enabled", ({ review: own }) => own && (wantsReview(own) || own.enabled), enabled);
  for (const name of SURFACES)
    first(`/review/gate_on/${name}`, (sections) => sections.review?.gateOn[name], gateOn[name]);
  first("/review/on_timeout", (sections) => sections.review?.onTimeout, onTimeout);
  first("/review/sla_seconds", (sections) => sections.review?.sla, sla);
  first("/review/notice", (sections) => sections.review?.notice, notice);
  for (const name of ["sse", "webhooks"] as const)
    for (const part of parts)
      if (part.sections.review !== undefined && tells(part.sections.review.notify[name]))
        from(`/review/notify/${name}`, part);
  first(
    "/review/notify/remind_before_seconds",
    (sections) => sections.review?.notify.remindBefore,
    notify.remindBefore,
  );
  first("/review/approvers", (sections) => sections.review?.approvers, approvers);
  return {
    enabled,
    gate_on: { ...gateOn },
    on_timeout: onTimeout,
    ...(sla === null ? {} : { sla_seconds: sla }),
    ...(notice === null ? {} : { notice }),
    notify: {
      sse: toldTo(notify.sse),
      webhooks: toldTo(notify.webhooks),
      ...(notify.remindBefore === null ? {} : { remind_before_seconds: notify.remindBefore }),
    },
    approvers,
  };
}

function writeContent({ content }: EffectivePolicy, { first }: Origins): JsonValue | undefined {
  if (content === null) return undefined;
  first("/content/keep", (sections) => sections.content?.keep, content.keep);
  first("/content/for", (sections) => sections.content?.for, content.for);
  return { keep: content.keep, ...(content.for === null ? {} : { for: formatDuration(content.for) }) };
}

const toldTo = (names: Names): JsonValue => ("everyone" in names ? true : names.only.length > 0 && [...names.only]);

const WEIGHTS = [
  ["raw_public_address", "rawPublicAddress"],
  ["single_label_names", "singleLabelNames"],
  ["unlisted_suffixes", "unlistedSuffixes"],
  ["homographs", "homographs"],
  ["encoded_controls", "encodedControls"],
  ["resolution", "resolution"],
] as const satisfies readonly (readonly [name: string, key: keyof UrlPolicy])[];

function writeNetwork({ network }: EffectivePolicy, { parts, from, first }: Origins): JsonValue | undefined {
  if (network === null) return undefined;
  const { allow, deny, ports, schemes, internal } = network;
  for (const part of parts) if (part.sections.network !== undefined) from("/network", part);
  for (const part of parts) {
    const written = part.document["network"];
    if (part.sections.network === undefined || written === undefined || !isObject(written)) continue;
    // Lists meet: whoever wrote one has a part in what is left.
    for (const name of ["schemes", "ports", "allow", "internal"] as const)
      if (written[name] !== undefined) from(`/network/${name}`, part);
  }
  const denied = parts.flatMap((part) => (part.sections.network?.deny ?? []).map((rule) => ({ part, rule })));
  for (const [index, rule] of deny.entries())
    from(`/network/deny/${index}`, denied.find((one) => hostRule(one.rule) === hostRule(rule))?.part);
  for (const [name, key] of WEIGHTS) first(`/network/${name}`, (sections) => sections.network?.[key], network[key]);
  return {
    schemes: [...schemes],
    ...("only" in ports ? { ports: [...ports.only] } : {}),
    ...("only" in allow ? { allow: allow.only.map(hostRule) } : {}),
    deny: deny.map(hostRule),
    internal: { addresses: [...internal.addresses], names: [...internal.names] },
    ...Object.fromEntries(WEIGHTS.map(([name, key]) => [name, network[key]])),
  };
}

function writeTools({ tools }: EffectivePolicy, { parts, from }: Origins): JsonValue | undefined {
  const mapped = tools.flatMap(({ tool, scope }) =>
    parts.flatMap((part) => {
      const written = part.scope === scope ? toolOf(part, tool) : undefined;
      return written === undefined ? [] : [{ part, written }];
    }),
  );
  for (const [index, { part }] of mapped.entries()) from(`/tools/${index}`, part);
  return mapped.length === 0 ? undefined : mapped.map(({ written }) => written);
}

function writeExpiries({ expiries }: EffectivePolicy): JsonValue | undefined {
  if (expiries.length === 0) return undefined;
  return expiries.map(({ scope, until }) => ({ scope, until: formatInstant(until.until) }));
}

const escaped = (step: string): string => step.replaceAll("~", "~0").replaceAll("/", "~1");

const operation = ({ pattern, reason, appliesTo }: EscalatedOperation): JsonObject => ({
  pattern,
  ...(reason === undefined ? {} : { reason }),
  ...(appliesTo === null ? {} : { applies_to: [...appliesTo] }),
});

const hostRule = (rule: HostRule): string => ("host" in rule ? rule.host : `*.${rule.domain}`);

const toolOf = ({ document }: PolicyPart, tool: string): JsonValue | undefined =>
  (document["tools"] as readonly JsonObject[] | undefined)?.find((one) => one["tool"] === tool);

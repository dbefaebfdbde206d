import { SURFACES } from "../action/action.ts";
import type { HostRule } from "../check/url/urlPolicy.ts";
import type { JsonObject, JsonValue } from "../json/value.ts";
import { formatDuration } from "../time/duration.ts";
import { formatInstant } from "../time/instant.ts";
import type { EffectivePolicy, EscalatedOperation, ForbiddenOperation } from "./effective.ts";
import type { PolicyPart, SectionName } from "./readPart.ts";

/** Which document put a value where it is. */
export interface Provenance {
  /** JSON Pointer into the view. */
  readonly path: string;
  readonly scope: string;
  readonly version: number | null;
}

/** Sections of which every scope's stands beside the others. */
const BESIDE = ["mandate", "spend", "sequence", "limits"] as const satisfies readonly SectionName[];

/**
 * What is in force, for people and programs: sections that are asked scope by scope as they were written, the others as
 * they compose, and of every value the document that it comes from. Of documents that say the same the first is named.
 */
export function composedView(
  parts: readonly PolicyPart[],
  policy: EffectivePolicy,
): { readonly policy: JsonObject; readonly provenance: readonly Provenance[] } {
  const provenance: Provenance[] = [];
  const from = (path: string, part: PolicyPart | undefined) => {
    if (part !== undefined) provenance.push({ path, scope: part.scope, version: part.version });
  };
  /** The first document whose value is the one that stands. */
  const first = (path: string, says: (part: PolicyPart) => unknown, stands: unknown) =>
    from(
      path,
      parts.find((part) => same(says(part), stands)),
    );
  const view: { [section: string]: JsonValue } = {};

  for (const name of BESIDE) {
    const written = parts.filter(({ sections }) => sections[name] !== undefined);
    if (written.length === 0) continue;
    view[name] = written.map(({ scope, document }) => ({ scope, ...(document[name] as JsonObject) }));
    for (const [index, part] of written.entries()) from(`/${name}/${index}`, part);
  }
  const contracts = parts.flatMap((part) =>
    part.sections.contracts === undefined
      ? []
      : (part.document["contracts"] as readonly JsonObject[]).map((contract) => ({ part, contract })),
  );
  if (contracts.length > 0)
    view["contracts"] = contracts.map(({ part, contract }) => ({ scope: part.scope, ...contract }));
  for (const [index, { part }] of contracts.entries()) from(`/contracts/${index}`, part);

  if (policy.evidence !== null) {
    const { required, trusted, maxAge } = policy.evidence;
    view["evidence"] = {
      required,
      ...("only" in trusted ? { trusted: [...trusted.only] } : {}),
      max_age: Object.fromEntries(Object.entries(maxAge).map(([source, age]) => [source, formatDuration(age)])),
    };
    first("/evidence/required", ({ sections }) => sections.evidence?.required, required);
    for (const part of parts)
      if (part.sections.evidence && "only" in part.sections.evidence.trusted) from("/evidence/trusted", part);
    for (const source of Object.keys(maxAge))
      first(
        `/evidence/max_age/${escaped(source)}`,
        ({ sections }) => sections.evidence?.maxAge[source],
        maxAge[source],
      );
  }
  if (policy.screening !== null) {
    const { mode, thresholds, surfaces } = policy.screening;
    view["screening"] = {
      mode,
      thresholds: { ...thresholds },
      surfaces: { ...surfaces },
      trusted_sources: {
        agents: [...policy.trusted.agents],
        domains: [...policy.trusted.domains],
        addresses: [...policy.trusted.addresses],
      },
    };
    first("/screening/mode", ({ sections }) => sections.screening?.rules.mode, mode);
    for (const name of ["warn", "quarantine", "block"] as const)
      first(
        `/screening/thresholds/${name}`,
        ({ sections }) => sections.screening?.rules.thresholds[name],
        thresholds[name],
      );
    for (const surface of SURFACES)
      first(
        `/screening/surfaces/${surface}`,
        ({ sections }) => sections.screening?.rules.surfaces[surface],
        surfaces[surface],
      );
    for (const bucket of ["agents", "domains", "addresses"] as const) {
      for (const [index, entry] of policy.trusted[bucket].entries())
        from(
          `/screening/trusted_sources/${bucket}/${index}`,
          parts.findLast(({ sections }) => sections.screening?.trust.sources[bucket].includes(entry)),
        );
    }
  }
  const { assets, forbidden, escalations } = policy.protection;
  if (assets.length + forbidden.length + escalations.length > 0) {
    view["protected"] = {
      assets: assets.map(({ scope: _, ...asset }) => ({ ...asset })),
      forbidden_operations: forbidden.map((one) => ({ ...operationView(one), severity: one.severity })),
      escalation_required: escalations.map(operationView),
    };
    const lists: [string, readonly { readonly scope: string }[]][] = [
      ["assets", assets],
      ["forbidden_operations", forbidden],
      ["escalation_required", escalations],
    ];
    for (const [name, list] of lists)
      for (const [index, { scope }] of list.entries())
        from(
          `/protected/${name}/${index}`,
          parts.find((part) => part.scope === scope && part.sections.protected),
        );
  }
  if (policy.review !== null) {
    const { enabled, gateOn, onTimeout, sla, notice, notify, approvers } = policy.review;
    view["review"] = {
      enabled,
      gate_on: { ...gateOn },
      on_timeout: onTimeout,
      ...(sla === null ? {} : { sla_seconds: sla }),
      ...(notice === null ? {} : { notice }),
      notify: { ...notify },
      approvers,
    };
    first("/review/enabled", ({ sections }) => sections.review?.enabled, enabled);
    for (const surface of SURFACES)
      first(`/review/gate_on/${surface}`, ({ sections }) => sections.review?.gateOn[surface], gateOn[surface]);
    first("/review/on_timeout", ({ sections }) => sections.review?.onTimeout, onTimeout);
    if (sla !== null) first("/review/sla_seconds", ({ sections }) => sections.review?.sla, sla);
    if (notice !== null) first("/review/notice", ({ sections }) => sections.review?.notice, notice);
    first("/review/approvers", ({ sections }) => sections.review?.approvers, approvers);
  }
  if (policy.network !== null) {
    const { allow, deny, ports, schemes, internal } = policy.network;
    view["network"] = {
      schemes: [...schemes],
      ...("only" in ports ? { ports: [...ports.only] } : {}),
      ...("only" in allow ? { allow: allow.only.map(hostRule) } : {}),
      deny: deny.map(hostRule),
      internal: { addresses: [...internal.addresses], names: [...internal.names] },
      raw_public_address: policy.network.rawPublicAddress,
      single_label_names: policy.network.singleLabelNames,
      unlisted_suffixes: policy.network.unlistedSuffixes,
      homographs: policy.network.homographs,
      encoded_controls: policy.network.encodedControls,
      resolution: policy.network.resolution,
    };
    for (const part of parts) if (part.sections.network !== undefined) from("/network", part);
  }
  if (policy.tools.length > 0) {
    const mapped = policy.tools.flatMap(({ tool, scope }) =>
      parts.flatMap((part) => {
        const written = part.scope === scope ? toolOf(part, tool) : undefined;
        return written === undefined ? [] : [{ part, written }];
      }),
    );
    view["tools"] = mapped.map(({ written }) => written);
    for (const [index, { part }] of mapped.entries()) from(`/tools/${index}`, part);
  }
  if (policy.expiries.length > 0)
    view["expires"] = policy.expiries.map(({ scope, until }) => ({ scope, until: formatInstant(until.until) }));
  if (policy.enforcement !== "enforce") view["observe_until"] = formatInstant(policy.enforcement.observe.until);
  return { policy: view, provenance };
}

const same = (a: unknown, b: unknown): boolean => a !== undefined && a !== null && a === b;

const escaped = (step: string): string => step.replaceAll("~", "~0").replaceAll("/", "~1");

function operationView({ pattern, reason, appliesTo }: EscalatedOperation | ForbiddenOperation): JsonObject {
  return {
    pattern,
    ...(reason === undefined ? {} : { reason }),
    ...(appliesTo === null ? {} : { applies_to: [...appliesTo] }),
  };
}

const hostRule = (rule: HostRule): string => ("host" in rule ? rule.host : `*.${rule.domain}`);

const toolOf = ({ document }: PolicyPart, tool: string): JsonValue | undefined =>
  (document["tools"] as readonly JsonObject[] | undefined)?.find((one) => one["tool"] === tool);

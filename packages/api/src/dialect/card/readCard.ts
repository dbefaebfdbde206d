import {
  canProduceOperation,
  DEFAULT_THRESHOLDS,
  digest,
  err,
  findSecretsIn,
  forSurfaces,
  type GateBand,
  isObject,
  type JsonObject,
  type JsonValue,
  type Names,
  ok,
  type PartReader,
  type PolicyPart,
  type PolicyProblem,
  parseInstant,
  type Result,
  type ReviewPart,
  redact,
  type Scope,
  type Seconds,
  type Sections,
  type Surface,
  type DEFAULT_THRESHOLDS as Thresholds,
  type Trust,
  trustedDomainFault,
  trustedRangeFault,
} from "@countersign/core";
import { type InputSchema, inputFaults } from "../../schema/inputFaults.ts";
import { cardInput, previewInput, templateInput } from "./schema.ts";

/** A card as its author wrote it. Every member may be missing in a template. */
export interface CardWire {
  readonly card_version?: string;
  readonly agent_id?: string;
  readonly mode?: "off" | "observe" | "nudge" | "enforce";
  readonly thresholds?: { readonly [Name in keyof typeof Thresholds]: number };
  readonly screen_surfaces?: Readonly<Partial<Record<Surface, boolean>>>;
  readonly trusted_sources?: Readonly<Partial<Record<"domains" | "agent_ids" | "ip_ranges", readonly string[]>>>;
  readonly protected_surface?: {
    readonly assets?: readonly AssetWire[];
    readonly forbidden_operations?: readonly ForbiddenWire[];
    readonly escalation_required?: readonly OperationWire[];
  };
  readonly review?: ReviewWire;
  readonly extensions?: JsonObject;
  readonly expires_at?: string | null;
}

interface AssetWire {
  readonly kind: string;
  readonly selector: string;
  readonly label?: string;
  readonly reason?: string;
}

interface OperationWire {
  readonly pattern: string;
  readonly reason?: string;
  readonly applies_to?: readonly string[];
}

interface ForbiddenWire extends OperationWire {
  readonly severity?: "low" | "medium" | "high" | "critical";
}

interface ReviewWire {
  readonly enabled: boolean;
  readonly gate_on?: Readonly<Partial<Record<Surface, GateBand>>>;
  readonly notify?: { readonly sse?: boolean; readonly webhooks?: boolean };
  readonly on_timeout?: "reject" | "release";
  readonly quarantine_notice?: string;
  readonly sla_seconds?: number;
}

/** Members that the gate assigns: whatever an author wrote there is replaced. */
const ASSIGNED = ["card_id", "issued_at", "version", "content_hash", "_composition", "warnings"] as const;

/** What is stored of a card: what its author wrote, and what the gate gave it. */
export interface StoredCard {
  readonly card: JsonObject;
  readonly card_id: string;
  readonly issued_at: string;
}

/** What an author wrote, without what is the gate's to say. */
export const authored = (card: JsonObject): JsonObject =>
  Object.fromEntries(Object.entries(card).filter(([name]) => !ASSIGNED.some((one) => one === name)));

/** Reads what is stored under `card:…`. */
export const readStoredCard: PartReader = (document, scope, version) => {
  const card = isObject(document) ? document["card"] : undefined;
  return readCard(card ?? null, scope, version);
};

/** Reads a card of a scope, with everything that is wrong with it. */
export const readCard: PartReader = (document, scope, version) =>
  read(document, scope, version, scope.startsWith("agent:") ? cardInput : templateInput);

/** Reads a draft of an agent's card, which has to say more. */
export const readDraft = (document: JsonValue): Result<PolicyPart, readonly PolicyProblem[]> => {
  const agent = isObject(document) && typeof document["agent_id"] === "string" ? document["agent_id"] : "";
  return read(document, `agent:${agent}`, null, previewInput);
};

function read(
  document: JsonValue,
  scope: Scope,
  version: number | null,
  schema: InputSchema,
): Result<PolicyPart, readonly PolicyProblem[]> {
  const faults = inputFaults(schema, document);
  if (faults.length > 0) {
    return err(
      faults.map(({ path, message, expected }) => ({
        code: "card.invalid",
        path: redact(path),
        message,
        ...(expected === undefined ? {} : { expected }),
      })),
    );
  }
  const card = document as CardWire;
  const problems: PolicyProblem[] = [];
  judge(card, scope, document, problems);
  const expires = card.expires_at === undefined || card.expires_at === null ? null : parseInstant(card.expires_at);
  if (expires !== null && !expires.ok)
    problems.push({ code: "policy.time", path: "/expires_at", message: expires.error.message });
  if (problems.length > 0) return err(problems);
  return ok({
    scope,
    version,
    digest: digest("countersign-policy-v1", [{ scope, card: authored(document as JsonObject) }]),
    sections: sectionsOf(card, scope),
    dialect: "card",
    document: document as JsonObject,
    exempted: [],
    expires: expires?.ok ? { until: expires.value, inclusive: false } : null,
    observe: null,
  });
}

/** What the schema cannot say. */
function judge(card: CardWire, scope: Scope, document: JsonValue, problems: PolicyProblem[]): void {
  const report = (code: string, path: string, message: string) => problems.push({ code, path, message });
  const { thresholds, trusted_sources: sources, protected_surface: surface, extensions, review } = card;
  for (const { path, kind } of findSecretsIn(document))
    report("policy.secret", path, `a card holds no secrets, and this looks like one (${kind})`);
  if (scope.startsWith("agent:") && card.agent_id !== undefined && scope !== `agent:${card.agent_id}`)
    report("card.agent", "/agent_id", "this is another agent than the address names");
  if (
    thresholds !== undefined &&
    !(thresholds.warn <= thresholds.quarantine && thresholds.quarantine <= thresholds.block)
  )
    report("card.thresholds", "/thresholds", "the thresholds are not in order: warn, quarantine, block");
  for (const [index, name] of (sources?.domains ?? []).entries()) {
    const fault = trustedDomainFault(name);
    if (fault !== undefined) report("card.trusted_source", `/trusted_sources/domains/${index}`, fault);
  }
  for (const [index, range] of (sources?.ip_ranges ?? []).entries()) {
    const fault = range.includes("/") ? trustedRangeFault(range) : "this is not a range in CIDR form";
    if (fault !== undefined) report("card.trusted_source", `/trusted_sources/ip_ranges/${index}`, fault);
  }
  for (const [index, { kind }] of (surface?.assets ?? []).entries())
    if (kind.includes(":")) report("card.asset", `/protected_surface/assets/${index}/kind`, "a kind has no colon");
  for (const list of ["forbidden_operations", "escalation_required"] as const) {
    for (const [index, { pattern }] of (surface?.[list] ?? []).entries()) {
      if (!canProduceOperation(pattern))
        report(
          "protected.unenforceable",
          `/protected_surface/${list}/${index}/pattern`,
          "no action can ever match this",
        );
    }
  }
  for (const name of Object.keys(extensions ?? {}))
    if (name.startsWith("mnemom.")) report("card.extension", "/extensions", "names that begin with mnemom. are taken");
  const reviewer = (review as { reviewer?: { kind: string; endpoint_url?: string } } | undefined)?.reviewer;
  if (reviewer?.kind === "endpoint" && reviewer.endpoint_url === undefined)
    report("card.reviewer", "/review/reviewer/endpoint_url", "an endpoint needs its address");
}

function sectionsOf(card: CardWire, scope: Scope): Sections {
  const { mode, thresholds, screen_surfaces, trusted_sources, protected_surface, review } = card;
  const screens = [mode, thresholds, screen_surfaces, trusted_sources].some((one) => one !== undefined);
  return {
    ...(screens
      ? {
          screening: {
            rules: {
              // A template without a mode asks for none.
              mode: mode ?? "off",
              thresholds: thresholds ?? DEFAULT_THRESHOLDS,
              surfaces: forSurfaces((surface) => screen_surfaces?.[surface] ?? true),
            },
            trust: trustOf(trusted_sources),
          },
        }
      : {}),
    ...(protected_surface === undefined ? {} : { protected: protectionOf(protected_surface, scope) }),
    ...(review === undefined ? {} : { review: reviewOf(review) }),
  };
}

/** An empty list of the platform sets no ceiling here, and no ceiling lets everything through. */
function trustOf(sources: CardWire["trusted_sources"] = {}): Trust {
  const lists = {
    agents: sources.agent_ids ?? [],
    domains: (sources.domains ?? []).map((name) => name.toLowerCase()),
    addresses: sources.ip_ranges ?? [],
  };
  const open = (["agents", "domains", "addresses"] as const).filter((bucket) => lists[bucket].length === 0);
  return { sources: lists, ceiling: { open }, without: "as-listed" };
}

function protectionOf(surface: NonNullable<CardWire["protected_surface"]>, scope: Scope) {
  const operation = ({ pattern, reason, applies_to = [] }: OperationWire) => ({
    scope,
    pattern,
    appliesTo: applies_to.length === 0 ? null : applies_to,
    ...(reason === undefined ? {} : { reason }),
  });
  return {
    assets: (surface.assets ?? []).map(({ kind, selector, label, reason }) => ({
      scope,
      kind,
      selector,
      ...(label === undefined ? {} : { label }),
      ...(reason === undefined ? {} : { reason }),
    })),
    forbidden: (surface.forbidden_operations ?? []).map((one) => ({
      ...operation(one),
      severity: one.severity ?? ("high" as const),
    })),
    escalations: (surface.escalation_required ?? []).map(operation),
  };
}

/** A card says whether, and never who. */
const toldIf = (flag: boolean | undefined): Names => (flag === true ? { everyone: true } : { only: [] });

/** Thirty days: what nobody has looked at by then, nobody will. */
const LONGEST_SLA = 2_592_000;

function reviewOf({ enabled, gate_on, notify, on_timeout, quarantine_notice, sla_seconds }: ReviewWire): ReviewPart {
  return {
    enabled,
    gateOn: forSurfaces((surface) => gate_on?.[surface] ?? null),
    onTimeout: on_timeout ?? null,
    sla: sla_seconds === undefined ? null : (Math.min(Math.floor(sla_seconds), LONGEST_SLA) as Seconds),
    notice: quarantine_notice === undefined || quarantine_notice === "" ? null : quarantine_notice,
    notify: { sse: toldIf(notify?.sse), webhooks: toldIf(notify?.webhooks), remindBefore: null },
    approvers: 1,
  };
}

import {
  type AuditPlace,
  type TradeFault,
  type TradeQuestion,
  tradeFault,
  writePlace,
  writeTrade,
} from "@countersign/api";
import {
  type ChainTradeFacts,
  digest,
  draftAdvice,
  err,
  evaluateTrade,
  formatDecimal,
  isObject,
  type JsonObject,
  type JsonValue,
  narrowTrade,
  newId,
  ok,
  parseJson,
  parseRecord,
  type Result,
  stopScopes,
  type TradeEvaluation,
  type TradeFacts,
  type TradeSettings,
  tradeError,
} from "@countersign/core";
import { adviceFor, type Caller } from "../../caller.ts";
import { type Funders, fundersOf, lossSubjects, NOT_ASKED, ownSubjects } from "./cluster.ts";
import { realisedLoss } from "./losses.ts";
import { type Tier, type TradeFace, trailOf } from "./ports.ts";

const MINUTE = 60_000;
const KEPT_FOR = 5 * MINUTE;
/** Trades a minute for which the chain is read at all. */
const MOST_READ = 100;

interface Asked {
  readonly question: TradeQuestion;
  readonly caller: Caller;
  readonly tier: Tier;
}

/** One verdict, recorded before anybody hears of it. A fault has no verdict, and no record. */
export async function evaluate(face: TradeFace, asked: Asked): Promise<Result<JsonObject, TradeFault>> {
  const { question, caller } = asked;
  const settings = await settingsFor(face, caller);
  if (!settings.ok) return settings;
  const wrong = tradeError(question, settings.value);
  if (wrong !== undefined) return err(tradeFault("invalid_request", wrong.message));
  const known = await gather(face, asked, settings.value);
  if (!known.ok) return known;
  if (known.value.kind === "answered") return ok(known.value.answer);
  const { facts, block, funders, key } = known.value;
  const request = { ...question, tier: asked.tier };
  const judged = evaluateTrade(request, facts, settings.value);
  if (!judged.ok) return err(tradeFault("invalid_request", judged.error.message));
  return record(face, asked, key, judged.value, factsText(facts, block, funders));
}

/** What the gate is set to, within what the policies of the caller allow. */
export async function settingsFor(
  { rules, policies, store }: TradeFace,
  caller: Caller,
): Promise<Result<TradeSettings, TradeFault>> {
  if (policies === null) return ok(rules.settings);
  const agent = adviceFor(caller);
  const known = await store.agent(caller.tenant, agent);
  if (!known.ok) return err(LOG_UNREAD);
  const teams = known.value?.teams ?? [];
  const effective = await policies.effective({ tenant: caller.tenant, agent, teams });
  return effective.ok ? ok(narrowTrade(rules.settings, effective.value?.trade ?? [])) : err(LOG_UNREAD);
}

type Gathered =
  | { readonly kind: "answered"; readonly answer: JsonObject }
  | {
      readonly kind: "facts";
      readonly facts: TradeFacts;
      readonly block: ChainTradeFacts["block"];
      readonly funders: Funders;
      /** Under which the answer is kept and given again; null where it is not. */
      readonly key: Key | null;
    };

interface Key {
  readonly key: string;
  readonly digest: string;
}

async function gather(
  face: TradeFace,
  asked: Asked,
  { denyTradesPerMinute }: TradeSettings,
): Promise<Result<Gathered, TradeFault>> {
  const { store, chain, rules } = face;
  const { caller, question } = asked;
  const { tenant } = caller;
  const agent = adviceFor(caller);
  const team = await store.agent(tenant, agent);
  if (!team.ok) return err(LOG_UNREAD);
  const key = keyOf(asked);
  const ledger = await store.facts(tenant, {
    agent,
    credential: caller.credential,
    scopes: stopScopes({ asker: { tenant, agent, teams: team.value?.teams ?? [] } }),
    spent: [],
    actionDigest: null,
    ...(key === null ? {} : { idempotency: key }),
  });
  if (!ledger.ok) return err(LOG_UNREAD);
  const { replay, stops } = ledger.value;
  if (replay === "conflict") return err(CONFLICT);
  // What was allowed before a stop is not said again after it: the stop is judged, and recorded, anew.
  const isOver = stops.length > 0 && replay !== null && storedIn(replay.answer)?.answer["decision"] !== "deny";
  if (replay !== null && !isOver) return again(face, tenant, replay.answer);
  const { symbol, address, side, amount, wallet } = question;
  const now = Math.floor(face.clock() / 1000);
  const own = await tradesOf(face, tenant, ownSubjects(rules, wallet, agent));
  // Each reading may cost a node a hundred requests, and long before this every verdict denies.
  if (own.known && own.value > MOST_READ)
    return err(tradeFault("rate_limited", `more than ${MOST_READ} trades a minute`));
  // Whoever is denied for the rate already is not worth a search either.
  const isSearched = own.known && own.value <= denyTradesPerMinute;
  const [told, funders] = await Promise.all([
    chain.facts({ symbol, address, side, amount, wallet, now }),
    isSearched ? fundersOf(face, wallet) : NOT_ASKED,
  ]);
  if (!told.ok) return err(tradeFault("chain_unavailable", told.error.message));
  const [others, realised] = await Promise.all([
    tradesOf(face, tenant, funders.subjects),
    realisedLoss(face, tenant, lossSubjects(rules, wallet, agent, funders)),
  ]);
  const { block, ...onChain } = told.value;
  return ok({
    kind: "facts",
    block,
    funders,
    key: isOver ? null : key,
    facts: {
      ...onChain,
      stopped: { known: true, value: stops.length > 0 },
      blocklisted: { known: true, value: rules.blocked.has(wallet) || rules.blocked.has(address) },
      funding: funders.funding,
      recentTrades: own.known && others.known ? { known: true, value: Math.max(own.value, others.value) } : UNCOUNTED,
      realisedLoss: realised,
    },
  });
}

const UNCOUNTED = { known: false, reason: "trades could not be counted" } as const;

/** One trade more for each of them, and how many the busiest had within a minute. */
async function tradesOf(
  { store }: TradeFace,
  tenant: string,
  subjects: readonly string[],
): Promise<TradeFacts["recentTrades"]> {
  const counted = await Promise.all(subjects.map((subject) => store.hit(tenant, `trade/${subject}`, MINUTE)));
  let most = 0;
  for (const one of counted) {
    if (!one.ok) return UNCOUNTED;
    most = Math.max(most, one.value);
  }
  return { known: true, value: most };
}

async function record(
  { store, clock, random, sha256 }: TradeFace,
  asked: Asked,
  key: Key | null,
  evaluation: TradeEvaluation,
  facts: JsonObject,
): Promise<Result<JsonObject, TradeFault>> {
  const { question, caller } = asked;
  const id = newId("adv", clock(), random);
  const answer = writeTrade(evaluation, question.requestId, null);
  const digests = {
    request: digest("countersign-action-v1", questionText(asked)),
    facts: digest("countersign-facts-v1", facts),
    answer: digest("countersign-record-v1", answer),
  };
  const advice = { dialect: "trade", id, agent: adviceFor(caller), outcome: evaluation.decision, digests };
  const committed = await store.commit(caller.tenant, {
    ...draftAdvice(advice, { random, sha256 }),
    chain: trailOf(question.wallet),
    ...(key === null ? {} : { idempotency: { ...key, answer: JSON.stringify({ id, answer }), keepFor: KEPT_FOR } }),
  });
  if (!committed.ok)
    return err(
      committed.error.code === "idempotency.conflict"
        ? CONFLICT
        : tradeFault("log_unavailable", "the verdict could not be recorded"),
    );
  // The same request was answered meanwhile, and that answer stands.
  const { chain, replayed } = committed.value;
  const stored = replayed?.answer == null ? undefined : storedIn(replayed.answer)?.answer;
  return ok({ ...(stored ?? answer), ...writePlace(chain) });
}

const LOG_UNREAD = tradeFault("log_unavailable", "the log could not be read");
const CONFLICT = tradeFault("request_id_conflict", "the request_id was used for another request");

/** Tiers have different answers, so a request_id of one says nothing at another. */
function keyOf(asked: Asked): Key | null {
  const { requestId } = asked.question;
  if (requestId === null) return null;
  const key = `trade/${asked.tier}/${asked.caller.credential}/${requestId}`;
  return { key, digest: digest("countersign-action-v1", questionText(asked)) };
}

/** What was asked, as it is digested: two spellings of one amount or address are one. */
const questionText = ({ question, tier }: Asked): JsonObject => ({
  wallet: question.wallet,
  asset: question.symbol,
  contract_address: question.address,
  side: question.side,
  amount: formatDecimal(question.amount),
  max_slippage_bps: question.maxSlippageBps,
  unregistered: question.unregistered,
  tier,
});

async function again({ store }: TradeFace, tenant: string, text: string): Promise<Result<Gathered, TradeFault>> {
  const stored = storedIn(text);
  const entries = stored === undefined ? undefined : await store.entriesAbout(tenant, stored.id);
  if (stored === undefined || entries?.ok !== true) return err(LOG_UNREAD);
  const places = entries.value.map(({ record: bytes }) => placeIn(bytes)).filter((place) => place !== null);
  return ok({ kind: "answered", answer: { ...stored.answer, ...writePlace(places[0] ?? null) } });
}

function placeIn(text: string): AuditPlace | null {
  const read = parseRecord(text);
  return read.ok && read.value.kind === "advice" ? read.value.chain : null;
}

const LIMITS = { bytes: 1 << 20, depth: 16 };

function storedIn(text: string): { readonly id: string; readonly answer: JsonObject } | undefined {
  const read = parseJson(text, LIMITS, "plain");
  const stored: JsonValue = read.ok ? read.value : null;
  if (!isObject(stored)) return undefined;
  const { id, answer } = stored;
  return typeof id === "string" && isObject(answer) ? { id, answer } : undefined;
}

/** What was known, as it is digested. */
function factsText(facts: TradeFacts, block: ChainTradeFacts["block"], funders: Funders): JsonObject {
  const { price, token, asset, market } = facts;
  return {
    block: { number: block.number, hash: block.hash },
    stopped: facts.stopped.known ? facts.stopped.value : null,
    blocklisted: facts.blocklisted.known ? facts.blocklisted.value : null,
    asset: asset.state,
    token: token.known
      ? { severity: token.value.severity, factors: token.value.factors, unknown: token.value.unknown }
      : null,
    price: price.state === "price" ? { usd: formatDecimal(price.usd), source: price.source } : null,
    market: market.open,
    funding: {
      state: facts.funding.state,
      funders: facts.funding.funders.map((one) => ({ ...one })),
      counted_with: funders.subjects,
    },
    recent_trades: facts.recentTrades.known ? facts.recentTrades.value : null,
    realised_loss: facts.realisedLoss.known ? formatDecimal(facts.realisedLoss.value) : null,
    pool_depth: facts.poolDepth === null ? null : formatDecimal(facts.poolDepth),
  };
}

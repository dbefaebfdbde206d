// A mandate beside policy engines that run in the same process, with rules and requests that mean the same. Nothing is
// parsed, digested or kept: only the decision is timed, over requests that match clauses all over the mandate.
import { createMongoAbility, subject as typed } from "@casl/ability";
import * as cedar from "@cedar-policy/cedar-wasm/nodejs";
import { compileMandate, evaluateByLoop, evaluateMandate, parseMoney, subjectOf } from "@countersign/core";
import { Environment } from "@marcbachmann/cel-js";
import { compare } from "./harness.mjs";

const money = (value) => parseMoney(String(value), "USD").value;
const partiesOf = (index) => ["a", "b", "c", "d"].map((letter) => `${letter}${index}`);

/** What every engine is given: permit a transfer under a prefix, to one of four, of at most so much. */
const selective = (count) =>
  Array.from({ length: count }, (_, index) => ({
    prefix: `acct/team-${index}/`,
    parties: partiesOf(index),
    most: 1000 + index,
  }));
/** Rules that no index of prefixes or parties tells apart: the amount alone does. */
const flat = (count) =>
  Array.from({ length: count }, (_, index) => ({ prefix: "acct/team/", parties: partiesOf(0), most: index + 1 }));

/** 32 requests, each of which one rule alone (of flat ones: one and those after it) permits; then two that none does. */
function requestsFor(rules) {
  const matching = Array.from({ length: 32 }, (_, number) => {
    const rule = rules[Math.floor((number * (rules.length - 1)) / 31)];
    return { target: `${rule.prefix}x`, counterparty: rule.parties[number % 4], amount: rule.most };
  });
  const [first] = matching;
  return [...matching, { ...first, target: "acct/nobody/x" }, { ...first, amount: 1e9 }];
}

function mandateOf(rules) {
  return {
    id: "bench",
    clauses: rules.map(({ prefix, parties, most }, index) => ({
      id: `c${index}`,
      effect: "allow",
      match: {
        kind: ["transaction"],
        verb: ["transfer"],
        targetPrefix: [prefix],
        counterparty: parties,
        maxAmount: money(most),
      },
    })),
    requiresHuman: [],
    otherwise: "block",
    matching: "native",
    verbs: "exact",
  };
}

function ours(rules, evaluate) {
  const mandate = mandateOf(rules);
  const subjects = requestsFor(rules).map(({ target, counterparty, amount }) => {
    const subject = subjectOf(
      { kind: "transaction", verb: "transfer", target, counterparty, amount: money(amount) },
      mandate,
    );
    return subject.value;
  });
  return turns(subjects, evaluate(mandate));
}
const byIndex = (mandate) => {
  const compiled = compileMandate(mandate);
  return (subject) => evaluateMandate(compiled, subject).effect === "allow";
};
const byLoop = (mandate) => (subject) => evaluateByLoop(mandate, subject).effect === "allow";

function casl(rules) {
  const ability = createMongoAbility(
    rules.map(({ prefix, parties, most }) => ({
      action: "transfer",
      subject: "transaction",
      conditions: { target: { $regex: `^${prefix}` }, counterparty: { $in: parties }, amount: { $lte: most } },
    })),
  );
  const requests = requestsFor(rules).map((request) => typed("transaction", request));
  return turns(requests, (request) => ability.can("transfer", request));
}

function celJs(rules) {
  const environment = new Environment({ unlistedVariablesAreDyn: true });
  const programs = rules.map(({ prefix, parties, most }) =>
    environment.parse(
      `kind == "transaction" && verb == "transfer" && target.startsWith("${prefix}") && ` +
        `counterparty in ${JSON.stringify(parties)} && amount <= ${most}.0`,
    ),
  );
  const requests = requestsFor(rules).map((request) => ({ kind: "transaction", verb: "transfer", ...request }));
  return turns(requests, (request) => programs.some((program) => program(request) === true));
}

const cedarText = (rules) =>
  rules
    .map(
      ({ prefix, parties, most }) =>
        `permit(principal, action == Action::"transfer", resource) when { context.target like "${prefix}*" && ` +
        `${JSON.stringify(parties)}.contains(context.counterparty) && context.amount <= ${most} };`,
    )
    .join("\n");

function cedarSet(id, rules) {
  const parsed = cedar.preparsePolicySet(id, { staticPolicies: cedarText(rules) });
  if (parsed.type !== "success") throw new Error(JSON.stringify(parsed.errors));
}

function cedarWasm(rules) {
  const id = `bench-${rules.length}`;
  cedarSet(id, rules);
  const requests = requestsFor(rules).map((context) => ({
    principal: { type: "Agent", id: "a" },
    action: { type: "Action", id: "transfer" },
    resource: { type: "Account", id: "x" },
    context,
    preparsedPolicySetId: id,
    entities: [],
  }));
  return turns(requests, (request) => {
    const answer = cedar.statefulIsAuthorized(request);
    if (answer.type !== "success") throw new Error(JSON.stringify(answer.errors));
    return answer.response.decision === "allow";
  });
}

/** Asks in turns, after every request was seen to be decided as it has to be. */
function turns(requests, decide) {
  for (const [number, request] of requests.entries()) {
    if (decide(request) !== number < 32) throw new Error(`request ${number} is decided otherwise`);
  }
  let turn = 0;
  return () => {
    turn = (turn + 1) % 32;
    return decide(requests[turn]);
  };
}

const many = selective(10_000);
const decides10000 = ours(many, byIndex);
for (const [peer, contender, floor, rounds] of [
  ["cedar-wasm", cedarWasm(many), 10_000, 7],
  ["casl", casl(many), 500, 11],
  ["cel-js", celJs(many), 1_000, 11],
]) {
  await compare({
    name: `mandate, 10,000 selective clauses, ${peer}`,
    contenders: { ours: decides10000, [peer]: contender },
    rounds,
    ratio: ["ours", peer],
    floor,
  });
}

await compare({
  name: "mandate, 10,000 clauses in at most 3x of 100",
  contenders: { "10,000": decides10000, 100: ours(selective(100), byIndex) },
  ratio: ["10,000", "100"],
  floor: 0.334,
});

const one = selective(1);
const decides1 = ours(one, byIndex);
for (const [peer, contender, floor] of [
  ["casl", casl(one), 0.5],
  ["cel-js", celJs(one), 0.5],
  ["cedar-wasm", cedarWasm(one), 30],
]) {
  await compare({
    name: `mandate, one clause, ${peer}`,
    contenders: { ours: decides1, [peer]: contender },
    ratio: ["ours", peer],
    floor,
  });
}

const same = flat(10_000);
for (const [peer, contender, floor] of [
  ["cel-js", celJs(same), 15],
  ["our loop", ours(same, byLoop), 0.8],
]) {
  await compare({
    name: `mandate, 10,000 clauses by amount alone, ${peer}`,
    contenders: { ours: ours(same, byIndex), [peer]: contender },
    rounds: 11,
    ratio: ["ours", peer],
    floor,
  });
}

let prepared = 0;
await compare({
  name: "mandate, 10,000 clauses prepared, cedar-wasm",
  contenders: {
    ours: () => compileMandate(mandateOf(many)),
    "cedar-wasm": () => {
      prepared += 1;
      cedarSet(`prepared-${prepared}`, many);
    },
  },
  rounds: 3,
  ratio: ["ours", "cedar-wasm"],
  floor: 10,
});

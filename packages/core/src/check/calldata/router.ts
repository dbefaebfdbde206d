import { type AbiValue, abiTypes, decodeAbi, type Work } from "./abi.ts";
import type { Account, Actor, MoveAmount } from "./move.ts";
import { movedBatch, PERMIT2_TYPES, permitBatch, permitSingle } from "./permit2Calls.ts";
import { type Call, int, list, type Sink, text } from "./rule.ts";
import { pathEnds } from "./swapCalls.ts";

/** Stand-ins that the router puts the real addresses for. */
const SENDER = "0x0000000000000000000000000000000000000001";
const ROUTER = "0x0000000000000000000000000000000000000002";
const NATIVE = "0x0000000000000000000000000000000000000000";
/** Amounts that mean what the router holds, and in V4 what is still owed. */
const CONTRACT_BALANCE = 1n << 255n;

interface Program {
  readonly call: Call;
  /** In a V4 plan: what its other steps pay in. */
  readonly settled?: Settled;
  readonly sink: Sink;
  readonly work: Work;
  readonly depth: number;
}

type Command = { readonly args: string; handle(args: readonly AbiValue[], program: Program): void };

const person = (address: string, { by, to }: Call): Actor =>
  address === SENDER ? by : address === ROUTER ? to : address;
const account = (address: string, call: Call): Account => {
  const who = person(address, call);
  return who === "signer" ? SENDER : who;
};
const asset = (token: string): Account | "native" => (token === NATIVE ? "native" : token);
/**
 * What the router itself holds came from earlier steps, which told of it: there is no more to pay. Asked of somebody
 * else it is a figure that anyone can raise.
 */
const amountOf = (amount: bigint, payer: Actor, { to }: Call): MoveAmount =>
  amount !== CONTRACT_BALANCE ? amount : payer === to ? 0n : "unlimited";

function swap(
  { call, sink }: Program,
  pays: { readonly token: string; readonly amount: bigint },
  gets: { readonly token: string; readonly least: bigint },
  recipient: string,
  payer: Actor,
): undefined {
  sink.move({
    kind: "swap",
    payer,
    pays: { token: asset(pays.token), amount: amountOf(pays.amount, payer, call) },
    gets: { token: asset(gets.token), least: gets.least },
    recipient: person(recipient, call),
    through: call.to,
  });
}

const unknown = ({ call, sink }: Program, reason: "command" | "arguments" | "too_much"): undefined =>
  sink.move({ kind: "unknown", to: call.to, selector: null, reason });

const v3 =
  (exact: "in" | "out"): Command["handle"] =>
  ([recipient, one, two, path, payerIsUser], program) => {
    const ends = pathEnds(text(path));
    if (ends === undefined) return unknown(program, "arguments");
    const [start, end] = exact === "in" ? ends : [ends[1], ends[0]];
    const [amount, least] = exact === "in" ? [int(one), int(two)] : [int(two), int(one)];
    const payer = payerIsUser === true ? program.call.by : program.call.to;
    swap(program, { token: start, amount }, { token: end, least }, text(recipient), payer);
  };

const v2 =
  (exact: "in" | "out"): Command["handle"] =>
  ([recipient, one, two, path, payerIsUser], program) => {
    const hops = list(path).map(text);
    const [start, end] = [hops[0], hops.at(-1)];
    if (start === undefined || end === undefined || hops.length < 2) return unknown(program, "arguments");
    const [amount, least] = exact === "in" ? [int(one), int(two)] : [int(two), int(one)];
    const payer = payerIsUser === true ? program.call.by : program.call.to;
    swap(program, { token: start, amount }, { token: end, least }, text(recipient), payer);
  };

/** From the router to somebody: of what earlier steps or the value of the call brought there. */
const pays =
  (amount: (value: bigint) => MoveAmount): Command["handle"] =>
  ([token, recipient, value], { call, sink }) => {
    const to = person(text(recipient), call);
    if (to === call.by || to === call.to) return;
    const figure = amount(int(value));
    if (asset(text(token)) === "native") {
      sink.move({
        kind: "native",
        from: call.to,
        to: account(text(recipient), call),
        amount: figure === "unlimited" ? call.value : figure,
      });
    } else {
      sink.move({
        kind: "transfer",
        token: text(token),
        from: call.to,
        to: account(text(recipient), call),
        amount: figure,
      });
    }
  };

const V3_ARGS = "address,uint256,uint256,bytes,bool";
const V2_ARGS = "address,uint256,uint256,address[],bool";

const COMMANDS: ReadonlyMap<number, Command> = new Map<number, Command>([
  [0x00, { args: V3_ARGS, handle: v3("in") }],
  [0x01, { args: V3_ARGS, handle: v3("out") }],
  [
    0x02,
    {
      args: "address,address,uint160",
      handle: ([token, to, amount], { call, sink }) =>
        sink.move({
          kind: "transfer",
          token: text(token),
          from: call.by,
          to: account(text(to), call),
          amount: int(amount),
        }),
    },
  ],
  [
    0x03,
    { args: `${PERMIT2_TYPES.batch},bytes`, handle: ([permit], { call, sink }) => permitBatch(permit, call.by, sink) },
  ],
  [0x04, { args: "address,address,uint256", handle: pays(() => "unlimited") }],
  [0x05, { args: "address,address,uint256", handle: pays((value) => value) }],
  [0x06, { args: "address,address,uint256", handle: pays(() => "unlimited") }],
  [0x08, { args: V2_ARGS, handle: v2("in") }],
  [0x09, { args: V2_ARGS, handle: v2("out") }],
  [
    0x0a,
    {
      args: `${PERMIT2_TYPES.single},bytes`,
      handle: ([permit], { call, sink }) => permitSingle(permit, call.by, sink),
    },
  ],
  [0x0b, { args: "address,uint256", handle: ([recipient, amount], program) => unwrapTo(recipient, amount, program) }],
  [0x0c, { args: "address,uint256", handle: ([recipient, amount], program) => unwrapTo(recipient, amount, program) }],
  [0x0d, { args: "(address,address,uint160,address)[]", handle: ([details], { sink }) => movedBatch(details, sink) }],
  [0x0e, { args: "address,address,uint256", handle: () => {} }],
  [
    0x10,
    {
      args: "bytes,bytes[]",
      handle: ([actions, inputs], program) => runV4(text(actions), list(inputs).map(text), program),
    },
  ],
  [
    0x21,
    {
      args: "bytes,bytes[]",
      handle: ([commands, inputs], program) =>
        runProgram(text(commands), list(inputs).map(text), { ...program, depth: program.depth + 1 }),
    },
  ],
]);

/** Wrapping and unwrapping changes hands only when it is for somebody else. */
function unwrapTo(recipient: AbiValue | undefined, least: AbiValue | undefined, { call, sink }: Program): undefined {
  const to = person(text(recipient), call);
  if (to === call.by || to === call.to) return;
  const amount = int(least) === CONTRACT_BALANCE ? call.value : int(least);
  sink.move({ kind: "native", from: call.to, to: account(text(recipient), call), amount });
}

const MAX_DEPTH = 4;

/**
 * The steps of a Universal Router's program. The highest bit of a command says only whether it may fail; the next one
 * is nothing to some routers and part of the command to others, so it is not understood.
 */
export function runProgram(commands: string, inputs: readonly string[], program: Program): undefined {
  const bytes = commands.slice(2).match(/../g) ?? [];
  if (program.depth > MAX_DEPTH) return unknown(program, "too_much");
  if (bytes.length !== inputs.length) return unknown(program, "arguments");
  for (const [index, byte] of bytes.entries()) {
    const command = COMMANDS.get(Number.parseInt(byte, 16) & 0x7f);
    if (command === undefined) {
      unknown(program, "command");
      continue;
    }
    const args = decodeAbi(abiTypes(command.args), (inputs[index] ?? "0x").slice(2), program.work);
    if (args === undefined) unknown(program, "arguments");
    else command.handle(args, program);
  }
}

const KEY = "(address,address,uint24,int24,address)";

/** Steps of a V4 plan. Swaps say what is traded; settling and taking say who pays and who gets. */
const ACTIONS: ReadonlyMap<number, Command> = new Map<number, Command>([
  [0x06, { args: `(${KEY},bool,uint128,uint128,bytes)`, handle: (args, program) => v4Single(args, program, "in") }],
  [
    0x07,
    {
      args: `((address),(address,uint24,int24,address,bytes)[],uint128,uint128)`,
      handle: (args, program) => v4Path(args, program, "in"),
    },
  ],
  [0x08, { args: `(${KEY},bool,uint128,uint128,bytes)`, handle: (args, program) => v4Single(args, program, "out") }],
  [
    0x09,
    {
      args: `((address),(address,uint24,int24,address,bytes)[],uint128,uint128)`,
      handle: (args, program) => v4Path(args, program, "out"),
    },
  ],
  [0x0b, { args: "address,uint256,bool", handle: () => {} }],
  [0x0c, { args: "address,uint256", handle: () => {} }],
  [0x0e, { args: "address,address,uint256", handle: ([token, to], program) => takes(token, to, program) }],
  [0x0f, { args: "address,uint256", handle: () => {} }],
  [0x10, { args: "address,address,uint256", handle: ([token, to], program) => takes(token, to, program) }],
  [0x11, { args: "address,address", handle: ([, to], program) => takes(NATIVE, to, program) }],
]);

function v4Single([params]: readonly AbiValue[], program: Program, exact: "in" | "out"): undefined {
  const [key, zeroForOne, one, two] = list(params);
  const [currency0, currency1] = list(key).map(text) as [string, string];
  const [start, end] = zeroForOne === true ? [currency0, currency1] : [currency1, currency0];
  const [amount, least] = exact === "in" ? [int(one), int(two)] : [int(two), int(one)];
  v4Swap(program, start, amount, { token: end, least });
}

function v4Path([params]: readonly AbiValue[], program: Program, exact: "in" | "out"): undefined {
  const [currency, path, one, two] = list(params);
  const ends = list(path).map((hop) => text(list(hop)[0]));
  const far = exact === "in" ? ends.at(-1) : ends[0];
  const near = text(list(currency)[0]);
  if (far === undefined) return unknown(program, "arguments");
  const [start, end] = exact === "in" ? [near, far] : [far, near];
  const [amount, least] = exact === "in" ? [int(one), int(two)] : [int(two), int(one)];
  v4Swap(program, start, amount, { token: end, least });
}

/** What the steps of a V4 plan pay into the manager, by token: each may stand before or after the swap it is for. */
class Settled {
  private readonly paid = new Map<string, bigint>();
  private readonly byRouter = new Set<string>();

  note(token: string, amount: bigint, payerIsUser: boolean): void {
    if (!payerIsUser) this.byRouter.add(token);
    else this.paid.set(token, (this.paid.get(token) ?? 0n) + amount);
  }
  isRouters(token: string): boolean {
    return this.byRouter.has(token) && !this.paid.has(token);
  }
  /** Counts `amount` as told of; none means all that was paid in. */
  take(token: string, amount: bigint): bigint {
    const paid = this.paid.get(token) ?? 0n;
    const taken = amount === 0n ? paid : amount;
    this.paid.set(token, paid > taken ? paid - taken : 0n);
    return taken;
  }
  /** What was paid in beyond all swaps. */
  rest(): readonly (readonly [token: string, amount: bigint])[] {
    return [...this.paid].filter(([token, amount]) => amount > 0n && token !== NATIVE);
  }
}

/** No amount means what is already there for it: what other steps paid in, or what an earlier swap gained. */
function v4Swap(
  program: Program,
  token: string,
  amount: bigint,
  gets: { readonly token: string; readonly least: bigint },
): undefined {
  const { call, settled } = program;
  const payer = settled?.isRouters(token) === true ? call.to : call.by;
  const pays = { token, amount: settled === undefined ? amount : settled.take(token, amount) };
  swap(program, pays, gets, SENDER, payer);
}

/** What a swap gained goes to somebody else than the caller. */
function takes(token: AbiValue | undefined, to: AbiValue | undefined, { call, sink }: Program): undefined {
  const who = person(text(to), call);
  if (who === call.by || who === call.to) return;
  const paid = asset(text(token));
  if (paid === "native") sink.move({ kind: "native", from: call.to, to: account(text(to), call), amount: call.value });
  else sink.move({ kind: "transfer", token: paid, from: call.to, to: account(text(to), call), amount: "unlimited" });
}

const SETTLE = 0x0b;

function runV4(actions: string, inputs: readonly string[], program: Program): undefined {
  const bytes = actions.slice(2).match(/../g) ?? [];
  if (bytes.length !== inputs.length) return unknown(program, "arguments");
  const settled = new Settled();
  const steps = bytes.flatMap((byte, index) => {
    const action = ACTIONS.get(Number.parseInt(byte, 16));
    if (action === undefined) {
      unknown(program, "command");
      return [];
    }
    const args = decodeAbi(abiTypes(action.args), (inputs[index] ?? "0x").slice(2), program.work);
    if (args === undefined) {
      unknown(program, "arguments");
      return [];
    }
    if (Number.parseInt(byte, 16) === SETTLE) settled.note(text(args[0]), int(args[1]), args[2] === true);
    return [{ action, args }];
  });
  for (const { action, args } of steps) action.handle(args, { ...program, settled });
  for (const [token, amount] of settled.rest()) {
    const { by, to } = program.call;
    const figure = amountOf(amount, by, program.call);
    program.sink.move({
      kind: "transfer",
      token,
      from: by,
      to,
      amount: amount >= CONTRACT_BALANCE ? "unlimited" : figure,
    });
  }
}

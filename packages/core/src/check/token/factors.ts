/** What was looked at. A factor that could not be looked at is `unknown`, and unknown is never `no`. */
export type Known = "yes" | "no" | "unknown";

export const TOKEN_STAGES = ["static", "slot", "trade", "later", "wallet", "holders", "odd", "powers"] as const;
export type TokenStage = (typeof TOKEN_STAGES)[number];

export interface TokenFactorRule {
  /** The stage whose evidence decides it. */
  readonly stage: TokenStage;
  /** What a yes weighs. A note is told and weighs nothing. */
  readonly weight: "danger" | "warn" | "note";
  /** What an unknown weighs: `warn` where a token could hide the worst behind it. */
  readonly unknown: "warn" | "nothing";
  /** Powers that the issuer of an official asset has by design: told as an advisory when the address is in the registry. */
  readonly issuer: boolean;
  readonly meaning: string;
}

const rule = (
  stage: TokenStage,
  weight: TokenFactorRule["weight"],
  unknown: TokenFactorRule["unknown"],
  meaning: string,
): TokenFactorRule => ({ stage, weight, unknown, issuer: false, meaning });
const power = (
  weight: TokenFactorRule["weight"],
  unknown: TokenFactorRule["unknown"],
  meaning: string,
): TokenFactorRule => ({
  ...rule("powers", weight, unknown, meaning),
  issuer: true,
});

/** The published table: every factor, what it weighs, and what it means. Severity follows from it and from nothing else. */
export const TOKEN_FACTORS = {
  no_code: rule("static", "danger", "warn", "there is no contract at this address"),
  delegated_account: rule(
    "static",
    "danger",
    "warn",
    "an account with delegated code: its key can replace the code at any time",
  ),
  upgradeable_proxy: { ...rule("static", "warn", "warn", "someone can replace the logic"), issuer: true },
  beacon: rule("static", "note", "nothing", "one upgrade changes every token behind the same beacon"),
  diamond: rule("static", "note", "nothing", "a router that picks the logic per function"),
  clone: rule("static", "note", "nothing", "a minimal clone of fixed logic"),
  selfdestruct: rule("static", "danger", "warn", "the code can be destroyed by someone who holds a live authority"),
  selfdestruct_dormant: rule(
    "static",
    "warn",
    "nothing",
    "the code can destroy itself, and no one was found who may do it",
  ),
  foreign_delegatecall: rule("static", "warn", "nothing", "runs code of another contract in its own name"),
  unreadable_code: rule("static", "warn", "warn", "the code is too large, too branched or too deep to be analysed"),

  external_storage: rule("slot", "note", "nothing", "balances are kept in another contract"),
  rebasing_view: rule("slot", "note", "nothing", "balances are shares of a pool; amounts round by a unit or two"),

  sell_not_simulated: rule("trade", "warn", "warn", "no pool was found, so no sell could be tried"),
  buy_blocked: rule("trade", "danger", "warn", "a buyer's purchase fails"),
  sell_blocked: rule("trade", "danger", "warn", "a holder's sale fails"),
  sell_blocked_after_first: rule("trade", "danger", "warn", "the first sale passes and the next ones fail"),
  cannot_sell_all: rule("trade", "warn", "nothing", "a part can be sold, the whole balance cannot"),
  transfer_blocked: rule("trade", "danger", "warn", "a holder cannot send tokens to another wallet"),
  silent_transfer: rule("trade", "danger", "nothing", "reports success and moves nothing"),
  buy_tax: rule("trade", "warn", "warn", "a tax is taken from what is bought"),
  buy_tax_extreme: rule("trade", "danger", "nothing", "at least half of what is bought is taken"),
  sell_tax: rule("trade", "warn", "warn", "a tax is taken from what is sold"),
  sell_tax_extreme: rule("trade", "danger", "nothing", "at least half of what is sold is taken"),
  transfer_tax: rule("trade", "warn", "warn", "a tax is taken from what is sent"),
  transfer_tax_extreme: rule("trade", "danger", "nothing", "at least half of what is sent is taken"),
  sell_gas_high: rule("trade", "warn", "nothing", "a sale needs more than two million gas"),
  sell_gas_excessive: rule("trade", "danger", "nothing", "a sale needs more than ten million gas"),
  reads_gasprice: rule(
    "trade",
    "danger",
    "warn",
    "behaves differently when the gas price is zero, as in careless simulations",
  ),
  detects_simulation: rule(
    "trade",
    "danger",
    "warn",
    "behaves differently in careless simulations than in real blocks",
  ),
  fee_token_incompatible_with_pool: rule(
    "trade",
    "warn",
    "nothing",
    "takes a fee on transfers, which this kind of pool refuses",
  ),
  trading_not_open: rule("trade", "note", "nothing", "nobody can trade until an authority opens trading"),

  sell_blocked_later: rule("later", "danger", "warn", "sales pass now and fail at a later time"),
  tax_rises_later: rule("later", "danger", "warn", "taxes become extreme at a later time"),
  reads_timestamp: rule("later", "note", "nothing", "a trade's outcome depends on the block time"),

  cooldown: rule("wallet", "warn", "nothing", "a buyer must wait before selling"),
  eoa_only: rule("wallet", "warn", "nothing", "refuses holders that are contracts"),
  balance_shrinks: rule("wallet", "warn", "nothing", "what a holder has becomes less by itself"),
  balance_shrinks_extreme: rule("wallet", "danger", "nothing", "at least half of what a holder has is gone by itself"),
  behaves_differently_for_contracts: rule(
    "wallet",
    "warn",
    "nothing",
    "treats contracts and plain wallets differently",
  ),

  holder_sells_fail: rule(
    "holders",
    "danger",
    "nothing",
    "holders that exist on chain cannot sell, though a new one can",
  ),
  some_holder_sells_fail: rule("holders", "warn", "nothing", "a few of the holders that were tried cannot sell"),

  wallet_refused: rule(
    "holders",
    "danger",
    "nothing",
    "the wallet that is to trade cannot buy it, or cannot sell it again",
  ),

  no_return_data: rule("odd", "note", "nothing", "transfers return nothing, as some old tokens do"),
  returns_false: rule("odd", "warn", "nothing", "a failed transfer returns false instead of reverting"),
  receiver_hook: rule("odd", "warn", "nothing", "calls the recipient of a transfer"),
  external_call_on_move: rule("odd", "warn", "warn", "every transfer asks another contract, which can change its mind"),
  balance_view_mismatch: rule("odd", "danger", "warn", "shows a balance that cannot be spent"),
  router_refused: rule("odd", "danger", "warn", "a router that people sell through may not take the token"),
  pool_refused: rule("odd", "danger", "warn", "one pool takes the token back and another does not"),
  max_tx_limit: rule("odd", "warn", "nothing", "limits the amount of a transfer or of a wallet"),

  owner_can_mint: power("warn", "warn", "an authority can create tokens"),
  owner_can_rewrite_balances: power("danger", "warn", "an authority can take or change a holder's balance"),
  owner_can_rebase: power("warn", "nothing", "an authority can change all balances in proportion"),
  owner_can_pause: power("warn", "warn", "an authority can stop all transfers"),
  owner_can_blacklist: power("warn", "warn", "an authority can stop single holders"),
  owner_can_block: power("warn", "warn", "an authority can install something that stops transfers"),
  owner_can_raise_tax: power("warn", "warn", "an authority can raise the tax"),
  owner_can_change_limits: power("warn", "nothing", "an authority can change limits until transfers fail"),
  hidden_authority: power(
    "danger",
    "warn",
    "a live power belongs to an address that the contract does not name as its owner",
  ),
  ownership_can_return: power("danger", "nothing", "ownership looks renounced and can be taken back"),
  members_hold_powers: power(
    "warn",
    "nothing",
    "powers over balances or transfers belong to somebody who was not found: to members of a list, to whom another contract lets in, or to an owner kept out of sight",
  ),
  hashed_gate: rule("powers", "warn", "nothing", "something opens to whoever or whatever has a certain hash"),
  anyone_can_mint: rule("powers", "danger", "warn", "anyone can create tokens"),
  anyone_can_take: rule("powers", "danger", "warn", "anyone can take or change a holder's balance"),
  anyone_can_block: rule("powers", "danger", "nothing", "anyone can stop a holder's transfers"),
  unproven_functions: rule("powers", "note", "nothing", "privileged functions whose effect could not be shown"),
} as const satisfies Record<string, TokenFactorRule>;

export type TokenFactor = keyof typeof TOKEN_FACTORS;
export const TOKEN_FACTOR_NAMES = Object.keys(TOKEN_FACTORS) as readonly TokenFactor[];

export {
  type BalanceError,
  type BalanceErrorCode,
  type BalanceQuery,
  type SimulatedBalance,
  simulateBalance,
} from "./balance/simulateBalance.ts";
export { type ChainError, type ChainErrorCode, chainError } from "./chain/error.ts";
export { type ChainReader, connectChain } from "./chain/reader.ts";
export {
  type Capabilities,
  type ChainView,
  LIMITS,
  type Limits,
  type PinnedBlock,
} from "./chain/view.ts";
export {
  type AuthorizationQuery,
  type AuthorizationReader,
  type AuthorizationState,
  authorizationReader,
} from "./payment/authorization.ts";
export { type OracleQuery, readOracle } from "./price/oracle.ts";
export { type PoolQuery, readPool } from "./price/pool.ts";
export { ROBINHOOD } from "./registry/robinhood.ts";
export { type RegistryError, type RegistryMismatch, verifyRegistry } from "./registry/verify.ts";
export { HTTP_DEFAULTS, type HttpOptions, httpTransport } from "./rpc/http.ts";
export { quorumTransport } from "./rpc/quorum.ts";
export { recordTransport, replayTransport, type Tape } from "./rpc/record.ts";
export type { RpcFault, RpcReply, RpcTransport } from "./rpc/transport.ts";
export { describeSafety } from "./token/describe.ts";
export { MEMORY_RULES, type MemoryRules, type SafetyMemory, safetyMemory } from "./token/memory.ts";
export { findPools, type Pool, type PoolKey, type Route, type Venues } from "./token/pools.ts";
export {
  checkTokenAt,
  checkTokenSafety,
  type QuoteMemory,
  type SafetyOptions,
  type SafetyReport,
} from "./token/safety.ts";
export { readTrade, type TradeQuery, venuesOf } from "./trade/readTrade.ts";
export { type TradeChainOptions, tradeChain } from "./trade/tradeChain.ts";
export { FUNDER_LIMITS, type FunderLimits } from "./wallet/firstFunder.ts";
export { FUNDER_MEMORY, type FunderMemoryRules, type FunderOptions, funderMemory } from "./wallet/funderMemory.ts";

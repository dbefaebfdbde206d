export type {
  Action,
  Ask,
  Asker,
  Calldata,
  Evidence,
  Kind,
  Material,
  MaterialText,
  Surface,
  TextOrigin,
  TextSource,
} from "./action/action.ts";
export { KINDS, SURFACES, TEXT_SOURCES } from "./action/action.ts";
export { partyKey } from "./action/partyKey.ts";
export { percentDecoded } from "./action/percentDecoded.ts";
export { normaliseTarget, TARGET_MAX_LENGTH, type Target, type TargetError } from "./action/target.ts";
export { actionsOfMoves, assetCurrency } from "./check/calldata/actions.ts";
export { actionsOfCalldata, calldata, movesOfCalldata } from "./check/calldata/calldata.ts";
export { CALLS } from "./check/calldata/calls.ts";
export { decodeCalldata, type Transaction } from "./check/calldata/decodeCalldata.ts";
export {
  type Account,
  type Actor as MoveActor,
  isRevocation,
  type Move,
  type MoveAmount,
} from "./check/calldata/move.ts";
export type { Check } from "./check/check.ts";
export { findSecrets, type SecretMatch } from "./check/credentials/findSecrets.ts";
export { findSecretsIn, judgeCredentials, type SecretFinding } from "./check/credentials/findSecretsIn.ts";
export { findCredentialHints } from "./check/credentials/hints.ts";
export { redact, redactIn } from "./check/credentials/redact.ts";
export { evidence } from "./check/evidence.ts";
export {
  FIELD_CODES,
  type FieldCode,
  type FieldContract,
  type FieldFinding,
  type FieldRule,
  type FieldType,
  type PreparedFields,
  prepareFields,
} from "./check/fields/fields.ts";
export { type FieldContractError, readFields } from "./check/fields/readFields.ts";
export { normalise } from "./check/instructions/fold.ts";
export { type ScanOptions, scanText } from "./check/instructions/scan.ts";
export { scanOf } from "./check/instructions/screenTexts.ts";
export { type Band, bandOf, type Scan, type Signal, THRESHOLDS } from "./check/instructions/types.ts";
export { type CompiledMandate, compileMandate } from "./check/mandate/compileMandate.ts";
export { evaluateByLoop } from "./check/mandate/evaluateByLoop.ts";
export { evaluateMandate } from "./check/mandate/evaluateMandate.ts";
export { type ClauseStep, explainMandates, type MandateExplained } from "./check/mandate/explain.ts";
export type { FailedCondition } from "./check/mandate/firstFailed.ts";
export { judgeMandates, type MandateJudgement } from "./check/mandate/mandate.ts";
export type { MandateResult, NearMiss } from "./check/mandate/mandateResult.ts";
export { nearMissText } from "./check/mandate/nearMissText.ts";
export { type Shadowing, shadowings } from "./check/mandate/shadowing.ts";
export { type Comparison, type Subject, subjectOf } from "./check/mandate/subject.ts";
export { type Unreached, unreachedClauses } from "./check/mandate/unreached.ts";
export { canProduce as canProduceOperation, TOOL_LABEL } from "./check/protected/operations.ts";
export { SCHEMA_BOUNDS, type SchemaBounds, type SchemaError, type SchemaErrorCode } from "./check/schema/bounds.ts";
export { createSchemaCache, type SchemaCache } from "./check/schema/cache.ts";
export { type CompiledSchema, compileSchema } from "./check/schema/compile.ts";
export { withCompiledSchemas } from "./check/schema/contracts.ts";
export { judgeSchema, type SchemaReport, schemaFindings } from "./check/schema/judge.ts";
export type { SchemaViolation } from "./check/schema/violations.ts";
export { type BudgetInstance, budgetsOf, spend } from "./check/spend.ts";
export { seriesOfBudget, spendSeries } from "./check/spendSeries.ts";
export { stopScopes } from "./check/stop.ts";
export {
  type Known,
  TOKEN_FACTOR_NAMES,
  TOKEN_FACTORS,
  TOKEN_STAGES,
  type TokenFactor,
  type TokenFactorRule,
  type TokenStage,
} from "./check/token/factors.ts";
export { judgeToken, type TokenJudgement, type TokenSeverity } from "./check/token/judge.ts";
export type { StageReport, StageStatus, TokenFacts, TokenFlag } from "./check/token/report.ts";
export { tokenFindings } from "./check/token/tokenFindings.ts";
export { evaluateTrade, lossOf, tradeError } from "./check/trade/evaluateTrade.ts";
export { type CalendarName, type MarketState, marketState, nyseHolidays } from "./check/trade/marketCalendar.ts";
export { narrowTrade, type TradeLimits } from "./check/trade/narrowTrade.ts";
export {
  judgeOracle,
  ORACLE_AGES,
  type OracleDefect,
  type OraclePrice,
  type OracleReading,
  type OracleRules,
  SEQUENCER_GRACE,
} from "./check/trade/oracle.ts";
export {
  type ChosenPrice,
  choosePrice,
  judgePool,
  POOL_RULES,
  type PoolDefect,
  type PoolPrice,
  type PoolReading,
  type PoolRules,
} from "./check/trade/price.ts";
export {
  type ChainTradeFacts,
  judgeReadings,
  type ReadingsQuery,
  type TradeReadings,
} from "./check/trade/readings.ts";
export { type ReadingsFault, type RecordedReadings, readReadings } from "./check/trade/readReadings.ts";
export { type RegistryFault, readRegistry } from "./check/trade/readRegistry.ts";
export {
  type AssetMatch,
  matchAsset,
  type RegistryChain,
  type RegistryFeed,
  type RegistryPool,
  type RegistryToken,
} from "./check/trade/registry.ts";
export { RISK_WEIGHTS } from "./check/trade/riskScore.ts";
export {
  type FundedBy,
  type FundingState,
  type Looked,
  TRADE_SETTINGS,
  type TradeError,
  type TradeEvaluation,
  type TradeFacts,
  type TradeFunding,
  type TradeReason,
  type TradeRequest,
  type TradeSettings,
} from "./check/trade/trade.ts";
export { tradeFindings } from "./check/trade/tradeFindings.ts";
export { decodeTypedData, PERMIT2, type TypedMoves } from "./check/typedData/decodeTypedData.ts";
export { withDerivedAction } from "./check/typedData/derivedAction.ts";
export { actionsOfTypedData, typedData } from "./check/typedData/typedData.ts";
export {
  type Address,
  type AddressRange,
  inRange,
  parseAddress,
  parseRange,
  type Reach,
  reachOf,
} from "./check/url/address.ts";
export { composeUrlPolicies } from "./check/url/composeUrlPolicies.ts";
export { bareHost, type JudgedUrl, judgeUrl, type UrlJudgement } from "./check/url/judgeUrl.ts";
export {
  type AddressJudgement,
  addressesOf,
  type HostResolver,
  judgeAddresses,
  type ResolvedHost,
} from "./check/url/resolvedHost.ts";
export {
  type Admitted,
  DEFAULT_URL_POLICY,
  type HostRule,
  type UrlPolicy,
  urlPolicyFaults,
} from "./check/url/urlPolicy.ts";
export { compose, type GrantInHand } from "./decision/compose.ts";
export { CHECKS, decide, factsNeeded } from "./decision/decide.ts";
export type { Basis, BasisEntry, Decided, Fault, Outcome as DecisionOutcome } from "./decision/decision.ts";
export type { Finding, Retry, Severity, Verdict } from "./decision/finding.ts";
export { MOST_TRIES, type Remedy, type RemedyChange, remedyFor } from "./decision/remedy.ts";
export { type Fact, type FactKey, type Facts, factsOf, NO_FACTS } from "./fact/fact.ts";
export { type AdviceGiven, draftAdvice } from "./gate/advice.ts";
export type { Answer, DecisionRequest, GateFault, Principal, ScreeningScore } from "./gate/answer.ts";
export {
  authenticate,
  formatApiKey,
  hashSecret,
  isBefore,
  isKeyId,
  KEY_SCOPES,
  type KeyIdentity,
  type KeyRefused,
  type KeyScope,
  SECRET_LENGTH,
} from "./gate/apiKey.ts";
export { asksFacts } from "./gate/asksFacts.ts";
export type { ContentKeeping } from "./gate/draft.ts";
export type { FunderOf, Funding } from "./gate/funding.ts";
export { createGate, type Gate, type GatePorts, type HoldRules } from "./gate/gate.ts";
export type { FactSource } from "./gate/gather.ts";
export { idempotent } from "./gate/idempotent.ts";
export { type IdPrefix, newId, type RandomBytes } from "./gate/ids.ts";
export { keptAsk } from "./gate/keptAsk.ts";
export { scopesBeyond } from "./gate/keyScopes.ts";
export type {
  Actor,
  AgentState,
  AnswerClaim,
  Appeal,
  BudgetCondition,
  Change,
  Decide,
  DecideHold,
  Erase,
  FreeClaim,
  Idempotency,
  KeyHolder,
  LiftStop,
  Millis,
  NewContent,
  NewHold,
  Note,
  OpenClaim,
  Outcome,
  PutAgent,
  PutKey,
  PutPolicy,
  PutStop,
  PutWebhook,
  ReadUnder,
  Redeem,
  RemoveWebhook,
  Reservation,
  RevokeGrant,
  RevokeKey,
  SpendWindow,
  Sweep,
} from "./gate/ledger/change.ts";
export { gatherFacts } from "./gate/ledger/facts.ts";
export { type ChangeAnswer, commitGroup, type Group, type JudgedGroup, LARGEST_GROUP } from "./gate/ledger/group.ts";
export type { LedgerError, PlainRefusal, Refusal, StoreError } from "./gate/ledger/refusal.ts";
export type { EntryRow } from "./gate/ledger/rows.ts";
export { type ColumnType, type Head, type Rows, TABLES, type Table, type TableName } from "./gate/ledger/rows.ts";
export {
  hears,
  viewContent,
  viewDecision,
  viewEvent,
  viewGrant,
  viewHold,
  viewMoney,
  viewStop,
  viewWebhook,
} from "./gate/ledger/views.ts";
export type { Loaded, LoadRequest, Means, Selector, Writes } from "./gate/ledger/work.ts";
export { boundChain, chainName, inForce, rowsOf } from "./gate/ledger/work.ts";
export {
  type AppealAct,
  createLifecycle,
  type Lifecycle,
  type LifecycleFault,
  type LifecyclePorts,
  type OutcomeAct,
  type RedeemAct,
  type ReviewAct,
} from "./gate/lifecycle.ts";
export { type Erased, type Erasure, eraseSubject } from "./gate/log/eraseSubject.ts";
export {
  type ExportedEntry,
  exportLog,
  isRedacted,
  type ReplayData,
  type ReplayRefusal,
  replayData,
} from "./gate/log/exportLog.ts";
export {
  type BundleError,
  issueCheckpoint,
  type LogIdentity,
  type ProofBundle,
  proveConsistency,
  proveRecord,
  verifyBundle,
  verifyGrowth,
} from "./gate/log/proofs.ts";
export { createMemoryStore, type MemoryMeans } from "./gate/memory/memoryStore.ts";
export { deafTargets, type NotifyTargets } from "./gate/notifyTargets.ts";
export { pageOf } from "./gate/page.ts";
export type {
  Agent,
  Agents,
  Appended,
  Committed,
  DecisionSummary,
  Decisions,
  Delivery,
  Events,
  FactsQuery,
  GateEvent,
  Grant,
  Grants,
  Hold,
  HoldState,
  Holds,
  KeptContent,
  Keys,
  Ledger,
  LedgerFacts,
  LeftMark,
  Log,
  LogEntry,
  LogHead,
  MoneyLine,
  MoneyRow,
  MoneyState,
  Page,
  Policies,
  PolicyHead,
  PolicyVersion,
  Rates,
  SpentQuery,
  Stop,
  Stops,
  Store,
  StoredCheckpoint,
  StoredKey,
  SumRow,
  TenantId,
  Webhook,
  Webhooks,
} from "./gate/ports.ts";
export { DELIVERED_FOR } from "./gate/ports.ts";
export { type HoldNotice, isPerson, type Recipient } from "./gate/recipients.ts";
export { recordedTradeChain } from "./gate/recordedTrade.ts";
export {
  type NotReplayed,
  type NotReplayedReason,
  type PolicyFor,
  type Replayed,
  replayEntry,
  type Settled,
  settledBy,
} from "./gate/replay/replayEntry.ts";
export { type ReplaySummary, ReplayTally, type VerdictChange, verdictAfter } from "./gate/replay/tally.ts";
export {
  type Examined,
  examinePolicy,
  type Saved,
  type SaveError,
  type SavePorts,
  type SaveRequest,
  savePolicy,
} from "./gate/savePolicy.ts";
export { createSessions, SESSION_LASTS, type Session, type SessionPorts, type Sessions } from "./gate/sessions.ts";
export {
  cardScope,
  createStoredPolicies,
  exemptionScope,
  type InForce,
  type PartReader,
  type StoredPolicies,
  type StoredPoliciesOptions,
} from "./gate/storedPolicies.ts";
export { isTenantId } from "./gate/tenantId.ts";
export type { ChainFault, TradeChain } from "./gate/tradeChain.ts";
export type { LogProblem, ProblemCode } from "./gate/verify/problem.ts";
export { type CheckpointTrust, type LogVerdict, type VerifyOptions, verifyLog } from "./gate/verify/verifyLog.ts";
export { deliverWebhooks, RETRY_AFTER, type SendWebhook, type WebhookPorts } from "./gate/webhook/deliver.ts";
export { webhookHeaders, webhookSecret } from "./gate/webhook/signature.ts";
export { canonicalize, NotJsonError } from "./json/canonical.ts";
export type { JsonError, JsonErrorCode } from "./json/jsonError.ts";
export { mandateForm } from "./json/mandateForm.ts";
export { NumberText } from "./json/numberText.ts";
export { type JsonLimits, jsonLimits, type NumberMode, parseJson } from "./json/parseJson.ts";
export { pointerOf } from "./json/pointer.ts";
export { toDoubles } from "./json/toDoubles.ts";
export { toJsonValue } from "./json/toJsonValue.ts";
export { toPlain } from "./json/toPlain.ts";
export { decodeUtf8, encodeUtf8, type Utf8Decoder } from "./json/utf8.ts";
export {
  type ExactJson,
  type ExactObject,
  isExactObject,
  isObject,
  type JsonObject,
  type JsonValue,
} from "./json/value.ts";
export type { AmountError, AmountErrorCode } from "./money/amountError.ts";
export { fromAtomic, parseAtomic, toAtomic } from "./money/atomic.ts";
export {
  addDecimals,
  compareDecimals,
  type Decimal,
  decimalFromNumber,
  formatDecimal,
  multiplyDecimals,
  parseDecimal,
  parseSignedDecimal,
  roundDecimal,
  signedDecimalFromNumber,
  subtractDecimals,
  zero,
} from "./money/decimal.ts";
export {
  addMoney,
  compareMoney,
  formatMoney,
  type Money,
  type MoneyText,
  parseCurrency,
  parseMoney,
  subtractMoney,
} from "./money/money.ts";
export { type ChangedSection, changedSections, PLACES_LISTED } from "./policy/changedSections.ts";
export { composeParts, forSurfaces, MODES, wantsReview } from "./policy/compose.ts";
export { composedView, type Provenance } from "./policy/composedView.ts";
export { throughCeilings, trustAt } from "./policy/composeTrust.ts";
export { type Contradictions, contradictionsOf } from "./policy/contradictions.ts";
export { documentLimits } from "./policy/documentLimits.ts";
export {
  BLANK_POLICY,
  type Budget,
  type BudgetWindow,
  type Ceiling,
  type EffectivePolicy,
  type EscalatedOperation,
  type EvidenceRules,
  type ForbiddenOperation,
  GATE_BANDS,
  type GateBand,
  type Limits,
  type Notify,
  OPERATION_SEVERITIES,
  type PolicySourceRef,
  type ProtectedAsset,
  type ProtectedSurface,
  type Review,
  type SchemaContract,
  type Scope,
  type Screening,
  type SequenceRules,
  type SpendRules,
  type ToolMapping,
  type TrustedSources,
} from "./policy/effective.ts";
export {
  EXEMPT_SECTIONS,
  EXEMPTION_LASTS,
  EXEMPTION_LIMIT,
  type Exemption,
  type ExemptSection,
  isLive,
  readExemptions,
  withExemptions,
} from "./policy/exemption.ts";
export { POLICY_SCHEMA } from "./policy/jsonSchema.ts";
export { LINT_CODES, type LintFinding, type LintSeverity } from "./policy/lint/lintFinding.ts";
export { lintPolicy } from "./policy/lint/lintPolicy.ts";
export type { Clause, ClauseMatch, Mandate, Names, TargetMatching, Until } from "./policy/mandate.ts";
export { type MappedCall, mapToolCall } from "./policy/mapToolCall.ts";
export type { PolicyProblem } from "./policy/problem.ts";
export { type PolicyPart, readPart, type SectionName, type Sections } from "./policy/readPart.ts";
export { readPolicy } from "./policy/readPolicy.ts";
export { REGION_LIMITS, type RegionLimits } from "./policy/regions/budget.ts";
export { type ClauseReach, clauseReach } from "./policy/regions/clauseReach.ts";
export {
  type Difference,
  diffMandates,
  type MandateDiff,
  type UndecidedReason,
} from "./policy/regions/diffMandates.ts";
export { type Ever, everDecides, type PartialAction } from "./policy/regions/everDecides.ts";
export { type AmountRange, inRegion, type NameSet, type Region, type TargetClass } from "./policy/regions/region.ts";
export {
  isScopeId,
  kindOf,
  PLATFORM_SCOPE,
  SCOPE_KINDS,
  type ScopeError,
  type ScopeKind,
  scopeOf,
  scopesOf,
} from "./policy/scope.ts";
export { DEFAULT_THRESHOLDS, type ScreeningPart, type Trust } from "./policy/section/material.ts";
export { type ReviewPart, tells } from "./policy/section/review.ts";
export {
  type PolicySource,
  type PolicySourceError,
  type ScopeVersion,
  samePolicy,
  type VersionedPolicy,
} from "./policy/source.ts";
export { suggest } from "./policy/suggest.ts";
export type { MappingError } from "./policy/template.ts";
export { trustedBy, trustedDomainFault, trustedRangeFault } from "./policy/trustedSource.ts";
export { hasEnded } from "./policy/until.ts";
export { actionDigest } from "./record/actionDigest.ts";
export { asciiBytes, asciiText } from "./record/ascii.ts";
export { decodeBase64url, encodeBase64url } from "./record/base64url.ts";
export {
  type Checkpoint,
  type CheckpointError,
  formatCheckpoint,
  openCheckpoint,
  parseCheckpoint,
} from "./record/checkpoint.ts";
export { type Commitment, commitTo, commitToFields, opensCommitment, SALT_LENGTH } from "./record/commitment.ts";
export { type Digest, type DigestTag, digest, parseDigest } from "./record/digest.ts";
export { CHAIN_START, type ChainLink, type ChainVerdict, verifyChain } from "./record/hashChain.ts";
export { hex, unhex } from "./record/hex.ts";
export { type HexSha256, sha256Hex } from "./record/hexSha256.ts";
export { LOG_START, type LogRecord, parseRecord } from "./record/logRecord.ts";
export {
  MANDATE_RECEIPT_LIFETIME,
  type MandateReceipt,
  type MandateStatement,
  mandateActionDigest,
  mandateDigest,
  mandateReceiptBytes,
  signMandateReceipt,
} from "./record/mandateReceipt.ts";
export {
  type ConsistencyProof,
  type InclusionProof,
  leafHash,
  rootOf,
  type Sha256,
  verifyConsistency,
  verifyInclusion,
} from "./record/merkle.ts";
export { consistencyPath, inclusionPath, type ReadNodes, rootAt } from "./record/merkleProof.ts";
export {
  formatNoteKey,
  type NoteError,
  type NoteKey,
  type OpenedNote,
  openNote,
  parseNoteKey,
  signNote,
  type VerifyEd25519,
} from "./record/note.ts";
export {
  assemble,
  POLICY_ORIGIN,
  type ReceiptClaims,
  type ReceiptHeader,
  receiptClaims,
  receiptHeader,
  STATEMENT_LIFETIME,
  STATEMENT_TYP,
  type Statement,
  type StatementKind,
  signingInput,
} from "./record/receipt.ts";
export type { Signer } from "./record/signer.ts";
export { err, ok, type Result } from "./result.ts";
export {
  type CleanedRows,
  cleanRows,
  type NumericRange,
  type RowContract,
  type RowError,
  type RowIssue,
  type RowRules,
} from "./rows/cleanRows.ts";
export { type NormalForm, normalText } from "./text/normalText.ts";
export { quoted } from "./text/quoted.ts";
export { formatDuration, parseDuration, type Seconds } from "./time/duration.ts";
export {
  addSeconds,
  compareInstants,
  formatInstant,
  type Instant,
  instantFromMillis,
  type LeapSecond,
  millisOf,
  parseInstant,
} from "./time/instant.ts";
export type { TimeError, TimeErrorCode } from "./time/timeError.ts";
export { type CalendarUnit, calendarWindow, isWithin, rollingWindow, type Window } from "./time/window.ts";
export { parseZone, type Zone } from "./time/zone.ts";

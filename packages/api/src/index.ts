export type { Evaluated, EvaluationsRequest, SeveralEvaluated } from "./client/authzenClient.ts";
export type {
  CardAnswerWire,
  CardPreviewWire,
  CardSourcesWire,
  CardsClient,
  EffectiveCardWire,
} from "./client/cardsClient.ts";
export {
  type Client,
  type ClientOptions,
  createClient,
  type DecideRequest,
  type Decision,
} from "./client/createClient.ts";
export type { PoliciesClient } from "./client/policiesClient.ts";
export type { Replacing } from "./client/precondition.ts";
export type { Screening, ScreenRequest } from "./client/screenClient.ts";
export type { Fetch, FetchedResponse, RemoteError } from "./client/transport.ts";
export {
  type ActionGateDeps,
  type AdviceGiven,
  actionGate,
  actionGateRefusal,
} from "./dialect/action-gate/actionGate.ts";
export type { Signals } from "./dialect/action-gate/prompt.ts";
export { ACTION_GATE_TOOL } from "./dialect/action-gate/schema.ts";
export {
  actionOf,
  authzenMetadata,
  type Evaluation,
  type Evaluations,
  endsAt,
  readEvaluation,
  readEvaluations,
  writeEvaluation,
  writeFailed,
  writeRefused,
} from "./dialect/authzen/authzen.ts";
export {
  evaluationInput,
  evaluationOutput,
  evaluationsInput,
  evaluationsOutput,
} from "./dialect/authzen/schema.ts";
export { type Conflict, conflictsOf, outsideCeiling } from "./dialect/card/conflicts.ts";
export { authored, readCard, readDraft, readStoredCard, type StoredCard } from "./dialect/card/readCard.ts";
export { CARD_TOOLS, cardInput, PREVIEW_TOOL } from "./dialect/card/schema.ts";
export { type CardWarning, composeUnjudged, type Said, type Unjudged, warningsOf } from "./dialect/card/unjudged.ts";
export { writeComposedCard, writeStoredCard } from "./dialect/card/writeCard.ts";
export { type FirewallDeps, firewall } from "./dialect/firewall/firewall.ts";
export { FIREWALL_TOOLS } from "./dialect/firewall/schema.ts";
export { checkAction, type MandateDeps } from "./dialect/mandate/checkAction.ts";
export { mandate } from "./dialect/mandate/mandate.ts";
export { MANDATE_TOOLS } from "./dialect/mandate/schema.ts";
export { type ValidateDeps, validateMandate } from "./dialect/mandate/validateMandate.ts";
export {
  type ExpectedMandateReceipt,
  type MandateKey,
  type MandateKeys,
  readMandateKeys,
  verifyMandateReceipt,
} from "./dialect/mandate/verifyMandateReceipt.ts";
export type { DialectTool, ToolAnnotations } from "./dialect/tool.ts";
export {
  type AuditQuestion,
  type BalanceQuestion,
  readAuditQuestion,
  readBalanceQuestion,
  readTokenQuestion,
  readTradeQuestion,
  splitProof,
  type TradeQuestion,
} from "./dialect/trade/read.ts";
export { PAID_TRADE, TRADE_TOOLS } from "./dialect/trade/schema.ts";
export {
  type AuditPlace,
  faultOfProblem,
  PAID_TIER,
  type PaymentTerms,
  type TradeFault,
  tradeFault,
  writeAssets,
  writeAudit,
  writeBalance,
  writeNoAssets,
  writeNoAudit,
  writeNoBalance,
  writeNoTokenSafety,
  writeNoTrade,
  writePaymentRequired,
  writePlace,
  writeTokenSafety,
  writeTrade,
} from "./dialect/trade/write.ts";
export { createKey, listKeys, revokeKey, rotateKey, writeKey } from "./native/apiKeys.ts";
export { appealDecision, listDecisions, redeemDecision, reportOutcome } from "./native/decisions.ts";
export { streamEvents, writeEvent } from "./native/events.ts";
export {
  approveHold,
  getGrant,
  getHold,
  listHolds,
  rejectHold,
  revokeGrant,
  writeGrant,
  writeHold,
} from "./native/holds.ts";
export { getCheckpoint, getProof, listEntries } from "./native/log.ts";
export { type InputOf, type NativeOperation, PAGE, readInput, writePage } from "./native/operation.ts";
export {
  type EffectivePolicyWire,
  effectivePolicy,
  exemptSectionOf,
  getAgent,
  getPolicy,
  grantExemption,
  listAgents,
  listExemptions,
  listPolicies,
  MOST_TEAMS,
  type PolicyDocumentWire,
  type PolicyHistoryWire,
  type PolicyListWire,
  type PolicyPreviewWire,
  type PolicySavedWire,
  policyHistory,
  previewPolicy,
  problemOfPolicy,
  problemOfSave,
  putAgent,
  putPolicy,
  removeAgent,
  revokeExemption,
  rollBackPolicy,
  type ScopeKindWire,
  writeVersion,
} from "./native/policies.ts";
export { readDecisionId, readOutcome } from "./native/readById.ts";
export { type DecisionQuestion, readDecision, withIdempotencyKey } from "./native/readDecision.ts";
export {
  type AnswerWire,
  answerSchema,
  type DecisionRequestWire,
  type DecisionSummaryWire,
  decisionRequestSchema,
  decisionSummarySchema,
  type OutcomeWire,
  outcomeSchema,
} from "./native/schema.ts";
export {
  type ScreenAnswerWire,
  type ScreenRequestWire,
  type ScreenVerdict,
  screenText,
  writeScreening,
} from "./native/screen.ts";
export { openSession, writeSession } from "./native/sessions.ts";
export { liftStop, listStops, putStop, writeStop } from "./native/stops.ts";
export { decideTool, getDecisionTool, jsonSchemaOf, reportOutcomeTool } from "./native/tools.ts";
export { reportTradeOutcome } from "./native/trades.ts";
export {
  createWebhook,
  listDeadDeliveries,
  listWebhooks,
  removeWebhook,
  replayDeliveries,
  rotateWebhook,
  updateWebhook,
  writeDead,
  writeWebhook,
} from "./native/webhooks.ts";
export { writeAnswer, writeSummary } from "./native/write.ts";
export {
  type CodedError,
  type ErrorCode,
  type FaceErrorCode,
  type Fault,
  invalid,
  type Problem,
  problemBody,
  problemOf,
  problemOfFault,
  problemText,
} from "./problem.ts";
export { type Ed25519Key, ed25519Key, isStrictKey, isStrictSignature } from "./receipt/ed25519.ts";
export {
  type DatedPublicKey,
  type KeySet,
  type PublicKey,
  readJwks,
  writeJwks,
  writeMandateKeys,
} from "./receipt/keySet.ts";
export type { ReceiptError, ReceiptErrorCode } from "./receipt/receiptError.ts";
export { createMemoryReplayStore, type ReplayStore } from "./receipt/replayStore.ts";
export { type Expected, verifyAdvice, verifyReceipt } from "./receipt/verifyReceipt.ts";
export { type InputSchema, inputFaults } from "./schema/inputFaults.ts";
export { shownKey } from "./schema/shownKey.ts";
export { VERSION } from "./version.ts";
export { parseYaml, type YamlError } from "./yaml/parseYaml.ts";

export { type Authenticator, type AuthOptions, createAuthenticator } from "./auth/authenticator.ts";
export { createStanding, type Standing } from "./auth/standing.ts";
export { type AuthzenFace, authzenEndpoints } from "./authzen/authzenEndpoints.ts";
export { type Caller, LOCAL } from "./caller.ts";
export { cardEndpoints } from "./cards/cardEndpoints.ts";
export { addressFacts } from "./egress/addressFacts.ts";
export {
  createEgress,
  EGRESS_LIMITS,
  type Egress,
  type EgressAnswer,
  type EgressOptions,
  type EgressRequest,
  egressPolicy,
} from "./egress/egress.ts";
export type { EgressError } from "./egress/egressError.ts";
export { EgressFailure, egressFetch } from "./egress/egressFetch.ts";
export { type PinnedFetchOptions, pinnedFetch } from "./egress/pinnedFetch.ts";
export { createResolver, type ResolverOptions } from "./egress/resolveHost.ts";
export { type ActionGateFace, actionGateDialect } from "./face/actionGate.ts";
export { cardDialect } from "./face/card.ts";
export type { Dialect } from "./face/dialect.ts";
export { firewallDialect } from "./face/firewall.ts";
export { type MandateFace, mandateDialect } from "./face/mandate.ts";
export { nativeDialect } from "./face/native.ts";
export { sellable } from "./face/purchase.ts";
export { toolSet } from "./face/toolSet.ts";
export { readTradeConfig, type TradeConfig } from "./face/trade/config.ts";
export { tradeOutcomes } from "./face/trade/losses.ts";
export type { Tier, TradeFace, TradeRules } from "./face/trade/ports.ts";
export { tradeDialect } from "./face/trade/tradeDialect.ts";
export { type AppOptions, BODY_LIMIT, createApp } from "./http/app.ts";
export type { KeyError } from "./keys/keyError.ts";
export { KEY_PURPOSES, type KeyPurpose, type KeyRing, openKeyRing, rotateKeyRing } from "./keys/keyRing.ts";
export { createNodeSigner } from "./keys/nodeSigner.ts";
export { readPrivateFile, writePrivateFile } from "./keys/privateFile.ts";
export { judgeKeyFolder } from "./keys/privateFolder.ts";
export { type KeysFace, keysService } from "./lifecycle/apiKeys.ts";
export { type DecisionsFace, decisionsService } from "./lifecycle/decisions.ts";
export { type EventsFace, LOOK_EVERY_MS } from "./lifecycle/eventStream.ts";
export { type HoldsFace, holdsService } from "./lifecycle/holds.ts";
export { type LogFace, logOrigin, logService } from "./lifecycle/log.ts";
export type { TokenKeys } from "./lifecycle/reviewToken.ts";
export { type SessionsFace, sessionsService } from "./lifecycle/sessions.ts";
export { type StopsFace, stopsService } from "./lifecycle/stops.ts";
export { createWaiting, type Waiting } from "./lifecycle/waiting.ts";
export { type WebhooksFace, webhooksService } from "./lifecycle/webhooks.ts";
export { createLogger, type Logger } from "./logger.ts";
export type { Implementation } from "./mcp/protocol.ts";
export { serveMcpStdio } from "./mcp/stdio.ts";
export type { PublishedTool, Tool, ToolAnswer, ToolSet } from "./mcp/tool.ts";
export type { AuthorizationQuery, AuthorizationState, PaymentChain } from "./payment/chain.ts";
export { type PaymentAsset, type PaymentConfig, readPaymentConfig } from "./payment/config.ts";
export { egressFacilitator, FacilitatorSilent } from "./payment/facilitator.ts";
export { type Payment, readPaymentHeader, readPaymentMeta } from "./payment/payload.ts";
export {
  type Deadlines,
  openTill,
  type Purchase,
  type Sale,
  type Sellable,
  type Till,
  type TillError,
  type TillOptions,
} from "./payment/till.ts";
export { type AgentsFace, agentsService } from "./policies/agentsService.ts";
export { type ExemptionsFace, exemptionsService } from "./policies/exemptionsService.ts";
export { type PolicyDesk, policyEndpoints } from "./policies/policyEndpoints.ts";
export type { Condition, Endpoint, EndpointAnswer, EndpointRequest } from "./route/endpoint.ts";
export type { Readiness } from "./route/health.ts";
export type { KeyDocuments } from "./route/wellKnown.ts";
export { type ScreenFace, screenEndpoint } from "./screen/screenEndpoint.ts";
export { createServer, implementation, type ServerOptions } from "./server.ts";
export { anchorToFile, anchorToUrl } from "./upkeep/anchor.ts";
export { type Anchor, startCheckpoints } from "./upkeep/checkpoints.ts";
export { type DeliveriesOptions, startDeliveries } from "./upkeep/deliveries.ts";
export { type Repeated, repeat } from "./upkeep/repeat.ts";
export { startSweeper } from "./upkeep/sweeper.ts";

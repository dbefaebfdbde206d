export * from "./testing/ledgerChanges.ts";
export { modelSuite } from "./testing/modelSuite.ts";
export { nodeSha256 } from "./testing/nodeSha256.ts";
export { sharedSuite } from "./testing/sharedSuite.ts";
export { storeSuite, type TestedStore } from "./testing/storeSuite.ts";
export {
  type DecisionVector,
  type DecisionVectors,
  decisionVectors,
  type TradeVector,
  type TradeVectors,
  tradeVectors,
} from "./testing/vectors.ts";
export { type TamperedStore, verifySuite } from "./testing/verifySuite.ts";

export { type Chain, chainSuite, startChain } from "./testing/anvil.ts";

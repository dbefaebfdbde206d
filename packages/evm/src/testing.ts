export { type Chain, chainSuite, startChain } from "./testing/anvil.ts";
export {
  type Artifact,
  type Artifacts,
  deploy,
  deployV2,
  packaged,
  readArtifacts,
  send,
  TOKEN_ABI,
} from "./testing/artifacts.ts";
export { type Compiled, compile, compiled } from "./testing/compile.ts";
export { type Interference, startFacilitator, type TestFacilitator } from "./testing/facilitator.ts";
export { deployFixture, type Fixture, readFixtures, setUp } from "./testing/fixtures.ts";
export { type Market, openMarket } from "./testing/market.ts";
export {
  authorize,
  deployPayToken,
  PAY_TOKEN,
  type SignedAuthorization,
} from "./testing/payToken.ts";
export { deployV3, deployV4 } from "./testing/uniswap.ts";

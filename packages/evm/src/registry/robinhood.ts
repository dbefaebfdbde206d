import type { JsonObject } from "@countersign/core";

const OFFICIAL = "docs.robinhood.com/chain/contracts (read 2026-09)";
const LISTED = "public token lists that name the issuer's page as their origin; verified on chain at start";
const FEEDS = "a public map of Chainlink feeds by ticker; description and decimals verified on chain at start";

const NATIVE_HOURS = { kind: "stock", calendar: "nyse", oracleSwitch: "asked", pegged: false, decimals: 18 } as const;

/** Feeds update on a deviation of half a percent or once a day: their age in a session says little about their truth. */
const DAILY = { open: 86_400 + 3_600, closed: 5 * 86_400 } as const;

const stock = (symbol: string, address: string, feed?: string): JsonObject => ({
  ...NATIVE_HOURS,
  symbol,
  address,
  pools: [],
  source: LISTED,
  ...(feed === undefined
    ? {}
    : { feed: { address: feed, decimals: 8, description: `${symbol} / USD`, maxAge: DAILY, source: FEEDS } }),
});
const etf = (symbol: string, address: string, feed?: string): JsonObject => ({
  ...stock(symbol, address, feed),
  kind: "etf",
});

/**
 * Robinhood Chain as data. Nothing here is believed because it is written here: `verifyRegistry` asks the chain about
 * every entry at start, and refuses on the first that does not answer as it should.
 */
export const ROBINHOOD: JsonObject = {
  chainId: 4663,
  name: "Robinhood Chain",
  source: "viem/chains `robinhood`",
  v4Manager: {
    address: "0x8366a39CC670B4001A1121B8F6A443A643e40951",
    source: "several public repositories agree; verified on chain at start",
  },
  tokens: [
    {
      symbol: "USDG",
      address: "0x5fc5360D0400a0Fd4f2af552ADD042D716F1d168",
      decimals: 6,
      kind: "stable",
      calendar: "always",
      oracleSwitch: "absent",
      pegged: true,
      pools: [],
      source: OFFICIAL,
    },
    {
      symbol: "WETH",
      address: "0x0Bd7D308f8E1639FAb988df18A8011f41EAcAD73",
      decimals: 18,
      kind: "wrapped",
      calendar: "always",
      oracleSwitch: "absent",
      pegged: false,
      pools: [],
      source: OFFICIAL,
    },
    stock("AAPL", "0xaF3D76f1834A1d425780943C99Ea8A608f8a93f9", "0x6B22A786bAa607d76728168703a39Ea9C99f2cD0"),
    stock("AMD", "0x86923f96303D656E4aa86D9d42D1e57ad2023fdC"),
    stock("AMZN", "0x12f190a9F9d7D37a250758b26824B97CE941bF54"),
    stock("BABA", "0xad25Ac6C84D497db898fa1E8387bf6Af3532a1c4"),
    stock("COIN", "0x6330D8C3178a418788dF01a47479c0ce7CCF450b"),
    stock("CRCL", "0xdF0992E440dD0be65BD8439b609d6D4366bf1CB5"),
    stock("CRWV", "0x5f10A1C971B69e47e059e1dC91901B59b3fB49C3"),
    stock("GOOGL", "0x2e0847E8910a9732eB3fb1bb4b70a580ADAD4FE3"),
    stock("INTC", "0xc72b96e0E48ecd4DC75E1e45396e26300BC39681"),
    stock("META", "0xc0D6457C16Cc70d6790Dd43521C899C87ce02f35"),
    stock("MSFT", "0xe93237C50D904957Cf27E7B1133b510C669c2e74"),
    stock("MU", "0xfF080c8ce2E5feadaCa0Da81314Ae59D232d4afD"),
    stock("NVDA", "0xd0601CE157Db5bdC3162BbaC2a2C8aF5320D9EEC", "0x379EC4f7C378F34a1B47E4F3cbeBCbAC3E8E9F15"),
    stock("ORCL", "0xb0992820E760d836549ba69BC7598b4af75dEE03"),
    stock("PLTR", "0x894E1EC2D74FFE5AEF8Dc8A9e84686acCB964F2A"),
    stock("TSLA", "0x322F0929c4625eD5bAd873c95208D54E1c003b2d", "0x4A1166a659A55625345e9515b32adECea5547C38"),
    etf("QQQ", "0xD5f3879160bc7c32ebb4dC785F8a4F505888de68"),
    etf("SPY", "0x117cc2133c37B721F49dE2A7a74833232B3B4C0C", "0x319724394D3A0e3669269846abE664Cd621f9f6A"),
    etf("SLV", "0x411eFb0E7f985935DAec3D4C3ebaEa0d0AD7D89f"),
    etf("SGOV", "0x92FD66527192E3e61d4DDd13322Aa222DE86F9B5"),
    etf("USO", "0xa30FA36Db767ad9eD3f7a60fC79526fB4d56D344"),
  ],
};

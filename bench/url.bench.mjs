// Judging a URL beside taking it apart with the runtime's own parser, which is native and judges nothing.
import { DEFAULT_URL_POLICY, judgeUrl, normaliseTarget } from "@countersign/core";
import { compare } from "./harness.mjs";

const kinds = {
  plain: [
    "https://api.example.com/v1/accounts/17/transfers?limit=50&after=2026-01-01T00:00:00Z",
    "https://raw.githubusercontent.com/example/project/main/README.md",
    "https://www.example.co.uk/a/b/../c?q=hello+world#top",
    "http://example.org:8080/",
  ],
  international: [
    "https://m\u00fcnchen.de/stra\u00dfe",
    "https://\u65e5\u672c\u8a9e.jp/",
    "https://\u043f\u043e\u0447\u0442\u0430.\u0440\u0444/",
  ],
  hostile: [
    "http://0x7f.1/admin",
    "http://[::ffff:169.254.169.254]/latest/meta-data/",
    "https://user:pass@\u0430pple.com\\@10.0.0.1/",
    "http://10.0.0.1.nip.io:6379/%0d%0aSET",
  ],
};

const parse = (url) => (URL.canParse(url) ? new URL(url).hostname.length : 0);

for (const [kind, urls] of Object.entries(kinds)) {
  await compare({
    name: `judging a URL, ${kind}`,
    contenders: {
      judgeUrl: () => urls.map((url) => judgeUrl(url, DEFAULT_URL_POLICY).verdict),
      "new URL": () => urls.map(parse),
    },
    ratio: ["judgeUrl", "new URL"],
    floor: 0.005,
  });
}

await compare({
  name: "normal form of a target",
  contenders: { normaliseTarget: () => kinds.plain.map(normaliseTarget), "new URL": () => kinds.plain.map(parse) },
  ratio: ["normaliseTarget", "new URL"],
  floor: 0.01,
});

const long = `https://example.com/${"a/%C3%A9".repeat(2000)}`;
await compare({
  name: "judging a URL of 16,000 characters",
  contenders: { judgeUrl: () => judgeUrl(long, DEFAULT_URL_POLICY), "new URL": () => parse(long) },
  ratio: ["judgeUrl", "new URL"],
  floor: 0.2,
});

import { fileURLToPath } from "node:url";
import { createContext, runInContext } from "node:vm";
import { build } from "vite";
import { expect, test } from "vitest";
import { judgeUrl } from "./judgeUrl.ts";
import { DEFAULT_URL_POLICY } from "./urlPolicy.ts";

/** One script without imports, as a bundler for an edge runtime would make it. */
async function bundle(): Promise<string> {
  const entry = fileURLToPath(new URL("../../../src/check/url/judgeUrl.ts", import.meta.url));
  const output = await build({
    configFile: false,
    logLevel: "silent",
    build: { write: false, minify: false, lib: { entry, formats: ["iife"], name: "url" } },
  });
  const [first] = Array.isArray(output) ? output : [output];
  if (first === undefined || !("output" in first)) throw new Error("nothing was built");
  return first.output[0].code;
}

test("judges alike where there is nothing but ECMAScript", async () => {
  const context = createContext({});
  expect(runInContext("typeof URL + typeof TextEncoder + typeof process", context)).toBe("undefinedundefinedundefined");
  runInContext(await bundle(), context);
  const urls = [
    "https://example.com/a?b#c",
    "https://b\u00fccher.example.com/%c3%bc\u00fc",
    "http://%6c%6fcalhost/",
    "http://%ff%fe.com/",
    "http://\u2460\u2461\u2466.0.0.1/",
    "http://[::ffff:7f00:1]/",
    "https://\u0430pple.com/",
    "https://example.com/\ud800",
    "https://user:pw@example.com/",
  ];
  for (const url of urls) {
    const [text, policy] = [JSON.stringify(url), JSON.stringify(DEFAULT_URL_POLICY)];
    const there = runInContext(`JSON.stringify(url.judgeUrl(${text}, ${policy}))`, context);
    expect(JSON.parse(there)).toEqual(judgeUrl(url, DEFAULT_URL_POLICY));
  }
});

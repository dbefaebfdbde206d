// A gate in memory with every dialect, for tools that test a server from outside. Prints its address, ends with stdin.
import { createHash, generateKeyPairSync, randomBytes } from "node:crypto";
import { writeJwks, writeMandateKeys } from "@countersign/api";
import { createGate, createMemoryStore, readPolicy, samePolicy } from "@countersign/core";
import {
  createLogger,
  createNodeSigner,
  createServer,
  firewallDialect,
  LOCAL,
  mandateDialect,
  nativeDialect,
} from "@countersign/server";

const random = (length) => new Uint8Array(randomBytes(length));
const sha256 = (bytes) => new Uint8Array(createHash("sha256").update(bytes).digest());
const signer = createNodeSigner("example", generateKeyPairSync("ed25519").privateKey);
const store = createMemoryStore({ clock: Date.now, random, sha256 });
const policy = readPolicy(
  {
    mandate: {
      clauses: [{ id: "reads", effect: "allow", match: { kind: ["file"], verb: ["read"] } }],
      default: "block",
    },
  },
  "platform:default",
);
const gate = createGate({
  ledger: store,
  policies: samePolicy(policy.value),
  sources: [],
  deadline: () => new Promise(() => {}),
  signer: () => signer,
  clock: Date.now,
  random,
  sha256,
  engine: "example",
  issuer: "http://127.0.0.1",
  holds: null,
  content: "none",
});
const app = createServer({
  version: "0.0.0",
  dialects: [
    nativeDialect(gate, store),
    firewallDialect(Date.now),
    mandateDialect({ ledger: store, signer: () => signer, clock: Date.now, random, sha256 }),
  ],
  keys: { jwks: () => writeJwks([]), adviceJwks: () => writeJwks([]), mandateKeys: () => writeMandateKeys([]) },
  authenticator: async () => ({ ok: true, value: LOCAL }),
  readiness: async () => null,
  logger: createLogger("silent"),
  hosts: [],
  origins: [],
});
await app.listen({ port: 0, host: "127.0.0.1" });
console.log(`http://127.0.0.1:${app.server.address().port}`);
process.stdin.on("end", () => app.close()).resume();

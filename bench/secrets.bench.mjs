// The search for secrets: a hundred times the text takes about a hundred times the time, also when somebody made it hard.
import { findSecrets } from "@countersign/core";
import { compare } from "./harness.mjs";

const short = 8 * 1024;
const times = 100;
const fill = (piece, length) => piece.repeat(Math.ceil(length / piece.length)).slice(0, length);

for (const [name, piece] of [
  ["prose", "The invoice of 25.00 for order 77 is due on 2026-12-01, see https://pay.example/orders/77?q=1 for more. "],
  ["openings without an end", "sk-eyJ-"],
  ["names without a value", 'password="'],
  ["credentials without a host", "x://a:b"],
  ["a key that never comes", "-----BEGIN PRIVATE KEY-----\n"],
  ["base64 that hides text", "VGhlIHF1aWNrIGJyb3duIGZveCBqdW1wcyBvdmVy"],
  ["percent-encoding", "%41%25"],
]) {
  const texts = Array.from({ length: times }, () => fill(piece, short));
  const long = fill(piece, short * times);
  await compare({
    name: `secrets, one text of 800 kB beside 100 of 8: ${name}`,
    contenders: {
      one: () => findSecrets(long).length,
      many: () => texts.reduce((sum, text) => sum + findSecrets(text).length, 0),
    },
    rounds: 7,
    ratio: ["one", "many"],
    floor: 0.7,
  });
}

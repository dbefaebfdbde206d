// node fuzz/run.mjs [--seconds 60] [--seed N] [--target NAME]: throws changed bytes at every reader until the time is up. A
// failure prints its target, seed and input, and ends with status 1.
import { parseArgs } from "node:util";
import { createRandom, mutate } from "./mutate.mjs";
import { seeds, targets } from "./targets.mjs";

const { values } = parseArgs({
  options: {
    seconds: { type: "string", default: "60" },
    seed: { type: "string", default: "1" },
    target: { type: "string" },
  },
});
const seconds = Number(values.seconds);
const random = createRandom(Number(values.seed));
const chosen = Object.entries(targets).filter(([name]) => values.target === undefined || name === values.target);
if (chosen.length === 0)
  throw new Error(`there is no target of this name; there are ${Object.keys(targets).join(", ")}`);
/** Far above what any input of this size may need, far below a hang: on a busy machine a second goes by quickly. */
const LONGEST_MS = 5_000;

const corpus = [...seeds];
const counts = Object.fromEntries(chosen.map(([name]) => [name, 0]));
const ends = Date.now() + seconds * 1000;
let told = Date.now();
let failed = false;
while (Date.now() < ends && !failed) {
  const input = mutate(corpus, random);
  for (const [name, run] of chosen) {
    const start = performance.now();
    try {
      await run(input);
    } catch (cause) {
      failed = true;
      console.error(`${name}: ${cause?.stack ?? cause}\ninput (base64): ${input.toString("base64").slice(0, 4_000)}`);
    }
    const took = performance.now() - start;
    counts[name] += 1;
    if (took > LONGEST_MS) {
      failed = true;
      console.error(
        `${name} took ${Math.round(took)} ms for ${input.length} bytes\ninput (base64): ${input.toString("base64").slice(0, 4_000)}`,
      );
    }
  }
  // What is new in shape stays, so that changes add up; the seeds are never pushed out.
  if (random.below(20) === 0 && input.length < 4_096)
    corpus.splice(seeds.length + random.below(200), corpus.length > 200 + seeds.length ? 1 : 0, input);
  if (Date.now() - told > 10_000) {
    told = Date.now();
    console.log(`${Math.round((ends - told) / 1000)} s left, ${Object.values(counts)[0]} inputs`);
  }
}
console.log(
  `fuzz: ${Object.values(counts)[0]} inputs to each of ${chosen.length} readers${failed ? ", one failed" : ""}`,
);
process.exit(failed ? 1 : 0);

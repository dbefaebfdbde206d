/**
 * Measures side by side, in one process: every contender runs in every round, in turns, so that a machine which slows
 * down slows all of them. What is told is the median, and how many times as fast one contender is as another.
 */
import { performance } from "node:perf_hooks";

/** Long enough that the clock's resolution and one collection of garbage do not decide a sample. */
const sampleMillis = 5;

/** On two busy cores the optimising compiler runs late: what is measured before it is done measures the interpreter. */
const warmMillis = 700;

/**
 * @param {{
 *   name: string,
 *   contenders: Record<string, () => unknown>,
 *   rounds?: number,
 *   ratio: [string, string],
 *   floor: number,
 * }} spec `ratio` [a, b] is how many times as fast a is as b; below `floor` the run fails. Functions may be async.
 */
export async function compare({ name, contenders, rounds = 31, ratio: [first, second], floor }) {
  const names = Object.keys(contenders);
  const calls = {};
  const samples = Object.fromEntries(names.map((contender) => [contender, []]));
  for (const contender of names) calls[contender] = await calibrate(contenders[contender]);
  for (let round = 0; round < rounds; round += 1) {
    // Turned round in every second round: nobody always runs on the other's garbage.
    for (const contender of round % 2 === 0 ? names : [...names].reverse()) {
      samples[contender].push((await time(contenders[contender], calls[contender])) / calls[contender]);
    }
  }
  const ratio = median(samples[second].map((millis, round) => millis / samples[first][round]));
  const micros = Object.fromEntries(names.map((contender) => [contender, median(samples[contender]) * 1000]));
  report({ name, micros, ratioOf: [first, second], ratio, floor });
}

/** Tells a ratio that was measured in another way, such as by starting programs or over a socket. */
export function report(result) {
  if (process.send === undefined) console.log(line(result));
  else process.send(result);
}

/** @returns {string} one row of the table */
export function line({ name, micros, ratioOf: [first, second], ratio, floor }) {
  const times = [first, second].map((contender) => `${contender} ${short(micros[contender])} us`).join(", ");
  return `${ratio < floor ? "BELOW" : "ok   "} ${name.padEnd(48)} ${short(ratio).padStart(8)}x  (floor ${floor}x)  ${times}`;
}

export const median = (values) => {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = Math.floor(sorted.length / 2);
  return sorted.length % 2 === 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
};

/** How many calls fill a sample, found after running long enough that the engine has compiled what it will. */
async function calibrate(run) {
  let calls = 1;
  let warm = 0;
  for (;;) {
    const millis = await time(run, calls);
    warm += millis;
    if (millis >= sampleMillis && warm >= warmMillis) return calls;
    if (millis < sampleMillis)
      calls = millis < sampleMillis / 10 ? calls * 10 : Math.ceil((calls * sampleMillis * 1.2) / millis);
    else if (millis > 2 * sampleMillis) calls = Math.max(1, Math.floor((calls * sampleMillis * 1.2) / millis));
  }
}

async function time(run, calls) {
  const start = performance.now();
  for (let call = 0; call < calls; call += 1) {
    const result = run();
    // Awaiting what is no promise would cost a turn of the queue in every call.
    if (typeof result?.then === "function") await result;
  }
  return performance.now() - start;
}

const short = (value) => (value >= 100 ? value.toFixed(0) : value >= 1 ? value.toFixed(2) : value.toPrecision(2));

// All rows, with what the scanner sees of them, and which of them teach.
import { isChatJailbreak, readRows } from "./corpus.mjs";
import { extract } from "./extract.mjs";
import { ownRows } from "./own.mjs";

/** All rows, or those that `keep(row, index)` keeps. */
export function loadMaterial(keep = () => true) {
  const train = readRows("train");
  const dev = readRows("dev");
  const carriers = train
    .filter((row) => row.label === 0 && row.family.startsWith("carrier-"))
    .map((row) => row.text.slice(0, 900));
  const rows = [
    ...train,
    ...ownRows(
      carriers,
      train.filter((row) => row.label === 0 && row.lang !== "en"),
    ),
    ...dev,
  ].filter(keep);
  // Persona prompts that people write for a chat are requests by right, and so like attacks that they would teach nothing but doubt.
  for (const row of rows)
    row.learn = row.part !== "dev" && !isChatJailbreak(row) && row.family !== "wild-regular-prompt";
  return { rows, x: extract(rows) };
}

// What a group of decisions writes, as often as wanted under other keys: the rows of the store without its judging.
import { commitGroup, LOG_START } from "@countersign/core";
import { nodeMeans } from "../packages/store/dist/means.js";
import { decision } from "./storeDecision.mjs";

export function groupWriter(size) {
  const head = { size: 0, at: 0, peaks: [], last: LOG_START, nameKey: "0".repeat(64), sealed: false };
  const changes = Array.from({ length: size }, () => decision());
  const steps = commitGroup({ tenant: "bench", head, clock: Date.now(), changes }, nodeMeans(null));
  let step = steps.next();
  while (!step.done) step = steps.next({ rows: {}, sums: [] });
  const { writes } = step.value;
  let times = 0;
  return () => {
    times += 1;
    const moved = (row) => ({ ...row, seq: row.seq + times * size });
    // Ids grow with time, as real ones do.
    const later = (id) => `dec_${String(times).padStart(8, "0")}${id.slice(12)}`;
    return {
      ...writes,
      entries: writes.entries.map((row) => moved({ ...row, ref: later(row.ref) })),
      nodes: writes.nodes.map((row) => ({ ...row, level: row.level + 100 * times })),
      inserted: {
        ...writes.inserted,
        decisions: writes.inserted.decisions.map((row) => moved({ ...row, id: later(row.id) })),
      },
    };
  };
}

// What the scanner sees of each row: its own code gives the tokens, features and windows, so training and scanning cannot drift apart.
import { featuresOf } from "../../packages/core/dist/check/instructions/features.js";
import { conceptVocabulary } from "../../packages/core/dist/check/instructions/lexicon/lexicon.js";
import { findRules } from "../../packages/core/dist/check/instructions/rules.js";
import { spanOf, viewsOf } from "../../packages/core/dist/check/instructions/views.js";
import { windowsOf } from "../../packages/core/dist/check/instructions/windows.js";

class Pool {
  data = new Int32Array(1 << 22);
  size = 0;
  push(values) {
    if (this.size + values.length > this.data.length) {
      const bigger = new Int32Array(Math.max(this.data.length * 2, this.size + values.length));
      bigger.set(this.data);
      this.data = bigger;
    }
    this.data.set(values, this.size);
    const at = this.size;
    this.size += values.length;
    return at;
  }
}

/**
 * `windows` lists, row after row, [slots from, slots to, tokens, depth of the view, share of the row's payload inside, share of the window
 * that is payload]; `first[row]` says where a row's begin.
 */
export function extract(rows) {
  const vocabulary = conceptVocabulary();
  const slots = new Pool();
  const from = [];
  const to = [];
  const tokens = [];
  const depth = [];
  const inside = [];
  const purity = [];
  const rules = [];
  const first = [0];
  for (const row of rows) {
    for (const view of viewsOf(row.text, vocabulary)) {
      const hits = findRules(view.tokens);
      const features = featuresOf(view.tokens, hits);
      const base = slots.push(features.slots.subarray(0, features.starts[view.tokens.count]));
      const windows = windowsOf(view.tokens);
      let hit = 0;
      for (let w = 0; w < windows.count; w += 1) {
        const a = windows.from[w];
        const b = windows.to[w];
        from.push(base + features.starts[a]);
        to.push(base + features.starts[b]);
        tokens.push(b - a);
        depth.push(view.depth);
        while (hit < hits.length && hits[hit].last < a) hit += 1;
        const met = [];
        for (let k = hit; k < hits.length && hits[k].last < b; k += 1)
          if (hits[k].first >= a && !met.includes(hits[k].rule)) met.push(hits[k].rule);
        rules.push(met);
        if (row.span === undefined) {
          inside.push(1);
          purity.push(1);
          continue;
        }
        const [start] = spanOf(view, view.tokens.from[a], view.tokens.from[a]);
        const [, end] = spanOf(view, view.tokens.from[b - 1], view.tokens.to[b - 1]);
        const shared = Math.max(0, Math.min(end, row.span[1]) - Math.max(start, row.span[0]));
        inside.push(shared / Math.max(1, row.span[1] - row.span[0]));
        purity.push(shared / Math.max(1, end - start));
      }
    }
    first.push(from.length);
  }
  return {
    slots: slots.data.subarray(0, slots.size),
    from: Int32Array.from(from),
    to: Int32Array.from(to),
    tokens: Int32Array.from(tokens),
    depth: Uint8Array.from(depth),
    inside: Float32Array.from(inside),
    purity: Float32Array.from(purity),
    rules,
    first: Int32Array.from(first),
  };
}

import { isMap, isScalar, isSeq, LineCounter, type Node, parseDocument } from "yaml";

export interface Place {
  readonly line: number;
  readonly column: number;
}

/** Where the values of a document stand in its text, YAML or JSON. What is not there is where the nearest value above it is. */
export function placesIn(text: string): (pointer: string) => Place {
  const lines = new LineCounter();
  const root = parseDocument(text, {
    schema: "core",
    version: "1.2",
    lineCounter: lines,
    // What is placed has been read, and keys that come twice were refused there.
    uniqueKeys: false,
    prettyErrors: false,
  }).contents;
  return (pointer) => {
    let node: Node | null = root as Node | null;
    let offset = node?.range?.[0] ?? 0;
    for (const step of pointer.split("/").slice(1)) {
      const key = step.replaceAll("~1", "/").replaceAll("~0", "~");
      const next = stepInto(node, key);
      if (next === undefined) break;
      ({ node, offset } = next);
    }
    const { line, col } = lines.linePos(offset);
    return { line, column: col };
  };
}

/** A member is where its key is, an item where it begins. */
function stepInto(node: Node | null, key: string): { readonly node: Node | null; readonly offset: number } | undefined {
  if (isSeq<Node | null>(node)) {
    const item = node.items[Number(key)];
    return item?.range ? { node: item, offset: item.range[0] } : undefined;
  }
  if (!isMap<Node, Node | null>(node)) return undefined;
  const pair = node.items.find((one) => isScalar(one.key) && one.key.value === key);
  return pair?.key.range ? { node: pair.value, offset: pair.key.range[0] } : undefined;
}

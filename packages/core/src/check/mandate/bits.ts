/** A set of clause numbers below a known count, 32 to a word, so that conditions over all clauses are joined word by word. */
export type Bits = Uint32Array;

export const noBits = (count: number): Bits => new Uint32Array((count + 31) >>> 5);

export function setBit(bits: Bits, at: number): void {
  bits[at >>> 5] = (bits[at >>> 5] as number) | (1 << (at & 31));
}

export function addAll(bits: Bits, more: Bits): void {
  for (let word = 0; word < bits.length; word += 1) bits[word] = (bits[word] as number) | (more[word] as number);
}

export function keepOnly(bits: Bits, others: Bits): void {
  for (let word = 0; word < bits.length; word += 1) bits[word] = (bits[word] as number) & (others[word] as number);
}

/** The first number in the set, below `before`, that `holds`. */
export function firstBit(bits: Bits, before: number, holds: (at: number) => boolean): number | undefined {
  for (let word = 0; word << 5 < before; word += 1) {
    let left = bits[word] as number;
    while (left !== 0) {
      const at = (word << 5) + 31 - Math.clz32(left & -left);
      if (at >= before) return undefined;
      if (holds(at)) return at;
      left &= left - 1;
    }
  }
  return undefined;
}

/** Clause numbers by value: few as a list, many as bits, so that adding them costs at most one pass over the words. */
export class BitsByValue<V> {
  readonly #count: number;
  readonly #lists = new Map<V, number[]>();
  readonly #dense = new Map<V, Bits>();

  constructor(count: number) {
    this.#count = count;
  }

  get values(): Iterable<V> {
    return this.#lists.keys();
  }

  /** Numbers come in ascending order. */
  add(value: V, at: number): void {
    const list = this.#lists.get(value);
    if (list === undefined) this.#lists.set(value, [at]);
    else if (list.at(-1) !== at) list.push(at);
  }

  addTo(bits: Bits, value: V): void {
    const list = this.#lists.get(value);
    if (list === undefined) return;
    if (list.length <= bits.length) {
      for (const at of list) setBit(bits, at);
      return;
    }
    let dense = this.#dense.get(value);
    if (dense === undefined) {
      dense = noBits(this.#count);
      for (const at of list) setBit(dense, at);
      this.#dense.set(value, dense);
    }
    addAll(bits, dense);
  }
}

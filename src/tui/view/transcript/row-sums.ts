/**
 * How many rows stand before each item, kept as a Fenwick tree: a changed height, the rows before an item and the item at a
 * row take a number of steps that grows with the logarithm of the length only.
 */
export interface RowSums {
  readonly length: number;
  push(rows: number): void;
  set(at: number, rows: number): void;
  get(at: number): number;
  /** Of all items before this one; `before(length)` is the sum of all. */
  before(at: number): number;
  /** The item that holds this row, and which of its rows it is. Beyond the end: the last item, and what is left over. */
  find(row: number): { readonly at: number; readonly row: number };
}

export function createRowSums(initial: readonly number[] = []): RowSums {
  /** One-based: `tree[n]` holds the sum of the last `lowBit(n)` heights up to `n`. */
  const tree: number[] = [0];
  const heights: number[] = [];

  function push(rows: number): void {
    heights.push(rows);
    const at = heights.length;
    let sum = rows;
    for (let step = 1; step < lowBit(at); step *= 2) sum += tree[at - step] ?? 0;
    tree.push(sum);
  }

  for (const rows of initial) push(rows);
  return {
    get length() {
      return heights.length;
    },
    push,
    set(at, rows) {
      const change = rows - (heights[at] ?? 0);
      if (change === 0 || at >= heights.length) return;
      heights[at] = rows;
      for (let node = at + 1; node < tree.length; node += lowBit(node)) tree[node] = (tree[node] ?? 0) + change;
    },
    get: (at) => heights[at] ?? 0,
    before(at) {
      let sum = 0;
      for (let node = Math.min(at, heights.length); node > 0; node -= lowBit(node)) sum += tree[node] ?? 0;
      return sum;
    },
    find(row) {
      let at = 0;
      let left = row;
      for (let step = highBit(heights.length); step > 0; step >>= 1) {
        const rows = tree[at + step];
        if (rows === undefined || rows > left) continue;
        at += step;
        left -= rows;
      }
      if (at < heights.length) return { at, row: left };
      const last = Math.max(0, at - 1);
      return { at: last, row: left + (heights[last] ?? 0) };
    },
  };
}

const lowBit = (node: number): number => node & -node;
const highBit = (length: number): number => (length === 0 ? 0 : 2 ** Math.floor(Math.log2(length)));

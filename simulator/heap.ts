/** A binary heap. `pop` takes the entry that `before` puts first. */
export interface Heap<T> {
  readonly size: number;
  peek(): T | undefined;
  push(entry: T): void;
  pop(): T | undefined;
}

/** `before` must be a total order, or runs with one seed would differ. */
export function createHeap<T>(before: (a: T, b: T) => boolean): Heap<T> {
  const entries: T[] = [];
  const at = (index: number) => entries[index] as T;
  const swap = (a: number, b: number) => {
    [entries[a], entries[b]] = [at(b), at(a)];
  };

  function rise(start: number) {
    for (let child = start; child > 0; ) {
      const parent = (child - 1) >> 1;
      if (!before(at(child), at(parent))) return;
      swap(child, parent);
      child = parent;
    }
  }

  function sink() {
    for (let parent = 0; ; ) {
      const [left, right] = [2 * parent + 1, 2 * parent + 2];
      let first = parent;
      if (left < entries.length && before(at(left), at(first))) first = left;
      if (right < entries.length && before(at(right), at(first))) first = right;
      if (first === parent) return;
      swap(first, parent);
      parent = first;
    }
  }

  return {
    get size() {
      return entries.length;
    },
    peek: () => entries[0],
    push(entry) {
      entries.push(entry);
      rise(entries.length - 1);
    },
    pop() {
      const first = entries[0];
      const last = entries.pop();
      if (last !== undefined && entries.length > 0) {
        entries[0] = last;
        sink();
      }
      return first;
    },
  };
}

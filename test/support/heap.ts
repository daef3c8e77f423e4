// A binary heap, least first.

export class Heap<T> {
  readonly #items: T[] = [];
  readonly #compare: (a: T, b: T) => number;

  constructor(compare: (a: T, b: T) => number) {
    this.#compare = compare;
  }

  get size(): number {
    return this.#items.length;
  }

  first(): T {
    return this.#items[0];
  }

  push(item: T): void {
    const items = this.#items;
    let at = items.push(item) - 1;
    while (at > 0 && this.#compare(item, items[(at - 1) >> 1]) < 0) {
      items[at] = items[(at - 1) >> 1];
      at = (at - 1) >> 1;
    }
    items[at] = item;
  }

  pop(): T {
    const items = this.#items;
    const least = items[0];
    const item = items.pop()!;
    if (items.length === 0) return least;
    let at = 0;
    for (let child = 1; child < items.length; child = 2 * at + 1) {
      if (child + 1 < items.length && this.#compare(items[child + 1], items[child]) < 0) child++;
      if (this.#compare(item, items[child]) <= 0) break;
      items[at] = items[child];
      at = child;
    }
    items[at] = item;
    return least;
  }
}

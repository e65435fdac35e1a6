// The best k of many items without sorting all: a heap with the worst of the kept items on top.
/** `undefined` is not allowed as an item. */
export class TopK<T extends {}> {
  readonly #capacity: number
  /** Negative if the first item is better. */
  readonly #compare: (a: T, b: T) => number
  readonly #heap: T[] = []

  constructor(capacity: number, compare: (a: T, b: T) => number) {
    this.#capacity = capacity
    this.#compare = compare
  }

  /** Keeps the item if it is among the best so far. */
  push(item: T): void {
    const heap = this.#heap
    const [worst] = heap
    if (heap.length < this.#capacity) {
      heap.push(item)
      this.#siftUp()
    } else if (worst !== undefined && this.#compare(item, worst) < 0) {
      heap[0] = item
      this.#siftDown(item)
    }
  }

  /** The item that the next better one replaces; undefined as long as there is room. */
  get worst(): T | undefined {
    return this.#heap.length < this.#capacity ? undefined : this.#heap[0]
  }

  /** The kept items, best first. */
  toArray(): T[] {
    return this.#heap.toSorted(this.#compare)
  }

  /** Moves the last item up while it is worse than its parent. */
  #siftUp(): void {
    const heap = this.#heap
    let at = heap.length - 1
    const item = heap[at]
    while (at > 0 && item !== undefined) {
      const parentAt = (at - 1) >> 1
      const parent = heap[parentAt]
      if (parent === undefined || this.#compare(item, parent) <= 0) return
      heap[at] = parent
      heap[parentAt] = item
      at = parentAt
    }
  }

  /** Moves the first item down while a child is worse. */
  #siftDown(item: T): void {
    const heap = this.#heap
    for (let at = 0; ; ) {
      let worst = item
      let worstAt = at
      for (const childAt of [2 * at + 1, 2 * at + 2]) {
        const child = heap[childAt]
        if (child === undefined || this.#compare(child, worst) <= 0) continue
        worst = child
        worstAt = childAt
      }
      if (worstAt === at) return
      heap[at] = worst
      heap[worstAt] = item
      at = worstAt
    }
  }
}

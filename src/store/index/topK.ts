// The best k of many, without sorting all: a heap with the worst of those taken so far on top.

export class TopK<T> {
  readonly #capacity: number
  /** Below 0 where the first is the better one. */
  readonly #compare: (a: T, b: T) => number
  readonly #heap: T[] = []

  constructor(max: number, compare: (a: T, b: T) => number) {
    this.#capacity = max
    this.#compare = compare
  }

  /** Takes the item if it is among the best so far. */
  push(one: T): void {
    const heap = this.#heap
    if (heap.length < this.#capacity) {
      heap.push(one)
      this.#up(heap.length - 1)
    } else if (this.#capacity > 0 && this.#compare(one, heap[0]!) < 0) {
      heap[0] = one
      this.#down()
    }
  }

  /** The one that the next better takes the place of; undefined as long as there is room. */
  get worst(): T | undefined {
    return this.#heap.length < this.#capacity ? undefined : this.#heap[0]
  }

  /** Those taken, best first. */
  toArray(): T[] {
    return this.#heap.toSorted(this.#compare)
  }

  #up(from: number): void {
    const heap = this.#heap
    for (let at = from; at > 0; ) {
      const above = (at - 1) >> 1
      if (this.#compare(heap[at]!, heap[above]!) <= 0) return
      this.#swap(at, above)
      at = above
    }
  }

  #down(): void {
    const heap = this.#heap
    for (let at = 0; ; ) {
      let worst = at
      for (const below of [2 * at + 1, 2 * at + 2]) {
        if (below < heap.length && this.#compare(heap[below]!, heap[worst]!) > 0) worst = below
      }
      if (worst === at) return
      this.#swap(at, worst)
      at = worst
    }
  }

  #swap(a: number, b: number): void {
    const heap = this.#heap
    const one = heap[a]!
    heap[a] = heap[b]!
    heap[b] = one
  }
}

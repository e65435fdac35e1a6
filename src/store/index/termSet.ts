// Distinct terms by their hash, while a segment is being written.
import { homeSlot } from './segmentFormat.ts'
import type { TermColumns } from './segmentLayout.ts'

/** Terms numbered as they come: an open-addressing table over typed arrays, 24 to 48 bytes a term. */
export class TermSet {
  count = 0
  high = new Uint32Array(1024)
  low = new Uint32Array(1024)
  frequency = new Uint32Array(1024)
  /** One past the term's newest posting. */
  lastPosting = new Uint32Array(1024)
  #slots = new Uint32Array(2048)

  idOf(high: number, low: number): number {
    const mask = this.#slots.length - 1
    let slot = low & mask
    for (let found = this.#slots[slot]!; found !== 0; found = this.#slots[slot]!) {
      if (this.low[found - 1] === low && this.high[found - 1] === high) return found - 1
      slot = (slot + 1) & mask
    }
    if (this.count === this.high.length) {
      this.#grow()
      return this.idOf(high, low)
    }
    this.high[this.count] = high
    this.low[this.count] = low
    this.#slots[slot] = ++this.count
    return this.count - 1
  }

  /** Ids by ascending hash: a counting sort by home, where about one term meets another, then insertion. */
  inHashOrder(): Uint32Array {
    const ends = new Uint32Array(this.count + 1)
    for (let id = 0; id < this.count; id++) ends[homeSlot(this.high[id]!, this.count) + 1]!++
    for (let i = 1; i < ends.length; i++) ends[i]! += ends[i - 1]!
    const order = new Uint32Array(this.count)
    for (let id = 0; id < this.count; id++) order[ends[homeSlot(this.high[id]!, this.count)]!++] = id
    for (let i = 1; i < order.length; i++) {
      const id = order[i]!
      let at = i
      for (; at > 0 && this.#before(id, order[at - 1]!); at--) order[at] = order[at - 1]!
      order[at] = id
    }
    return order
  }

  columns(order: Uint32Array): TermColumns {
    const pick = (from: Uint32Array): Uint32Array => {
      const picked = new Uint32Array(order.length)
      for (let i = 0; i < order.length; i++) picked[i] = from[order[i]!]!
      return picked
    }
    return { count: this.count, high: pick(this.high), low: pick(this.low), frequency: pick(this.frequency) }
  }

  #before(a: number, b: number): boolean {
    return this.high[a]! < this.high[b]! || (this.high[a] === this.high[b] && this.low[a]! < this.low[b]!)
  }

  #grow(): void {
    const capacity = 2 * this.high.length
    this.high = growArray(this.high, new Uint32Array(capacity))
    this.low = growArray(this.low, new Uint32Array(capacity))
    this.frequency = growArray(this.frequency, new Uint32Array(capacity))
    this.lastPosting = growArray(this.lastPosting, new Uint32Array(capacity))
    this.#slots = new Uint32Array(2 * capacity)
    const mask = this.#slots.length - 1
    for (let id = 0; id < this.count; id++) {
      let slot = this.low[id]! & mask
      while (this.#slots[slot] !== 0) slot = (slot + 1) & mask
      this.#slots[slot] = id + 1
    }
  }
}

/** `into` with the beginning of `from`. */
export function growArray<T extends Uint8Array | Uint32Array>(from: T, into: T): T {
  into.set(from)
  return into
}

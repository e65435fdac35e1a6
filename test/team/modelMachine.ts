// A machine of a team without disk: memories, states and outbox, with the same steps as a sync of a real store.
import type { MemoryId } from '../../src/model/id.ts'
import { type Knowledge, newKnowledgeRecord } from '../../src/model/knowledge.ts'
import { type Memory, newMemory } from '../../src/model/memory.ts'
import { adoptMemory, applyTeamState, leaveTeam } from '../../src/team/applyTeamState.ts'
import { checkOperation } from '../../src/team/checkOperation.ts'
import { collectOperations, forgetOperations, leaveOperations } from '../../src/team/collectOperations.ts'
import type { Hub } from '../../src/team/hub.ts'
import { mergeOperation, type TeamState } from '../../src/team/mergeOperation.ts'
import type { Operation } from '../../src/team/operation.ts'
import type { SharePolicy } from '../../src/team/shareMemory.ts'
import { iso, testMemoryId } from '../testData.ts'

const POLICY: SharePolicy = {
  kinds: ['lesson', 'fact', 'decision', 'preference', 'entry'],
  agentOnly: false,
  personal: false,
}
export const PROJECT = 'project'
const BATCH = 3

/** A secret that the redaction of these tests knows. */
export const SECRET = 'hunter2-secret'
export const cleanText = (text: string): string => text.replaceAll(SECRET, '[removed]')

export const replicaId = (n: number): string => `aaaaaaaa-0000-4000-8000-${String(n).padStart(12, '0')}`

const lesson = (at: string): Knowledge => ({
  ...{ type: 'lesson', scope: 'project', author: 'rule', state: 'proposed', line: '' },
  when: [{ at: 'failure', has: ['no such file'] }],
  record: newKnowledgeRecord(at, undefined),
})

const shownOnce = (knowledge: Knowledge): Knowledge => {
  const { record } = knowledge
  return { ...knowledge, record: { ...record, shown: record.shown + 1, obeyed: record.obeyed + 1 } }
}

export class ModelMachine {
  readonly memories = new Map<MemoryId, Memory>()
  readonly states = new Map<MemoryId, TeamState>()
  readonly deleted = new Set<MemoryId>()
  readonly outbox: Operation[] = []
  readonly replica: string
  readonly name: string
  /** What its clock says more than the right time, in milliseconds. */
  readonly skew: number
  joined = false
  through = 0
  now = 0

  constructor(n: number, skew = 0) {
    this.replica = replicaId(n)
    this.name = `Person ${n}`
    this.skew = skew
  }

  get settings() {
    return { replica: this.replica, policy: POLICY, cleanText }
  }

  get writer() {
    return { replica: this.replica, name: this.name, nextN: this.outbox.length + 1 }
  }

  at(ms: number): this {
    this.now = ms + this.skew
    return this
  }

  change(id: MemoryId, change: (memory: Memory) => Memory): void {
    const memory = this.memories.get(id)
    if (memory) this.memories.set(id, change(memory))
  }

  /** As organizing does: what is known is built on, and the session counts once. */
  learn(subject: number, text: string): void {
    const id = testMemoryId(subject)
    if (this.states.get(id)?.forgotten === true) return
    const known = this.memories.get(id)
    const updated = iso(this.now)
    if (known?.privacy === 'private') return
    const content = known ? `${known.content.slice(0, 20)}+${text}` : text
    const knowledge = known?.knowledge ?? lesson(updated)
    const record = { ...knowledge.record, met: knowledge.record.met + 1, lastMet: updated }
    this.memories.set(id, {
      ...(known ?? newMemory({ id, kind: 'lesson', content, created: updated, sessionCount: 0 })),
      ...{ content, updated, sessionCount: (known?.sessionCount ?? 0) + 1 },
      knowledge: { ...knowledge, line: content, record },
    })
  }

  /** As a tool does that stores a memory as a whole, with no more than its text. */
  store(id: MemoryId, content: string): void {
    const created = iso(this.now)
    const memory = newMemory({ id, kind: 'lesson', content, created, knowledge: { ...lesson(created), line: content } })
    const [state, version] = [this.states.get(id), this.memories.get(id)?.team?.at]
    this.memories.set(id, adoptMemory({ memory, state, version }, this.settings))
    this.deleted.delete(id)
  }

  edit(id: MemoryId, content: string): void {
    this.change(id, (memory) => ({
      ...{ ...memory, content, updated: iso(this.now) },
      ...(memory.knowledge && { knowledge: { ...memory.knowledge, line: content } }),
    }))
  }

  use(id: MemoryId): void {
    this.change(id, (memory) => ({
      ...memory,
      accessCount: memory.accessCount + 1,
      impactScore: memory.impactScore + 0.1,
      ...(memory.knowledge && { knowledge: shownOnce(memory.knowledge) }),
    }))
  }

  supersede(id: MemoryId, by: MemoryId | null): void {
    const status = by === null ? 'active' : 'archived'
    const updated = iso(this.now)
    const state = by === null ? 'standing' : 'superseded'
    this.change(id, (memory) => ({
      ...{ ...memory, supersededBy: by ?? undefined, status, updated },
      ...(memory.knowledge && { knowledge: { ...memory.knowledge, state } }),
    }))
  }

  makePrivate(id: MemoryId, privacy: 'private' | 'public'): void {
    this.change(id, (memory) => ({ ...memory, privacy, updated: iso(this.now) }))
  }

  delete(id: MemoryId): void {
    if (this.memories.delete(id) && this.states.has(id)) this.deleted.add(id)
  }

  forget(id: MemoryId): void {
    if (!this.memories.delete(id) || !this.joined) return
    this.publish(forgetOperations([id], this.writer, this.now))
  }

  join(): void {
    this.joined = true
  }

  /** What is not on the hub yet arrives there with the next sync of the same replica. */
  leave(): void {
    if (!this.joined) return
    this.publish(leaveOperations(this.states, this.writer, this.now))
    for (const [id, memory] of [...this.memories]) {
      const left = leaveTeam(memory, this.states.get(id), this.settings)
      if (left) this.memories.set(id, left)
      else this.memories.delete(id)
    }
    this.states.clear()
    this.deleted.clear()
    this.joined = false
    this.through = 0
  }

  collect(): number {
    const { memories, states, deleted, writer, now } = this
    const operations = collectOperations({ memories, states, deleted, policy: POLICY, writer, now, cleanText })
    this.publish(operations)
    return operations.length
  }

  /** One event: all or nothing. */
  publish(operations: readonly Operation[]): void {
    for (const operation of operations) {
      this.outbox.push(operation)
      this.apply(operation)
      if (operation.kind === 'delete') this.deleted.delete(operation.memory)
    }
  }

  apply(operation: Operation): void {
    const id = operation.memory
    const before = this.states.get(id)
    const after = mergeOperation(before, operation)
    const [local, isDeleted] = [this.memories.get(id), this.deleted.has(id)]
    const memory = applyTeamState({ id, local, before, after, isDeleted, settings: this.settings })
    this.states.set(id, after)
    if (memory) this.memories.set(id, memory)
    else this.memories.delete(id)
  }

  async push(hub: Hub, batches = Number.POSITIVE_INFINITY): Promise<void> {
    for (let i = 0; i < batches; i++) {
      const from = await hub.lastPushed(PROJECT, this.replica)
      const batch = this.outbox.slice(from, from + BATCH)
      if (batch.length === 0) return
      await hub.push(PROJECT, throughJson(batch))
    }
  }

  /** `crashes`: the last batch arrives, and the machine stops before it is stored. */
  async pull(hub: Hub, batches = Number.POSITIVE_INFINITY, crashes = false): Promise<void> {
    for (let i = 0; i < batches; i++) {
      const { operations, through, more } = await hub.pull(PROJECT, this.through, BATCH)
      if (crashes && i === batches - 1) return
      for (const value of throughJson(operations)) {
        const checked = checkOperation(value, cleanText)
        if ('problem' in checked) throw new Error(`refused: ${checked.problem}`)
        this.apply(checked.operation)
      }
      this.through = through
      if (!more) return
    }
  }

  /** How many operations it sent and received. */
  async sync(hub: Hub): Promise<number> {
    if (!this.joined) return 0
    const count = this.collect()
    await this.push(hub)
    const before = this.through
    await this.pull(hub)
    return count + this.through - before
  }
}

const throughJson = <Value>(value: Value): Value => JSON.parse(JSON.stringify(value)) as Value

/** Syncs until nobody has anything to tell; throws if that does not end. */
export async function syncUntilRest(hub: Hub, machines: readonly ModelMachine[]): Promise<void> {
  for (let round = 0; round < 12; round++) {
    let count = 0
    for (const machine of machines) count += await machine.sync(hub)
    if (count === 0) return
  }
  throw new Error('the machines do not come to rest')
}

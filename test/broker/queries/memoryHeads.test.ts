// Lists and lookups by the rows of memories: the same answers as from the complete memories, of which few are read.
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { parseRecording, replaySessions } from '../../../bench/fixture/replaySessions.ts'
import { openLiveStore } from '../../../src/broker/live/liveStore.ts'
import { openStoreAt, type Store } from '../../../src/broker/open/openStore.ts'
import {
  findRelatedMemory,
  listMemories,
  listMemoriesOfFiles,
  listMemoryPage,
  listSourceEvents,
  type MemoryFilter,
  type MemorySort,
  matchesFilter,
} from '../../../src/broker/queries/browse.ts'
import { explainFile } from '../../../src/broker/queries/fileHistory.ts'
import { readStoreStatus } from '../../../src/broker/queries/storeStatus.ts'
import type { Memory } from '../../../src/model/memory.ts'
import { hookPayloadFromValue } from '../../../src/record/hookPayload.ts'
import { readLog } from '../../../src/store/log/readLog.ts'

const RECORDINGS = path.join(import.meta.dirname, '../../../recordings')
const LATER = Date.parse('2026-04-22T18:00:00.000Z')

let folder: string
let store: Store
let complete: readonly Memory[]

// The recorded weeks, and a session so long after them that some of their memories are archived.
beforeAll(() => {
  folder = fs.mkdtempSync(path.join(os.tmpdir(), 'memctl-heads-'))
  store = openStoreAt(path.join(folder, 'store'), folder)
  const names = fs.readdirSync(RECORDINGS).filter((name) => name.endsWith('.jsonl'))
  const later = ['UserPromptSubmit', 'SessionEnd'].map((hook_event_name, i) => ({
    at: LATER + i,
    payload: hookPayloadFromValue({ session_id: 'later', cwd: '/home/dev/shop', hook_event_name, prompt: 'Go on.' })!,
  }))
  const recorded = names
    .sort()
    .map((name) => parseRecording(fs.readFileSync(path.join(RECORDINGS, name), 'utf8'), name))
  replaySessions(store, [...recorded, later])
  complete = [...openLiveStore(store).memories().values()]
})
afterAll(() => fs.rmSync(folder, { recursive: true, force: true }))

/** The same store; `texts` counts what is read of the texts of memories, `opened` has the files with texts. */
function counting() {
  const read = { texts: 0, opened: [] as string[] }
  const open: Store['files']['open'] = (file) => {
    const opened = store.files.open(file)
    if (!opened || !file.endsWith('.txt')) return opened
    read.opened.push(file)
    const readAt = (position: number, length: number): Buffer => {
      read.texts++
      return opened.readAt(position, length)
    }
    return { ...opened, readAt, close: () => opened.close() }
  }
  return { store: { ...store, files: { ...store.files, open } }, read }
}

const KEYS: Readonly<Record<MemorySort, (memory: Memory) => string | number>> = {
  updated: ({ updated }) => updated,
  created: ({ created }) => created,
  importance: ({ importance }) => importance,
  strength: ({ strength }) => strength,
  help: ({ help }) => help.contribution,
}

test('lists: a page has the memories that the complete list has there, whatever filter and order', () => {
  const session = complete.find(({ kind }) => kind === 'summary')!.session
  const filters: MemoryFilter[] = [{}, { kinds: ['summary'] }, { status: 'archived' }, { tiers: ['cold'] }, { session }]
  for (const filter of filters) {
    for (const sort of Object.keys(KEYS) as MemorySort[]) {
      const order = (a: Memory, b: Memory): number => {
        const [first, second] = [KEYS[sort](a), KEYS[sort](b)]
        return first === second ? (a.id < b.id ? -1 : 1) : first > second ? -1 : 1
      }
      const expected = complete.filter((memory) => matchesFilter(memory, filter)).sort(order)
      expect(expected.length).toBeGreaterThan(0)
      expect(listMemories(store, filter, sort)).toEqual(expected)
      const { total, memories } = listMemoryPage(store, filter, { sort, offset: 2, limit: 5 })
      expect({ total, memories }).toEqual({ total: expected.length, memories: expected.slice(2, 7) })
    }
  }
})

test('lists: a page and a memory by its id read the texts of what they show, and of no other memory', () => {
  const { store: counted, read } = counting()
  listMemoryPage(counted, {}, { sort: 'updated', offset: 0, limit: 3 })
  expect(read.texts).toBeLessThanOrEqual(3)
  read.texts = 0
  for (const memory of [complete[0]!, complete.find(({ status }) => status === 'archived')!])
    expect(findRelatedMemory(counted, memory.id.slice(0, 8)).memory).toEqual(memory)
  expect(read.texts).toBe(2)
})

test('lists: of the name of a file all memories are found that are about it, also archived ones, each once', () => {
  const named = new Map<string, string[]>()
  for (const { id, files } of complete) {
    const names = new Set(files.map((file) => file.slice(file.lastIndexOf('/') + 1)))
    for (const name of names) named.set(name, [...(named.get(name) ?? []), id])
  }
  expect(named.size).toBeGreaterThan(3)
  for (const [name, ids] of named) {
    const found = listMemoriesOfFiles(openLiveStore(store), name).map(({ id }) => id)
    expect(found.toSorted()).toEqual(ids.toSorted())
  }
})

test('lists: of the memories about a file only those that are wanted are read', () => {
  const name = complete.flatMap(({ files }) => files)[0]?.replace(/^.*\//, '') ?? ''
  const all = listMemoriesOfFiles(openLiveStore(store), name)
  const { store: counted, read } = counting()
  const found = listMemoriesOfFiles(openLiveStore(counted), name, ({ hasKnowledge }) => hasKnowledge)
  expect(found).toEqual(all.filter(({ knowledge }) => knowledge !== undefined))
  expect(read.texts).toBeLessThan(all.length)
})

test('lists: the status, and why a file is as it is, open the memories once', () => {
  const { store: counted, read } = counting()
  const { total, archived } = readStoreStatus(counted).memories
  expect([total, archived]).toEqual([complete.length, complete.filter(({ status }) => status === 'archived').length])
  expect(read.opened).toHaveLength(new Set(read.opened).size)
  read.opened = []
  explainFile(counted, { file: 'nobody-edited.ts', cwd: store.project.root, limit: 8 })
  expect(read.opened).toHaveLength(new Set(read.opened).size)
})

test('lists: the source events of a memory are all that the log has, in its order', () => {
  const { events } = readLog(store.files, store.layout.events)
  for (const memory of complete) {
    const expected = events.filter(({ id }) => memory.events.includes(id)).map(({ id }) => id)
    expect(listSourceEvents(store, [memory]).map(({ id }) => id)).toEqual(expected)
  }
})

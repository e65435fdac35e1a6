// Vectors: only changed memories are embedded, vectors of deleted ones are removed, and nobody finds hidden memories.
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { embedWith } from '../../../src/broker/embedding/maintainVectors.ts'
import { openLiveStore } from '../../../src/broker/live/liveStore.ts'
import { runMaintenance } from '../../../src/broker/maintenance/maintenance.ts'
import { rebuildStore } from '../../../src/broker/maintenance/rebuild.ts'
import { openStoreAt, type Store } from '../../../src/broker/open/openStore.ts'
import { hybridSearch, type SearchHit } from '../../../src/broker/search/hybridSearch.ts'
import type { MemoryId } from '../../../src/model/id.ts'
import { type Memory, newMemory } from '../../../src/model/memory.ts'
import { type Embedder, toUnitVector } from '../../../src/model/ports.ts'
import { realDisk } from '../../../src/store/disk/files.ts'
import { appendEvents } from '../../../src/store/log/eventLog.ts'
import { openVectorSet } from '../../../src/store/vectors/vectorIndex.ts'
import { hash32 } from '../../../src/text/hash.ts'
import { extractTerms } from '../../../src/text/terms/extractTerms.ts'
import { storedEvent } from '../../tools/events.ts'

const NOW = Date.parse('2026-03-10T12:00:00.000Z')
let store: Store
let stored = 0

beforeEach(() => {
  store = openStoreAt(fs.mkdtempSync(path.join(os.tmpdir(), 'memctl-semantic-')), '/home/dev/shop')
})
afterEach(() => fs.rmSync(store.layout.folder, { recursive: true, force: true }))

const idOf = (n: number) => `00000000-0000-8000-8000-${String(n).padStart(12, '0')}` as MemoryId

function memory(n: number, content: string, more: Partial<Memory> = {}): Memory {
  return newMemory({ id: idOf(n), kind: 'lesson', content, created: new Date(NOW - 1000).toISOString(), ...more })
}

/** Writes these memories to the log and runs maintenance. */
function remember(...memories: Memory[]): void {
  appendEvents(
    store.files,
    store.layout.events,
    memories.map((memory) => storedEvent(memory, stored++)),
  )
  runMaintenance(store, { now: NOW })
}

interface SearchOptions {
  readonly role?: string
  readonly embedder?: Embedder
}

/** A semantic search with a new live store. */
const semantic = (text: string, topK: number, { role, embedder }: SearchOptions = {}): Promise<SearchHit[]> =>
  hybridSearch(
    openLiveStore(store),
    {
      query: text,
      mode: 'semantic',
      keywordWeight: 0,
      topK,
      similarityMin: 0,
      sortBy: 'relevance',
      importanceWeight: 0,
      passes: () => true,
      session: undefined,
      role,
      now: NOW,
    },
    embedder,
  )

const found = async (text: string, topK = 3, options: SearchOptions = {}) =>
  (await semantic(text, topK, options)).map(({ memory }) => Number(memory.id.slice(-12)))

/** Another embedder, which collects the texts it embeds. */
function collectingEmbedder(id: string): Embedder & { readonly embeddedTexts: string[] } {
  const embeddedTexts: string[] = []
  return {
    id,
    dimensions: 32,
    embeddedTexts,
    embed: async (texts) => {
      embeddedTexts.push(...texts)
      return texts.map((text) => {
        const sums = new Float32Array(32)
        for (const term of extractTerms(text)) sums[hash32(term) % 32]! += 1
        return toUnitVector(sums)
      })
    },
  }
}

const SUBJECTS = ['invoice rounding in cents', 'database migration order', 'flaky browser test', 'signing key rotation']

test('broker: after a session every active memory is found by semantic search, and no archived one', async () => {
  remember(...SUBJECTS.map((text, n) => memory(n, text)), memory(9, 'invoice rounding of old', { status: 'archived' }))
  expect(await found('cents of an invoice', 1)).toEqual([0])
  expect(await found('the key that signs', 1)).toEqual([3])
  expect(await found('invoice rounding of old', 9)).not.toContain(9)
  expect(await found('', 3)).toEqual([])
  expect(await found('cents', 0)).toEqual([])
})

test('broker: before the first session ends nothing is found, and a search writes nothing', async () => {
  expect(await found('anything')).toEqual([])
  expect(fs.readdirSync(store.layout.folder)).toEqual([])
})

test('broker: an edited memory is found by its new text, and one that changed its tier is still found', async () => {
  remember(...SUBJECTS.map((text, n) => memory(n, text)))
  await embedWith(store, collectingEmbedder('other:one'))
  remember(memory(1, 'octopus recipes'), memory(2, SUBJECTS[2]!, { created: '2026-01-01T00:00:00.000Z', tier: 'cold' }))
  expect(await found('octopus', 1)).toEqual([1])
  const migrations = await semantic('database migration', 4)
  expect(migrations.filter(({ similarity }) => similarity > 0.3)).toEqual([])
  const tiers = openVectorSet(realDisk, store.layout).tiers
  expect(tiers.get('cold')!.ids()).toEqual([idOf(2)])
  expect(tiers.get('hot')!.ids()).not.toContain(idOf(2))
  expect(await found('browser test flaky', 1)).toEqual([2])
})

test('broker: hidden memories take no place in the results, however many are closer', async () => {
  const secret = Array.from({ length: 40 }, (_, n) =>
    memory(n, 'invoice rounding', { privacy: 'agent-only', role: 'reviewer' }),
  )
  remember(...secret, memory(50, 'invoice rounding, and much else about the billing of years past'))
  expect(await found('invoice rounding', 1)).toEqual([50])
  expect(await found('invoice rounding', 60)).toEqual([50])
  expect(await found('invoice rounding', 60, { role: 'reviewer' })).toHaveLength(41)
})

test('broker: a session’s end neither makes nor changes vectors of the built-in embedder; a rebuild makes them', () => {
  const { files, layout } = store
  remember(...SUBJECTS.map((text, n) => memory(n, text)))
  expect(files.list(layout.vectors)).toEqual([])
  rebuildStore(store, NOW)
  const made = files.list(layout.vectors).toSorted()
  expect(made).toEqual(['current.json', 'hot.1.f32', 'hot.1.json'])
  const read = () => made.map((name) => files.read(`${layout.vectors}/${name}`))
  const before = read()
  remember(memory(4, 'penguin habitats'), memory(0, SUBJECTS[0]!, { status: 'archived' }))
  expect(read()).toEqual(before)
  rebuildStore(store, NOW)
  expect(openVectorSet(files, layout).tiers.get('hot')!.ids().toSorted()).toEqual([1, 2, 3, 4].map(idOf))
})

test('broker: a rebuild replaces vectors of an earlier version, and its files go', async () => {
  const write = (name: string, value: object) =>
    realDisk.replace(`${store.layout.vectors}/${name}`, Buffer.from(JSON.stringify(value)))
  const words = { file: 'words.1.bin', memories: 60 }
  write('current.json', { version: 1, generation: 1, model: 'builtin-1:8c1f00aa', dimensions: 256, tiers: {}, words })
  for (const name of ['words.1.bin', 'neighbours.json', 'vocabulary.f32', 'targets.json']) write(name, {})
  remember(...SUBJECTS.map((text, n) => memory(n, text)))
  expect(await found('rotation', 1)).toHaveLength(1)
  rebuildStore(store, NOW)
  expect(openVectorSet(realDisk, store.layout).current).toMatchObject({ model: 'builtin-1', generation: 2 })
  expect(realDisk.list(store.layout.vectors).toSorted()).toEqual(['current.json', 'hot.2.f32', 'hot.2.json'])
})

test('broker: another embedder embeds only new texts, and its vectors are never mixed with built-in ones', async () => {
  remember(...SUBJECTS.map((text, n) => memory(n, text)))
  const embedder = collectingEmbedder('other:one')
  expect(await embedWith(store, embedder)).toBe(4)
  expect(await embedWith(store, embedder)).toBe(0)
  expect(openVectorSet(realDisk, store.layout).current.model).toBe('other:one')
  // Maintenance does not embed new memories, but removes vectors of archived ones.
  remember(memory(4, 'penguin habitats'), memory(0, SUBJECTS[0]!, { status: 'archived' }))
  expect(openVectorSet(realDisk, store.layout).tiers.get('hot')!.ids()).toEqual([idOf(1), idOf(2), idOf(3)])
  expect(await embedWith(store, embedder)).toBe(1)
  expect(embedder.embeddedTexts.filter((text) => text === 'penguin habitats')).toHaveLength(1)
  expect(await found('penguin habitats', 1, { embedder })).toEqual([4])
})

test('broker: vectors of an unavailable embedder are not compared with those of another one', async () => {
  remember(...SUBJECTS.map((text, n) => memory(n, text)))
  await embedWith(store, collectingEmbedder('other:one'))
  // The built-in embedder is used; another one is not even called.
  const another = collectingEmbedder('other:two')
  expect(await found('signing key', 1)).toEqual([3])
  expect(await found('signing key', 1, { embedder: another })).toEqual([3])
  expect(another.embeddedTexts).toEqual([])
  expect(await embedWith(store, collectingEmbedder('other:two'))).toBe(4)
  expect(await found('signing key', 1, { embedder: collectingEmbedder('other:two') })).toEqual([3])
  rebuildStore(store, NOW)
  expect(openVectorSet(realDisk, store.layout).current.model).toBe('other:two')
  const vectors = `${store.layout.vectors}/${openVectorSet(realDisk, store.layout).current.tiers.hot}.f32`
  fs.writeFileSync(vectors, fs.readFileSync(vectors).fill(1, 0, 4))
  rebuildStore(store, NOW)
  expect(openVectorSet(realDisk, store.layout).tiers.get('hot')?.size ?? 0).toBe(0)
  expect(realDisk.list(store.layout.vectors)).toEqual(['current.json'])
  expect(await embedWith(store, collectingEmbedder('other:two'))).toBe(4)
  expect(await found('signing key', 1)).toEqual([3])
})

test('broker: an embedder that fails leaves the vectors as they were', async () => {
  remember(...SUBJECTS.map((text, n) => memory(n, text)))
  await embedWith(store, collectingEmbedder('other:one'))
  const before = fs.readdirSync(store.layout.vectors)
  const broken: Embedder = { id: 'other:broken', dimensions: 32, embed: () => Promise.reject(new Error('no network')) }
  await expect(embedWith(store, broken)).rejects.toThrow('no network')
  expect(fs.readdirSync(store.layout.vectors)).toEqual(before)
  expect(await found('signing key', 1)).toEqual([3])
})

test('broker: corrupt vectors are computed again by the next rebuild', async () => {
  remember(...Array.from({ length: 60 }, (_, n) => memory(n, `${SUBJECTS[n % 4]} number ${n}`)))
  rebuildStore(store, NOW)
  for (const end of ['.f32', '.json']) {
    const name = realDisk.list(store.layout.vectors).find((file) => file.endsWith(end) && file !== 'current.json')!
    fs.truncateSync(path.join(store.layout.vectors, name), 10)
    rebuildStore(store, NOW)
    expect((await found('signing key', 1))[0]! % 4, name).toBe(3)
    expect(openVectorSet(realDisk, store.layout).tiers.get('hot')!.size, name).toBe(60)
  }
})

// Vector indexes: one contract with and without a graph, then rules of the graph, the files and the tiers.
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { toUnitVector, type VectorIndex } from '../../../src/model/ports.ts'
import { realDisk } from '../../../src/store/disk/files.ts'
import { checksum } from '../../../src/store/disk/jsonFile.ts'
import { storeLayout } from '../../../src/store/disk/paths.ts'
import {
  commitVectorManifest,
  createVectorIndex,
  EMPTY_VECTOR_MANIFEST,
  GRAPH_ROWS_MIN,
  type HnswLibrary,
  loadHnswLibrary,
  openVectorIndex,
  openVectorSet,
  writeTierVectors,
} from '../../../src/store/vectors/vectorIndex.ts'

const DIMENSIONS = 8
const MODEL = 'test-1'

let top: string
let hnsw: HnswLibrary
let folders = 0
const freshFolder = (): string => path.join(top, String(folders++))

beforeAll(async () => {
  top = fs.mkdtempSync(path.join(os.tmpdir(), 'memctl-vectors-'))
  hnsw = (await loadHnswLibrary(undefined))!
  expect(hnsw, 'hnswlib-node is installed where tests run').toBeDefined()
})
afterAll(() => fs.rmSync(top, { recursive: true, force: true }))

const vector = fc
  .array(fc.integer({ min: -9, max: 9 }), { minLength: DIMENSIONS, maxLength: DIMENSIONS })
  .map((values) => toUnitVector(values))
const change = fc.oneof(
  fc.record({ kind: fc.constant('add' as const), id: fc.nat(12).map(String), vector, key: fc.string() }),
  fc.record({ kind: fc.constant('remove' as const), id: fc.nat(12).map(String) }),
  fc.record({ kind: fc.constant('reopen' as const) }),
)

interface Kind {
  make(dimensions: number): VectorIndex
  open(base: string, model: string): VectorIndex | undefined
}

const KINDS: Record<string, () => Kind> = {
  exact: () => ({
    make: (dimensions) => createVectorIndex(realDisk, dimensions),
    open: (base, model) => openVectorIndex(realDisk, base, model),
  }),
  hnsw: () => ({
    make: (dimensions) => createVectorIndex(realDisk, dimensions, { hnsw }),
    open: (base, model) => openVectorIndex(realDisk, base, model, hnsw),
  }),
}

describe.each(Object.keys(KINDS))('store: the %s vector index', (name) => {
  const reopened = (index: VectorIndex): VectorIndex => {
    const base = `${freshFolder()}/hot.1`
    index.save(base, MODEL)
    return KINDS[name]!().open(base, MODEL)!
  }

  test(`store: ${name}: after any changes and reopenings it equals an exhaustive search`, () => {
    fc.assert(
      fc.property(fc.array(change, { maxLength: 40 }), vector, fc.nat(15), (changes, float32Array, k) => {
        let index = KINDS[name]!().make(DIMENSIONS)
        const model = new Map<string, { vector: Float32Array; key: string }>()
        for (const item of changes) {
          if (item.kind === 'reopen') index = reopened(index)
          else if (item.kind === 'remove') expect(index.remove(item.id)).toBe(model.delete(item.id))
          else {
            index.add(item.id, item.vector, item.key)
            model.set(item.id, item)
          }
        }
        expect(index.size).toBe(model.size)
        expect([...index.ids()].sort()).toEqual([...model.keys()].sort())
        for (const [id, { vector, key }] of model) {
          expect(index.getVector(id)).toEqual(vector)
          expect(index.getKey(id)).toBe(key)
        }
        const near = index.nearest(float32Array, k)
        const all = [...model].map(([id, { vector }]) => ({ id, similarity: cosine(float32Array, vector) }))
        expect(near.map((item) => item.id)).toHaveLength(Math.min(k, model.size))
        for (const [i, item] of near.entries()) {
          expect(item.similarity).toBeCloseTo(cosine(float32Array, model.get(item.id)!.vector), 5)
          expect(item.similarity).toBeGreaterThanOrEqual(near[i + 1]?.similarity ?? -2)
        }
        const left = all.filter((item) => !near.some((other) => other.id === item.id))
        for (const item of left) if (k > 0) expect(item.similarity).toBeLessThanOrEqual(near.at(-1)!.similarity + 1e-6)
      }),
      { numRuns: 60 },
    )
  })

  test(`store: ${name}: equal vectors are in the order of their ids`, () => {
    const index = KINDS[name]!().make(2)
    for (const id of ['c', 'a', 'd', 'b']) index.add(id, Float32Array.from([1, 0]))
    expect(index.nearest(Float32Array.from([1, 0]), 3).map((item) => item.id)).toEqual(['a', 'b', 'c'])
  })

  test(`store: ${name}: files of another model, damaged and missing files give no index`, () => {
    const open = (base: string, model = MODEL) => KINDS[name]!().open(base, model)
    const written = () => {
      const base = `${freshFolder()}/hot.1`
      const index = KINDS[name]!().make(DIMENSIONS)
      index.add('one', toUnitVector([1, 2, 3, 4, 5, 6, 7, 8]))
      index.save(base, MODEL)
      return base
    }
    expect(open(written())!.size).toBe(1)
    expect(open(written(), 'test-2')).toBeUndefined()
    expect(open(`${freshFolder()}/none`)).toBeUndefined()
    const cut = written()
    fs.truncateSync(`${cut}.f32`, 31)
    expect(open(cut)).toBeUndefined()
    const truncated = written()
    fs.truncateSync(`${truncated}.json`, 20)
    expect(open(truncated)).toBeUndefined()
    const later = written()
    fs.writeFileSync(`${later}.json`, fs.readFileSync(`${later}.json`, 'utf8').replace('"version":1', '"version":2'))
    expect(open(later)).toBeUndefined()
  })

  test(`store: ${name}: a later save with the same base appends, whatever a killed process has left there`, () => {
    const base = `${freshFolder()}/hot.1`
    let index = KINDS[name]!().make(DIMENSIONS)
    const items = clustered(GRAPH_ROWS_MIN + 40, DIMENSIONS)
    items.slice(0, -40).forEach((item, i) => index.add(`m${i}`, item))
    expect(index.canAppendTo(base)).toBe(false)
    index.save(base, MODEL)
    const first = fs.readFileSync(`${base}.f32`)
    const { ino } = fs.statSync(`${base}.f32`)
    for (let round = 0; round < 4; round++) {
      index = KINDS[name]!().open(base, MODEL)!
      expect(index.canAppendTo(base)).toBe(true)
      for (let i = 0; i < 10; i++) index.add(`new${round}-${i}`, items.at(-1 - 10 * round - i)!)
      index.remove(`m${round}`)
      index.save(base, MODEL)
      const bytes = fs.readFileSync(`${base}.f32`)
      expect(bytes.length).toBe(first.length + (round + 1) * 10 * DIMENSIONS * 4)
      expect(bytes.subarray(0, first.length).equals(first)).toBe(true)
      expect(JSON.parse(fs.readFileSync(`${base}.json`, 'utf8')).vectors).toBe(checksum(bytes))
      fs.appendFileSync(`${base}.f32`, 'what a killed process has appended')
    }
    expect(fs.statSync(`${base}.f32`).ino).toBe(ino)
    const [query, left] = [items.at(-1)!, KINDS[name]!().open(base, MODEL)!]
    expect(left.size).toBe(items.length - 4)
    expect(left.nearest(query, 3)).toEqual(index.nearest(query, 3))
    expect(left.nearest(query, 1)[0]?.id).toBe('new0-0')
    expect(left.getVector('m0')).toBeUndefined()
    // With too many removed rows the files of another base are written.
    for (let i = 0; i < items.length / 3; i++) left.remove(`m${i}`)
    expect(left.canAppendTo(base)).toBe(false)
  })

  test(`store: ${name}: a vector of another length throws`, () => {
    const index = KINDS[name]!().make(DIMENSIONS)
    expect(() => index.add('a', new Float32Array(3))).toThrow(RangeError)
    expect(() => index.nearest(new Float32Array(3), 1)).toThrow(RangeError)
  })

  test(`store: ${name}: the same steps write the same bytes`, () => {
    const bytes = () => {
      const folder = freshFolder()
      const index = KINDS[name]!().make(DIMENSIONS)
      clustered(GRAPH_ROWS_MIN + 50, DIMENSIONS).forEach((item, i) => index.add(`m${i}`, item))
      index.remove('m7')
      index.save(`${folder}/hot.1`, MODEL)
      return fs.readdirSync(folder).map((file) => [file, fs.readFileSync(path.join(folder, file)).toString('base64')])
    }
    const [element, other] = [bytes(), bytes()]
    expect(element.map(([file]) => file)).toEqual(
      name === 'hnsw' ? ['hot.1.f32', 'hot.1.hnsw', 'hot.1.json'] : ['hot.1.f32', 'hot.1.json'],
    )
    expect(element).toEqual(other)
  })
})

describe('store: the graph', () => {
  const WIDE = 64
  const vectors = clustered(1.5 * GRAPH_ROWS_MIN, WIDE)
  const base = () => `${folder}/warm.1`
  let folder: string

  beforeAll(() => {
    folder = freshFolder()
    const index = createVectorIndex(realDisk, WIDE, { hnsw })
    vectors.forEach((item, i) => index.add(`m${i}`, item))
    index.save(base(), MODEL, Number.POSITIVE_INFINITY)
  })

  const both = (from = base()) => ({
    exact: openVectorIndex(realDisk, from, MODEL)!,
    graph: openVectorIndex(realDisk, from, MODEL, hnsw)!,
  })

  test('store: the graph finds at least 95 % of the ten nearest vectors, and at most ten', () => {
    const { exact, graph } = both()
    let found = 0
    const results = clustered(100, WIDE, 99)
    for (const item of results) {
      const right = new Set(exact.nearest(item, 10).map((near) => near.id))
      const near = graph.nearest(item, 10)
      expect(near).toHaveLength(10)
      found += near.filter(({ id }) => right.has(id)).length
    }
    expect(found / 1000).toBeGreaterThanOrEqual(0.95)
  })

  test('store: removed vectors are not found in the graph, later ones are', () => {
    const { graph } = both()
    const query = vectors[10]!
    const gone = graph.nearest(query, 5).map((item) => item.id)
    for (const id of gone) graph.remove(id)
    graph.add('late', query)
    const check = (index: VectorIndex) => {
      const ids = index.nearest(query, 20).map((item) => item.id)
      expect(ids).toHaveLength(20)
      expect(ids).toContain('late')
      expect(ids.filter((id) => gone.includes(id))).toEqual([])
    }
    check(graph)
    const again = `${freshFolder()}/warm.2`
    graph.save(again, MODEL)
    check(openVectorIndex(realDisk, again, MODEL, hnsw)!)
  })

  test('store: a removed vector leaves no bytes in the matrix, and many of them none in the graph', () => {
    const { graph } = both()
    for (let i = 0; i < vectors.length / 3; i++) graph.remove(`m${i}`)
    const again = `${freshFolder()}/warm.2`
    graph.save(again, MODEL)
    const gone = Buffer.from(vectors[3]!.buffer)
    expect(fs.readFileSync(`${base()}.f32`).includes(gone)).toBe(true)
    expect(fs.readFileSync(`${base()}.hnsw`).includes(gone)).toBe(true)
    expect(fs.readFileSync(`${again}.f32`).includes(gone)).toBe(false)
    expect(fs.readFileSync(`${again}.hnsw`).includes(gone)).toBe(false)
  })

  test('store: without its graph, or with a damaged one, every vector is still found', () => {
    const right = both().exact.nearest(vectors[5]!, 10)
    for (const harm of ['remove', 'cut', 'scramble', 'flip'] as const) {
      const copy = `${freshFolder()}/warm.1`
      fs.mkdirSync(path.dirname(copy), { recursive: true })
      for (const end of ['.f32', '.json', '.hnsw']) fs.copyFileSync(`${base()}${end}`, `${copy}${end}`)
      if (harm === 'remove') fs.rmSync(`${copy}.hnsw`)
      if (harm === 'cut') fs.truncateSync(`${copy}.hnsw`, 5000)
      if (harm === 'scramble') fs.writeFileSync(`${copy}.hnsw`, Buffer.alloc(fs.statSync(`${copy}.hnsw`).size, 0xff))
      if (harm === 'flip') {
        const bytes = fs.readFileSync(`${copy}.hnsw`)
        bytes[bytes.length - 40]! ^= 0x7f
        fs.writeFileSync(`${copy}.hnsw`, bytes)
      }
      expect(openVectorIndex(realDisk, copy, MODEL, hnsw)!.nearest(vectors[5]!, 10), harm).toEqual(right)
    }
  })
})

describe('store: vectors by tier', () => {
  const store = () => ({ files: realDisk, layout: storeLayout(freshFolder()) })
  const indexOf = (...entries: [string, number[]][]) => {
    const index = createVectorIndex(realDisk, 2)
    for (const [id, values] of entries) index.add(id, toUnitVector(values))
    return index
  }

  test('store: new vectors count once they are committed, then the old files are removed', () => {
    const { files, layout } = store()
    const writeHot = (generation: number, index: VectorIndex) =>
      writeTierVectors(layout, { tier: 'hot', generation, index, model: MODEL })
    const commit = (generation: number, hot: string) =>
      commitVectorManifest(files, layout, {
        ...EMPTY_VECTOR_MANIFEST,
        generation,
        model: MODEL,
        dimensions: 2,
        tiers: { hot },
      })
    const ids = () => [...(openVectorSet(files, layout).tiers.get('hot')?.ids() ?? [])]
    commit(1, writeHot(1, indexOf(['old', [1, 0]])))
    const next = writeHot(2, indexOf(['new', [1, 0]]))
    expect(ids()).toEqual(['old'])
    commit(2, next)
    expect(ids()).toEqual(['new'])
    expect(files.list(layout.vectors)).toEqual(['current.json', 'hot.2.f32', 'hot.2.json'])
  })

  test('store: a damaged list of vectors counts as none, and the next commit replaces it', () => {
    const { files, layout } = store()
    files.replace(`${layout.vectors}/current.json`, Buffer.from('{"version":'))
    expect(openVectorSet(files, layout).current).toEqual(EMPTY_VECTOR_MANIFEST)
    const index = indexOf(['a', [1, 0]])
    const hot = writeTierVectors(layout, { tier: 'hot', generation: 1, index, model: MODEL })
    commitVectorManifest(files, layout, {
      ...EMPTY_VECTOR_MANIFEST,
      generation: 1,
      model: MODEL,
      dimensions: 2,
      tiers: { hot },
    })
    expect(openVectorSet(files, layout).tiers.get('hot')!.size).toBe(1)
  })
})

const cosine = (a: Float32Array, b: Float32Array): number => a.reduce((sum, value, i) => sum + value * b[i]!, 0)

/** Vectors around some centres, as texts are; the same every time. */
function clustered(count: number, dimensions: number, seed = 1): Float32Array[] {
  let state = 1
  const next = () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0
    return state / 2 ** 31 - 1
  }
  const centres = Array.from({ length: 40 }, () => Array.from({ length: dimensions }, next))
  state = seed
  return Array.from({ length: count }, (_, i) => toUnitVector(centres[i % 40]!.map((value) => value + 0.8 * next())))
}

// eval: labelled questions through import and recall, and what it says of files that are none.
import fs from 'node:fs'
import path from 'node:path'
import { gzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { runDeveloperCommand } from '../../../bench/run.ts'
import { newWorld, type World } from '../../cli/testContext.ts'

const CORPUS = [
  {
    id: 'a1',
    conv: 'a',
    session: 1,
    ts: '2023-05-08T13:56',
    speaker: 'Ada',
    text: 'I planted tomatoes behind the shed.',
  },
  { id: 'a2', conv: 'a', session: 1, ts: '2023-05-08T13:57', speaker: 'Ben', text: 'My bicycle needs a new chain.' },
  { id: 'b1', conv: 'b', session: null, ts: null, speaker: null, text: 'Tomatoes are fruits, a botanist would say.' },
]
const QUERIES = [
  { id: 'q1', conv: 'a', query: 'Who planted tomatoes?', relevant: ['a1'] },
  { id: 'q2', conv: 'b', query: 'Are tomatoes fruits?', relevant: ['b1'] },
  { id: 'q3', conv: 'nowhere', query: 'Are tomatoes fruits?', relevant: [] },
]

let world: World
beforeAll(() => {
  world = newWorld({}, runDeveloperCommand)
})
afterAll(() => world.end())

const at = (name: string): string => path.join(world.folder, name)
const written = (name: string, lines: readonly unknown[]): string => {
  fs.writeFileSync(at(name), lines.map((line) => JSON.stringify(line)).join('\n'))
  return at(name)
}
const runOf = (name: string): { id: string; ranked: { id: string; score: number }[] }[] =>
  fs
    .readFileSync(at(name), 'utf8')
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line))

const evaluate = (corpus: string, queries: string, ...more: readonly string[]) =>
  world.memctl('eval', 'retrieval', '--corpus', corpus, '--queries', queries, '--out', at('run.jsonl'), ...more)

describe('eval retrieval', () => {
  test('eval: a question finds texts of its own conversation alone, by the ids of the corpus', async () => {
    const said = await evaluate(written('corpus.jsonl', CORPUS), written('queries.jsonl', QUERIES))
    expect(said).toMatchObject({ status: 0, err: '' })
    const run = runOf('run.jsonl')
    expect(run.map((line) => line.id)).toEqual(['q1', 'q2', 'q3'])
    expect(run[0]!.ranked[0]!.id).toBe('a1')
    expect(run[1]!.ranked.map((one) => one.id)).toEqual(['b1'])
    expect(run[2]!.ranked).toEqual([])
  })

  test('eval: a packed corpus gives the same run, and --top cuts it', async () => {
    const packed = at('corpus.jsonl.gz')
    fs.writeFileSync(packed, gzipSync(CORPUS.map((line) => JSON.stringify(line)).join('\n')))
    await evaluate(written('corpus.jsonl', CORPUS), written('queries.jsonl', QUERIES))
    const plain = fs.readFileSync(at('run.jsonl'), 'utf8')
    await evaluate(packed, at('queries.jsonl'))
    expect(fs.readFileSync(at('run.jsonl'), 'utf8')).toBe(plain)
    await evaluate(packed, at('queries.jsonl'), '--top', '1')
    expect(runOf('run.jsonl').every((line) => line.ranked.length <= 1)).toBe(true)
  })

  test('eval: nothing is left behind, neither in the home nor beside it', async () => {
    const before = fs.readdirSync(world.folder)
    await evaluate(at('corpus.jsonl'), at('queries.jsonl'), '--quiet')
    expect(fs.readdirSync(world.folder)).toEqual(before)
  })

  test.each([
    ['a line that is no JSON', '{"id": "x"', /bad\.jsonl:1 is no JSON object/],
    ['a line without text', '{"id": "x", "conv": "c"}', /bad\.jsonl:1 has no text/],
    ['a time that is none', '{"id": "x", "conv": "c", "text": "t", "ts": "soon"}', /has the ts "soon"/],
  ])('eval: %s is told with its place, in one line, exit 2', async (_, line, told) => {
    fs.writeFileSync(at('bad.jsonl'), `${line}\n`)
    const said = await evaluate(at('bad.jsonl'), at('queries.jsonl'))
    expect(said.status).toBe(2)
    expect(said.err).toMatch(told)
    expect(said.err.trimEnd()).not.toContain('\n')
  })

  test('eval: files that are not there are named', async () => {
    expect(await evaluate(at('none.jsonl'), at('queries.jsonl'))).toMatchObject({ status: 2 })
    const nowhere = ['--corpus', at('corpus.jsonl'), '--queries', at('queries.jsonl'), '--out', at('no/run.jsonl')]
    expect(await world.memctl('eval', 'retrieval', ...nowhere)).toMatchObject({ status: 2 })
  })
})

describe('eval explain', () => {
  test('eval: the parts of a score add up to it, and what answers is marked', async () => {
    const labelled = ['--corpus', at('corpus.jsonl'), '--queries', at('queries.jsonl'), '--id', 'q1']
    const { candidates } = await world.json<{
      candidates: { id: string; score: number; relevant: boolean; parts: { part: number }[] }[]
    }>('eval', 'explain', ...labelled)
    expect(candidates[0]).toMatchObject({ id: 'a1', relevant: true })
    for (const { score, parts } of candidates) {
      expect(parts.reduce((sum, { part }) => sum + part, 0)).toBeCloseTo(score, 9)
    }
  })

  test('eval: a question nobody asked is told', async () => {
    expect(await world.memctl('eval', 'explain')).toMatchObject({ status: 2 })
  })
})

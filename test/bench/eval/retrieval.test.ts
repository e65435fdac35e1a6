// eval retrieval: labelled questions through import and recall, and errors for invalid files.
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
const writeLines = (name: string, lines: readonly unknown[]): string => {
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
  test('eval: a question finds only texts of its own conversation, with the ids of the corpus', async () => {
    const result = await evaluate(writeLines('corpus.jsonl', CORPUS), writeLines('queries.jsonl', QUERIES))
    expect(result).toMatchObject({ status: 0, err: '' })
    const run = runOf('run.jsonl')
    expect(run.map((line) => line.id)).toEqual(['q1', 'q2', 'q3'])
    expect(run[0]!.ranked[0]!.id).toBe('a1')
    expect(run[1]!.ranked.map((candidate) => candidate.id)).toEqual(['b1'])
    expect(run[2]!.ranked).toEqual([])
  })

  test('eval: a gzipped corpus gives the same run, and --top limits it', async () => {
    const packed = at('corpus.jsonl.gz')
    fs.writeFileSync(packed, gzipSync(CORPUS.map((line) => JSON.stringify(line)).join('\n')))
    await evaluate(writeLines('corpus.jsonl', CORPUS), writeLines('queries.jsonl', QUERIES))
    const plain = fs.readFileSync(at('run.jsonl'), 'utf8')
    await evaluate(packed, at('queries.jsonl'))
    expect(fs.readFileSync(at('run.jsonl'), 'utf8')).toBe(plain)
    await evaluate(packed, at('queries.jsonl'), '--top', '1')
    expect(runOf('run.jsonl').every((line) => line.ranked.length <= 1)).toBe(true)
  })

  test('eval: no files are left behind', async () => {
    const before = fs.readdirSync(world.folder)
    await evaluate(at('corpus.jsonl'), at('queries.jsonl'), '--quiet')
    expect(fs.readdirSync(world.folder)).toEqual(before)
  })

  test.each([
    ['a line that is not JSON', '{"id": "x"', /bad\.jsonl:1 is not a JSON object/],
    ['a line without text', '{"id": "x", "conv": "c"}', /bad\.jsonl:1 has no text/],
    ['an invalid time', '{"id": "x", "conv": "c", "text": "t", "ts": "soon"}', /has the ts "soon"/],
  ])('eval: %s is an error of one line with file and line number, exit 2', async (_, line, message) => {
    fs.writeFileSync(at('bad.jsonl'), `${line}\n`)
    const result = await evaluate(at('bad.jsonl'), at('queries.jsonl'))
    expect(result.status).toBe(2)
    expect(result.err).toMatch(message)
    expect(result.err.trimEnd()).not.toContain('\n')
  })

  test('eval: a missing file or folder is an error', async () => {
    expect(await evaluate(at('none.jsonl'), at('queries.jsonl'))).toMatchObject({ status: 2 })
    const nowhere = ['--corpus', at('corpus.jsonl'), '--queries', at('queries.jsonl'), '--out', at('no/run.jsonl')]
    expect(await world.memctl('eval', 'retrieval', ...nowhere)).toMatchObject({ status: 2 })
  })
})

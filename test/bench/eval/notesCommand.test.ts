// eval notes: replays the projects that have labels, passes the sessions of the chosen time to the scorer, and prints
// a table. The scorer is a small script here.
import fs from 'node:fs'
import path from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { runDeveloperCommand } from '../../../bench/run.ts'
import { newWorld, RECORDINGS, type World } from '../../cli/testContext.ts'

let world: World
let shared: string

/** Of the recorded sessions: a failure, its lesson before it recurs, and a prompt about what is known, in few calls. */
const SESSIONS = ['fresh-clone', 'red-again', 'discount', 'discount-continued', 'before-the-weekend']

/** Prints how many sessions and injected texts it was given; a sheet has the number of texts alone. */
const SCORER = `
import fs from 'node:fs'
const [verb, ...words] = process.argv.slice(2)
const option = (name) => words[words.indexOf('--' + name) + 1]
const ids = fs.readFileSync(option('only'), 'utf8').split('\\n').filter(Boolean)
const run = fs.readFileSync(option('run'), 'utf8').split('\\n').filter(Boolean).map((line) => JSON.parse(line))
if (verb === 'score') console.log(JSON.stringify({ sessions: ids.length, texts: run.length, missed: [] }))
else {
  console.log('texts ' + run.length)
  fs.writeFileSync(option('out'), JSON.stringify(ids))
}
`

beforeAll(() => {
  world = newWorld({}, runDeveloperCommand)
  shared = path.join(world.folder, 'shared')
  fs.mkdirSync(path.join(shared, 'bench', 'notes', 'shop'), { recursive: true })
  fs.mkdirSync(path.join(shared, 'bench', 'notes', 'unrecorded'))
  fs.writeFileSync(path.join(shared, 'bench', 'notes.mjs'), SCORER)
  const shop = path.join(shared, 'recordings', 'shop')
  fs.mkdirSync(shop, { recursive: true })
  const names = fs.readdirSync(RECORDINGS).filter((name) => SESSIONS.some((session) => name.includes(session)))
  for (const name of names) fs.copyFileSync(path.join(RECORDINGS, name), path.join(shop, name))
})
afterAll(() => world.end())

const notes = (...words: readonly string[]) => ['eval', 'notes', '--shared', shared, ...words]

test('eval notes: each project with labels and recordings is replayed and scored', async () => {
  const all = await world.json<Record<string, Record<string, unknown>>>(...notes())
  expect(Object.keys(all)).toEqual(['shop'])
  expect(all['shop']).toMatchObject({ sessions: 4, texts: expect.any(Number) })
  expect(all['shop']?.['silent prompts %']).toBeGreaterThan(0)
  const { out } = await world.memctl(...notes('--quiet'))
  expect(out).toMatch(/^ +shop\nsessions +4\n/)
})

test('eval notes: a project with answers is replayed once more; a session without one counts as not read', async () => {
  const answers = path.join(world.folder, 'answers')
  fs.mkdirSync(path.join(answers, 'shop'), { recursive: true })
  const all = await world.json<Record<string, Record<string, unknown>>>(...notes('--answers', answers))
  expect(Object.keys(all)).toEqual(['shop', 'shop + answers'])
  expect(all['shop + answers']).toEqual(all['shop'])
  expect(fs.readdirSync(path.join(answers, 'shop'))).toEqual([])
})

test('eval notes: --from and --until select the sessions that are scored', async () => {
  const count = async (...words: readonly string[]) =>
    (await world.json<{ shop: { sessions: number } }>(...notes(...words))).shop.sessions
  const [before, after] = [await count('--until', '2026-03-06'), await count('--from', '2026-03-06')]
  expect(before).toBeGreaterThan(0)
  expect(after).toBeGreaterThan(0)
  expect(before + after).toBe(4)
  expect(await world.memctl(...notes('--until', 'soon'))).toMatchObject({ status: 2 })
})

test('eval notes: --sheet writes the sheets as text and JSON, --out keeps the RUN file', async () => {
  const [sheet, out] = [path.join(world.folder, 'sheets'), path.join(world.folder, 'runs')]
  await world.json(...notes('--sheet', sheet, '--out', out))
  expect(fs.readFileSync(path.join(sheet, 'shop.txt'), 'utf8')).toMatch(/^texts \d+\n$/)
  expect(JSON.parse(fs.readFileSync(path.join(sheet, 'shop.json'), 'utf8'))).toHaveLength(4)
  expect(fs.readFileSync(path.join(out, 'shop.jsonl'), 'utf8')).toContain('"type":"injected"')
})

test('eval notes: without labels it says that it was skipped', async () => {
  const { out, status } = await world.memctl('eval', 'notes', '--shared', path.join(world.folder, 'nothing'))
  expect(status).toBe(0)
  expect(out).toMatch(/^SKIPPED: .*--shared DIR\.\n$/)
})

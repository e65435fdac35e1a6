// memctl why: decisions, changes, statements and lessons of a file.
import fs from 'node:fs'
import path from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { openStore, type Store } from '../../../src/broker/open/openStore.ts'
import type { FileHistory } from '../../../src/broker/queries/fileHistory.ts'
import { type ExampleSession, exampleSession, HOUR, runHookPayloads } from '../../testData.ts'
import { newWorld, type World } from '../testContext.ts'

let world: World
let store: Store
let project: string
beforeEach(async () => {
  world = newWorld()
  project = path.join(world.folder, 'project')
  store = openStore(project, { MEMCTL_HOME: path.join(world.folder, 'home') })
  run(
    exampleSession('first', Date.now() - 3 * HOUR)
      .starts()
      .asks('税を整数で計算して。')
      .edits('src/tax.js', 'const cents = Math.floor(total)')
      .edits('src/tax.js', 'export { cents }')
      .runs('git commit -am "Compute in cents"', '[main 1a2b3c4] Compute in cents\n 1 file changed')
      .answers('端数を残さないため、float ではなく整数を使いました。')
      .ends(),
  )
  run(
    exampleSession('second', Date.now() - 2 * HOUR)
      .starts()
      .asks('Rename the total.')
      .edits('src/tax.js', 'const total = 1')
      .edits('lib/tax.js', 'const other = 1')
      .answers('I kept `tax.js` as the name because three scripts import it.')
      .ends(),
  )
  await world.memctl('organize', '--all')
})
afterEach(() => world.end())

const run = (session: ExampleSession) => runHookPayloads(store, session.recorded, project)
const why = (...words: string[]): Promise<FileHistory> => world.json('why', ...words)

test('why: the decisions about a file are listed with their reasons, newest first', async () => {
  const { decisions } = await why('src/tax.js')
  expect(decisions.map(({ statement }) => [statement?.short, statement?.reason])).toEqual([
    ['I kept `tax.js` as the name', 'three scripts import it'],
    ['float ではなく整数を使いました', '端数を残さない'],
  ])
  const { out } = await world.memctl('why', 'src/tax.js')
  expect(out).toMatch(/Decisions\n {2}\d{4}-\d\d-\d\d {2}I kept `tax.js` as the name\. Reason: three scripts import it/)
})

test('why: the prompts that changed a file are listed with session and commit, newest first', async () => {
  const { changes } = await why('src/tax.js')
  expect(changes).toMatchObject([
    { session: 'second', prompt: 'Rename the total.', edits: 1, commit: null },
    {
      session: 'first',
      prompt: '税を整数で計算して。',
      edits: 2,
      commit: { hash: '1a2b3c4', subject: 'Compute in cents' },
    },
  ])
})

test('why: a path may be absolute, relative to the folder, or the end of a path if only one file has it', async () => {
  for (const file of [path.join(project, 'src/tax.js'), './src/tax.js', 'src/tax.js']) {
    expect(await why(file)).toMatchObject({ file: 'src/tax.js' })
  }
  expect(await why('lib/tax.js')).toMatchObject({ file: 'lib/tax.js', changes: [{ session: 'second' }] })
  const { status, err } = await world.memctl('why', 'tax.js')
  expect([status, err]).toEqual([
    2,
    'memctl: 2 files end with tax.js: lib/tax.js, src/tax.js. Give more of the path.\n',
  ])
})

test('why: of a line, the change that wrote it is shown', async () => {
  fs.mkdirSync(path.join(project, 'src'))
  fs.writeFileSync(path.join(project, 'src/tax.js'), 'const cents = Math.floor(total)\n\nconst unknown = 3\n')
  expect((await why('src/tax.js:1')).line).toMatchObject({ number: 1, change: { session: 'first', edits: 1 } })
  expect((await why('src/tax.js:3')).line).toMatchObject({ change: null })
  expect((await world.memctl('why', 'src/tax.js:3')).out).toContain('No recorded edit has this line.')
  expect((await world.memctl('why', 'src/tax.js:99')).status).toBe(2)
})

test('why: statements about the file and lessons with a fix belong to it; a superseded one does not', async () => {
  const said = await world.json<{ memory: { id: string } }>('remember', 'No floats here', '--file', 'src/tax.js')
  run(
    exampleSession('third', Date.now() - HOUR)
      .asks('Does it pass?')
      .fails('npm test', 'src/tax.js:3: Error: total is not defined')
      .edits('src/tax.js', 'let total = 0')
      .runs('npm test')
      .ends(),
  )
  await world.memctl('organize', '--all')
  const { statements, lessons } = await why('src/tax.js')
  expect(statements.map(({ content }) => content)).toEqual(['No floats here'])
  expect(lessons).toHaveLength(1)
  await world.memctl('supersede', said.memory.id, 'Only integers here')
  expect((await why('src/tax.js')).statements.map(({ content }) => content)).toEqual(['Only integers here'])
})

test('why: about an unknown file it says that nothing is known', async () => {
  expect(await world.memctl('why', 'src/none.js')).toMatchObject({
    status: 0,
    out: 'Nothing is known about src/none.js.\n',
  })
})

test('recall: what the assistant decided is found by search, and never injected', async () => {
  const next = exampleSession('next')
    .starts()
    .asks('Why did we use integers, not floats, in src/tax.js? float ではなく整数')
    .edits('src/tax.js')
  run(next)
  const { decisions } = await why('src/tax.js')
  const { events } = await world.json<{ events: { shown: { memory: string }[] }[] }>('events', '--kind', 'recalled')
  const shown = events.flatMap((event) => event.shown.map(({ memory }) => memory))
  expect(shown.length).toBeGreaterThan(0)
  expect(decisions.filter(({ id }) => shown.includes(id))).toEqual([])
  expect((await world.memctl('search', 'float 整数')).out).toContain(decisions[1]?.id.slice(0, 8))
})

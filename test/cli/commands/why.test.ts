// memctl why: decisions, changes, rules, facts and lessons of a file.
import path from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { commitEvents, systemEvent } from '../../../src/broker/commit/commitEvents.ts'
import { openStore, type Store } from '../../../src/broker/open/openStore.ts'
import type { FileHistory } from '../../../src/broker/queries/fileHistory.ts'
import type { Memory } from '../../../src/model/memory.ts'
import { buildEntry } from '../../knowledge/knowledgeData.ts'
import { BEGIN, DAY, type ExampleSession, exampleSession, HOUR, iso, runHookPayloads } from '../../testData.ts'
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

const decision = (n: number, fields: Parameters<typeof buildEntry>[1], more: Partial<Memory> = {}): Memory =>
  buildEntry(n, { type: 'decision', ...fields }, { files: ['src/tax.js'], created: iso(BEGIN + n * DAY), ...more })

const save = (...memories: readonly Memory[]): void =>
  void commitEvents(
    store,
    memories.map((memory) => systemEvent({ kind: 'memory.stored', memory }, { now: Date.now(), key: [memory.id] })),
  )

test('why: an edit after a yes belongs to the request before it', async () => {
  run(
    exampleSession('third', Date.now() - HOUR)
      .starts()
      .asks('Round the tax half up.')
      .answers('Shall I use Math.round?')
      .asks('yes')
      .edits('src/rounded.js', 'Math.round(total)')
      .ends(),
  )
  expect((await why('src/rounded.js')).changes.map(({ prompt }) => prompt)).toEqual(['Round the tax half up.'])
})

test('why: the decisions about a file are listed with their reasons, newest first', async () => {
  save(
    decision(1, { line: 'float ではなく整数を使う', reason: '端数を残さない' }),
    decision(2, { line: 'Keep `tax.js` as the name', reason: 'three scripts import it' }),
  )
  const { decisions } = await why('src/tax.js')
  expect(decisions.map(({ knowledge }) => [knowledge?.line, knowledge?.reason])).toEqual([
    ['Keep `tax.js` as the name', 'three scripts import it'],
    ['float ではなく整数を使う', '端数を残さない'],
  ])
  const { out } = await world.memctl('why', 'src/tax.js')
  expect(out).toMatch(/Decisions\n {2}\d{4}-\d\d-\d\d {2}Keep `tax.js` as the name\. Reason: three scripts import it/)
})

test('why: a report of a bug is no decision, nor is what no longer holds', async () => {
  run(
    exampleSession('bug', Date.now() - HOUR)
      .starts()
      .asks('total() throws when there are no lines. Make it return 0.')
      .edits('src/tax.js', 'if (lines.length === 0) return 0')
      .ends(),
  )
  await world.memctl('organize', '--all')
  save(
    // As an earlier version stored it.
    decision(1, { author: 'person', line: 'total() throws when there are no lines' }, { searchOnly: true }),
    decision(2, { line: 'Use floats', state: 'superseded' }),
    decision(3, { line: 'Round down', state: 'retired' }),
  )
  expect((await why('src/tax.js')).decisions).toEqual([])
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

test('why: rules for the file, facts and lessons belong to it; a superseded one does not', async () => {
  const said = await world.json<{ memory: { id: string } }>('remember', 'No floats here', '--file', 'src/tax.js')
  save(decision(4, { type: 'lesson', line: 'Run `make rates` before `npm test`' }))
  const { statements, lessons } = await why('src/tax.js')
  expect(statements.map(({ content }) => content)).toEqual(['No floats here'])
  expect(lessons.map(({ content }) => content)).toEqual(['Run `make rates` before `npm test`'])
  await world.memctl('supersede', said.memory.id, 'Only integers here')
  expect((await why('src/tax.js')).statements.map(({ content }) => content)).toEqual(['Only integers here'])
})

test('why: about an unknown file it says that nothing is known', async () => {
  expect(await world.memctl('why', 'src/none.js')).toMatchObject({
    status: 0,
    out: 'Nothing is known about src/none.js.\n',
  })
})

test('why: of the log only what the asked number of changes needs is read', async () => {
  const { files, layout } = store
  for (const name of ['000002.jsonl', '000003.jsonl']) files.append(`${layout.events}/${name}`, Buffer.from(''), false)
  run(
    exampleSession('third', Date.now() - HOUR)
      .starts()
      .asks('Round the tax.')
      .edits('src/tax.js', 'round()')
      .ends(),
  )
  await world.memctl('organize', '--all')
  files.remove(`${layout.events}/000001.jsonl`)
  files.replace(`${layout.events}/000001.jsonl.gz`, Buffer.from('damaged'))
  const { changes } = await why('src/tax.js', '--limit', '1')
  expect(changes.map(({ prompt, edits }) => [prompt, edits])).toEqual([['Round the tax.', 1]])
  expect(await why('src/tax.js', '--limit', '2')).toMatchObject({ error: { code: 'STORE_INVALID' } })
})

// Statements of the scope `person`: said in one project, known in every project of this person.
import fs from 'node:fs'
import path from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { openStore } from '../../../src/broker/open/openStore.ts'
import type { Memory } from '../../../src/model/memory.ts'
import { newWorld, type World } from '../../cli/testContext.ts'
import { exampleSession, runHookPayloads } from '../../testData.ts'

let world: World
let home: string
beforeEach(() => {
  world = newWorld()
  home = path.join(world.folder, 'home')
  for (const name of ['shop', 'blog']) fs.mkdirSync(path.join(world.folder, name))
})
afterEach(() => world.end())

const folderOf = (project: string): string => path.join(world.folder, project)

const remember = async (project: string, ...words: string[]): Promise<Memory> =>
  (await world.json<{ memory: Memory }>('remember', ...words, '--project', folderOf(project))).memory

/** What the start of a new session in a project injects. */
let starts = 0
function startText(project: string): string {
  const session = exampleSession(`start-${starts++}`, Date.now() + 1000)
    .starts()
    .ends()
  const store = openStore(folderOf(project), { MEMCTL_HOME: home })
  return runHookPayloads(store, session.recorded, folderOf(project))
    .map(({ context }) => context ?? '')
    .join('')
}

test('person: what a person said about every project is known in another project, also in a new one', async () => {
  await remember('shop', 'Answer in short sentences', '--scope', 'person')
  await remember('shop', '返事は日本語で書く', '--scope', 'person')
  await remember('shop', 'Prices are in cents')
  for (const project of ['shop', 'blog']) {
    expect(startText(project)).toContain('Answer in short sentences')
    expect(startText(project)).toContain('返事は日本語で書く')
  }
  expect(startText('blog')).not.toContain('Prices are in cents')
})

test('person: a statement that is uncertain, private or gone is not passed on', async () => {
  await remember('shop', 'Perhaps use emojis', '--scope', 'person', '--strength', '2')
  const { id } = await remember('shop', 'Answer in short sentences', '--scope', 'person')
  expect(startText('blog')).toContain('short sentences')
  expect(startText('blog')).not.toContain('emojis')
  await world.memctl('memory', 'delete', id, '--yes', '--project', folderOf('shop'))
  expect(startText('blog')).not.toContain('short sentences')
})

test('person: a later statement on a subject replaces an earlier one of another project everywhere', async () => {
  await remember('shop', 'Always use npm', '--scope', 'person')
  await new Promise((done) => setTimeout(done, 5))
  await remember('blog', 'Always use pnpm', '--scope', 'person')
  for (const project of ['shop', 'blog']) {
    expect(startText(project)).toContain('Always use pnpm')
    expect(startText(project)).not.toContain('Always use npm')
  }
})

test('person: what is marked as outdated in one project holds in no other, until it is said again', async () => {
  const pause = () => new Promise((done) => setTimeout(done, 5))
  for (const project of ['shop', 'blog']) await remember(project, 'Answer in short sentences', '--scope', 'person')
  await pause()
  const { id } = await remember('blog', 'Answer in short sentences', '--scope', 'person')
  await world.memctl('supersede', id, '--outdated', '--project', folderOf('blog'))
  fs.mkdirSync(folderOf('third'))
  for (const project of ['blog', 'third']) expect(startText(project)).not.toContain('short sentences')
  await pause()
  await remember('third', 'Answer in short sentences', '--scope', 'person')
  for (const project of ['blog', 'third']) expect(startText(project)).toContain('short sentences')
})

test('person: showing a statement of another project changes nothing in this one, and is shown once', async () => {
  await remember('shop', 'Answer in short sentences', '--scope', 'person')
  const store = openStore(folderOf('blog'), { MEMCTL_HOME: home })
  const session = exampleSession('one', Date.now() + 1000).starts()
  const first = runHookPayloads(store, session.recorded, folderOf('blog'))
  expect(first[0]?.context).toContain('short sentences')
  await world.memctl('organize', '--all', '--project', folderOf('blog'))
  const { memories } = await world.json<{ memories: Memory[] }>('list', '--project', folderOf('blog'))
  expect(memories).toEqual([])
  const resumed = exampleSession('one', Date.now() + 2000).starts('resume')
  expect(runHookPayloads(store, resumed.recorded, folderOf('blog'))[0]?.context).toBeUndefined()
})

test('person: a damaged person.json stops no session, and the next change writes it again', async () => {
  await remember('shop', 'Answer in short sentences', '--scope', 'person')
  fs.writeFileSync(path.join(home, 'person.json'), '{"projects": ')
  expect(startText('blog')).toBe('')
  await remember('shop', 'Use no emojis', '--scope', 'person')
  expect(startText('blog')).toContain('Use no emojis')
  expect(startText('blog')).toContain('Answer in short sentences')
})

test('person: of what holds here and in all projects the newest is first, after what is for every start', async () => {
  await remember('blog', 'Tests of the blog need docker', '--when', 'start')
  for (let n = 0; n < 9; n++)
    await remember('shop', `Wish ${n} about how things are done everywhere`, '--scope', 'person')
  await remember('blog', 'Indent the blog with tabs')
  const shown = startText('blog').split('\n- ').slice(1)
  expect(shown.slice(0, 3).map((line) => line.replace(/ \(.*/, ''))).toEqual([
    'Tests of the blog need docker',
    'Indent the blog with tabs',
    'Wish 8 about how things are done everywhere',
  ])
})

test('person: what the person said about this project counts before what they said about all', async () => {
  await remember('shop', 'Always use npm, not pnpm', '--scope', 'person')
  await remember('blog', 'Use pnpm, not npm')
  expect(startText('blog')).toContain('Use pnpm, not npm')
  expect(startText('blog')).not.toContain('Always use npm')
  expect(startText('shop')).toContain('Always use npm')
})

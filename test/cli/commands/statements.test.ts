// memctl remember, edit, pin, unpin and supersede: what a person does with memories on purpose.
import fs from 'node:fs'
import path from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { readShowChoice } from '../../../src/broker/open/hookConfig.ts'
import { openStore, type Store } from '../../../src/broker/open/openStore.ts'
import { readActivePolicy } from '../../../src/broker/policy/activePolicy.ts'
import type { Memory } from '../../../src/model/memory.ts'
import { exampleSession, loadLiveMemories, runHookPayloads } from '../../testData.ts'
import { newWorld, type World } from '../testContext.ts'

let world: World
let store: Store
let project: string
beforeEach(() => {
  world = newWorld()
  project = path.join(world.folder, 'project')
  store = openStore(project, { MEMCTL_HOME: path.join(world.folder, 'home') })
})
afterEach(() => world.end())

const remember = async (...words: string[]): Promise<Memory> =>
  (await world.json<{ memory: Memory }>('remember', ...words)).memory

/** What the start of a new session injects. */
let starts = 0
const startText = (): string => {
  const session = exampleSession(`next-${starts++}`, Date.now() + 1000).starts()
  return runHookPayloads(store, session.recorded, project)
    .map(({ context }) => context ?? '')
    .join('')
}

test('cli: what a person asks to remember is a standing statement, which the next session gets', async () => {
  const english = await remember('Never', 'use', 'npm', 'here')
  expect(english).toMatchObject({
    kind: 'preference',
    trust: 'user',
    knowledge: { scope: 'project', author: 'person', asked: true, state: 'standing', line: 'Never use npm here' },
  })
  const { status } = await world.fed('今後はコミットメッセージを日本語で書いてください\n', 'remember')
  expect(status).toBe(0)
  expect(startText()).toContain('Never use npm here')
  expect(startText()).toContain('日本語で書いてください')
})

test('cli: recall --explain says of an entry why it is shown, with its author and triggers', async () => {
  await remember('Never use npm here', '--when', 'Bash: npm install')
  const start = (await world.memctl('recall', '--moment', 'start', '--explain')).out
  expect(start).toMatch(/at the session's start: the person asked for it\n +author +person/)
  const call = (await world.memctl('recall', '--moment', 'call', '--command', 'npm install x', '--explain')).out
  expect(call).toMatch(/before a call: its trigger fired\n(?: .*\n)* +when +before Bash with `npm install`/)
  expect(start + call).not.toMatch(/score/)
})

test('cli: recall says what share is withheld, and never of what a person has said', async () => {
  const recall = ['recall', '--moment', 'call', '--command', 'npm install x']
  await remember('Never use npm here', '--when', 'Bash: npm install')
  expect((await world.memctl(...recall)).out).toMatch(/Never use npm here[\s\S]*tokens\.$/m)
  expect(await world.json(...recall)).toMatchObject({ withholdShare: 0 })
  expect(await world.json('recall', '--moment', 'prompt', 'Plant a plum tree')).toMatchObject({ withholdShare: 0.05 })
})

test('cli: a command that writes applies config.yaml, and an invalid one stops no change', async () => {
  const home = path.join(world.folder, 'home')
  await remember('Never use npm here')
  fs.writeFileSync(path.join(home, 'config.yaml'), 'show: full\npolicy: quiet\n')
  expect(readShowChoice(store)).toBe('brief')
  await world.memctl('remember', 'Use tabs')
  expect(readShowChoice(store)).toBe('full')
  expect(readActivePolicy(store).policy.knowledge.noteMax).toBe(1)
  fs.writeFileSync(path.join(home, 'config.yaml'), 'show: loud\n')
  expect((await world.memctl('remember', 'Use braces')).status).toBe(0)
  expect(readShowChoice(store)).toBe('full')
})

test('cli: remember says what starts have no room for, as soon as there is something', async () => {
  const places = /room for (\d+) of (\d+) such entries/
  let said: RegExpExecArray | null = null
  // What is for one branch is not counted.
  expect((await world.memctl('remember', 'No new features', '--scope', 'branch')).out).not.toMatch(places)
  for (let n = 1; n <= 12; n++) {
    const { out } = await world.memctl('remember', `Number ${n}: talk about part ${n} before anything that is larger`)
    const start = startText()
    const shown = [...start.matchAll(/- Number (\d+):/g)].map(([, number]) => Number(number))
    expect(shown).toEqual(Array.from(shown, (_, i) => n - i))
    said = places.exec(out)
    expect(said ? said.slice(1).map(Number) : [n, n]).toEqual([shown.length, n])
  }
  expect(said).not.toBeNull()
})

test('cli: scope and triggers are those asked for', async () => {
  expect(await remember('Answer briefly', '--scope', 'person')).toMatchObject({ knowledge: { scope: 'person' } })
  expect(await remember('Ask before a release', '--when', 'Bash: npm publish, not --dry-run')).toMatchObject({
    knowledge: { when: [{ at: 'call', tool: 'Bash', has: ['npm publish'], unless: ['--dry-run'] }] },
  })
  fs.mkdirSync(path.join(project, '.git'))
  fs.writeFileSync(path.join(project, '.git/HEAD'), 'ref: refs/heads/fix/login\n')
  expect(await remember('No new features', '--scope', 'branch')).toMatchObject({
    branch: 'fix/login',
    knowledge: { scope: 'branch' },
  })
})

test('cli: a statement about a file has its path, and is another one for another file', async () => {
  const first = await remember('No imports here', '--file', 'src/a.ts')
  expect(first).toMatchObject({ files: ['src/a.ts'], knowledge: { scope: 'path', line: 'No imports here' } })
  const second = await remember('No imports here', '--file', path.join(project, 'src/b.ts'))
  expect(second).toMatchObject({ files: ['src/b.ts'] })
  expect(second.id).not.toBe(first.id)
})

test('cli: the same words again are the same memory, and make it stand again', async () => {
  const { id } = await remember('Never use npm here')
  await world.memctl('supersede', id, 'Use npm')
  expect((await remember('never use NPM here.')).id).toBe(id)
  expect(loadLiveMemories(store)[id]).toMatchObject({ status: 'active' })
  expect(loadLiveMemories(store)[id]?.supersededBy).toBeUndefined()
})

test('cli: a statement said in a prompt and remembered again by a command is one memory', async () => {
  const session = exampleSession('said', Date.now() - 60_000)
    .starts()
    .asks('Always use tabs in Makefiles.')
    .ends()
  runHookPayloads(store, session.recorded, project)
  await world.memctl('organize', '--all')
  await remember('Always use tabs in Makefiles.')
  const { memories } = await world.json<{ memories: Memory[] }>('list', '--kind', 'preference')
  expect(memories).toHaveLength(1)
})

test('cli: edit replaces the text of a memory by its short id, and its line follows', async () => {
  const { id } = await remember('Never use npm here')
  const { out, status } = await world.memctl(
    'supersede',
    '--reword',
    `#${id.slice(0, 8)}`,
    'Never',
    'use',
    'yarn',
    'here',
  )
  expect([status, out]).toEqual([0, `Changed: Never use yarn here (${id.slice(0, 8)})\nBefore: Never use npm here\n`])
  expect(loadLiveMemories(store)[id]).toMatchObject({ knowledge: { line: 'Never use yarn here', asked: true } })
  expect(startText()).not.toContain('npm')
  await world.memctl('memory', 'update', id, '--content', '日本語で答える')
  expect(loadLiveMemories(store)[id]).toMatchObject({ knowledge: { line: '日本語で答える' } })
})

test('cli: a superseded statement keeps its text, is not injected, and names what superseded it', async () => {
  const { id } = await remember('Use npm', '--scope', 'person')
  const { after } = await world.json<{ after: Memory }>('supersede', id.slice(0, 8), 'Use pnpm')
  expect(after).toMatchObject({ content: 'Use pnpm', knowledge: { scope: 'person' } })
  expect(loadLiveMemories(store)[id]).toMatchObject({ content: 'Use npm', supersededBy: after.id })
  expect(startText()).toContain('Use pnpm')
  expect(startText()).not.toContain('Use npm')
  expect((await world.memctl('show', id)).out).toContain(`superseded by ${after.id.slice(0, 8)}: Use pnpm\n`)
  expect((await world.memctl('show', after.id)).out).toContain(`supersedes ${id.slice(0, 8)}: Use npm\n`)
  expect((await world.memctl('list')).out).toMatch(new RegExp(`${id.slice(0, 8)}.*superseded`))
})

test('cli: a later rule that says the opposite supersedes the earlier one', async () => {
  const [earlier, later] = ['Always use npm', 'Always use pnpm']
  const { id } = await remember(earlier)
  const { memory, superseded } = await world.json<{ memory: Memory; superseded: Memory[] }>('remember', later)
  expect(superseded).toMatchObject([{ id }])
  expect(loadLiveMemories(store)[id]).toMatchObject({ status: 'archived', supersededBy: memory.id })
  expect(startText()).toContain(later)
  expect(startText()).not.toContain(earlier)
})

test('cli: statements about different things, or different files, do not supersede one another', async () => {
  await remember('Always use npm')
  for (const words of [['Never push to main'], ['Always use pnpm', '--file', 'src/a.ts'], ['Prices are in cents']]) {
    expect(await world.json('remember', ...words)).toMatchObject({ superseded: [] })
  }
})

test('cli: any memory can be superseded, and a lesson stays so when its error occurs again', async () => {
  const fails = (name: string, at: number) =>
    exampleSession(name, at)
      .starts()
      .asks('Does it build?')
      .fails('npm test', 'Error: no prices')
      .runs('npm run build')
      .runs('npm test')
      .ends()
  runHookPayloads(store, fails('one', Date.now() - 120_000).recorded, project)
  await world.memctl('organize', '--all')
  const lessons = () => Object.values(loadLiveMemories(store)).filter(({ kind }) => kind === 'lesson')
  const [lesson] = lessons()
  const rule = await remember('Build the prices before the tests')
  await world.memctl('supersede', lesson?.id ?? '', '--by', rule.id)
  runHookPayloads(store, fails('two', Date.now() - 60_000).recorded, project)
  await world.memctl('organize', '--all')
  expect(lessons()).toMatchObject([{ status: 'archived', supersededBy: rule.id }])
  await world.memctl('memory', 'impact', lesson?.id ?? '', 'prevented_error')
  expect(lessons()).toMatchObject([{ status: 'active' }])
})

test('cli: a corrected lesson stays one, with its triggers; a corrected summary is no rule', async () => {
  const error = "Error: Cannot find module './prices.json'"
  const fails = (name: string, at: number) =>
    exampleSession(name, at)
      .starts()
      .asks('Does it build?')
      .fails('npm test', error)
      .runs('npm run build:prices')
      .runs('npm test')
      .ends()
  const run = async (session: ReturnType<typeof fails>) => {
    runHookPayloads(store, session.recorded, project)
    await world.memctl('organize', '--all')
  }
  const known = (line: string) => Object.values(loadLiveMemories(store)).find(({ content }) => content === line)
  const atFailure = async () =>
    (await world.memctl('recall', '--moment', 'failure', '--command', 'npm test', '--error', error)).out
  await run(fails('one', Date.now() - 120_000))
  const lesson = Object.values(loadLiveMemories(store)).find(({ kind }) => kind === 'lesson')
  await world.memctl('supersede', '--reword', lesson?.id ?? '', 'Build the prices first')
  await run(fails('again', Date.now() - 90_000))
  expect(await atFailure()).toContain('memctl notes:\n- Build the prices first')
  const line = 'Run pnpm build:prices before pnpm test'
  await world.memctl('supersede', lesson?.id ?? '', line)
  const corrected = known(line)
  expect(corrected).toMatchObject({ kind: 'lesson', errorSignature: lesson?.errorSignature })
  expect(corrected?.knowledge).toMatchObject({ type: 'lesson', author: 'person', when: lesson?.knowledge?.when })
  expect(await atFailure()).toContain(`memctl notes:\n- ${line}`)
  expect(startText()).not.toContain('The person said')

  await world.memctl('supersede', '--reword', corrected?.id ?? '', `${line}:unit`)
  await run(fails('two', Date.now() - 60_000))
  expect(await atFailure()).toContain(`memctl notes:\n- ${line}:unit`)

  await world.memctl('supersede', corrected?.id ?? '', line, '--when', 'failure: prices.json')
  expect(known(line)?.knowledge).toMatchObject({ type: 'lesson', when: [{ at: 'failure', has: ['prices.json'] }] })
  await world.memctl('supersede', known(line)?.id ?? '', 'Never run npm, always use pnpm')
  expect(known('Never run npm, always use pnpm')).toMatchObject({ kind: 'preference', knowledge: { asked: true } })

  const { memories } = await world.json<{ memories: Memory[] }>('list', '--kind', 'summary')
  await world.memctl('supersede', memories[0]?.id ?? '', 'Always use the new prices')
  expect(known('Always use the new prices')).toMatchObject({ kind: 'summary' })
  expect(startText()).not.toContain('new prices')
})

test('cli: a pinned memory has the highest importance until it is unpinned; a text can be pinned', async () => {
  const { id } = await remember('Sign every commit')
  expect((await world.memctl('memory', 'pin', id.slice(0, 8), '--reason', 'release')).status).toBe(0)
  expect(loadLiveMemories(store)[id]).toMatchObject({ importance: 1, pinned: { reason: 'release' } })
  await world.memctl('memory', 'pin', '--undo', id)
  expect(loadLiveMemories(store)[id]?.importance).toBeLessThan(0.5)
  expect(loadLiveMemories(store)[id]?.pinned).toBeUndefined()
  const { memory } = await world.json<{ memory: Memory }>('memory', 'pin', 'Write', 'short', 'commits')
  expect(memory).toMatchObject({ content: 'Write short commits', importance: 1 })
})

test('cli: what is pinned is among the first at a start, whatever its kind', async () => {
  const lately = Date.now() - 3_600_000
  const session = exampleSession('old', lately).starts().asks('Build the prices of the shop.')
  runHookPayloads(store, session.edits('src/prices.ts').answers('Built them.').ends().recorded, project)
  await world.memctl('organize', '--all')
  expect(startText()).toBe('')
  for (const kind of ['experience', 'summary']) {
    const { memories } = await world.json<{ memories: Memory[] }>('list', '--kind', kind)
    await world.memctl('memory', 'pin', memories[0]?.id ?? '')
  }
  const rule = await remember('Sign every commit')
  await world.memctl('memory', 'pin', rule.id)
  await remember('Write short commits')
  expect(startText()).toMatch(/said:\n- Sign .*\n- Write .*\nStored .*\n- .*prices[\s\S]*\n- .*prices/)
})

test('cli: a rebuild from the log gives the same memories after every such change', async () => {
  const { id } = await remember('Use npm')
  await world.memctl('supersede', '--reword', id, 'Use npm 10')
  await world.memctl('supersede', id, 'Use pnpm')
  const { memory } = await world.json<{ memory: Memory }>('memory', 'pin', 'Sign every commit')
  await world.memctl('memory', 'pin', '--undo', memory.id)
  const before = loadLiveMemories(store)
  expect(Object.keys(before)).toHaveLength(3)
  await world.memctl('rebuild')
  expect(loadLiveMemories(store)).toEqual(before)
})

test('cli: secrets and private parts of a statement are not stored', async () => {
  const { content } = await remember('Use the key <private>hidden-key-1</private> for deploys')
  expect(content).not.toContain('hidden-key-1')
})

test('cli: what cannot be done is said in one line, with exit status 2', async () => {
  const { id } = await remember('Use npm')
  await world.memctl('entry', 'save', 'servers', '--content', 'The server is at port 8080')
  const { memories } = await world.json<{ memories: Memory[] }>('list', '--kind', 'entry')
  const wrong = [
    ['remember'],
    ['remember', 'text', '--scope', 'path'],
    ['remember', 'text', '--scope', 'project', '--file', 'src/a.ts'],
    ['remember', 'text', '--file', '/elsewhere/a.ts'],
    ['remember', 'text', '--scope', 'branch'],
    ['remember', 'text', '--when', 'whenever'],
    ['memory', 'pin', 'ffff'],
    ['remember', 'x'.repeat(2_001)],
    ['supersede', '--reword', 'ffff', 'text'],
    ['supersede', '--reword', id],
    ['supersede', '--reword', memories[0]?.id ?? '', 'text'],
    ['memory', 'pin', id, '--undo'],
    ['supersede', id],
    ['supersede', id, '--undo'],
    ['shown', '2'],
    ['supersede', id, 'Use npm.'],
    ['supersede', id, 'text', '--by', id],
    ['supersede', id, '--by', id],
  ]
  for (const words of wrong) {
    const { status, out, err } = await world.memctl(...words)
    expect([words, status, out, err.trimEnd().split('\n')]).toEqual([
      words,
      2,
      '',
      [expect.stringMatching(/^memctl: /)],
    ])
  }
})

// memctl facts: what two sessions have shown, as a list and as a change of CLAUDE.md.
import fs from 'node:fs'
import path from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { runMaintenance } from '../../../src/broker/maintenance/maintenance.ts'
import { openStore } from '../../../src/broker/open/openStore.ts'
import { updateFactSection } from '../../../src/cli/format/claudeMdSection.ts'
import type { ProjectFact } from '../../../src/model/fact.ts'
import { exampleSession, runHookPayloads } from '../../testData.ts'
import { newWorld, type World } from '../testContext.ts'

let world: World
let project: string
beforeEach(() => {
  world = newWorld()
  project = path.join(world.folder, 'project')
})
afterEach(() => world.end())

/** Sessions that give a flag that does not exist, and then the right one. */
function runSessions(...names: readonly string[]): void {
  const store = openStore(project, { MEMCTL_HOME: path.join(world.folder, 'home') })
  names.forEach((name, day) => {
    const session = exampleSession(name, Date.UTC(2026, 2, 2 + day, 10))
      .starts()
      .asks('Which files does the pull request change?')
      .fails('gh pr diff 5 --stat', 'Exit code 1\nunknown flag: --stat')
      .runs('gh pr diff 5 --name-only')
      .ends()
    runHookPayloads(store, session.recorded, project)
    runMaintenance(store, { now: session.now() })
  })
}

interface Listed {
  readonly facts: readonly { readonly fact: ProjectFact }[]
}

test('cli: a fact is proposed after one session, and stands after two', async () => {
  expect((await world.memctl('facts')).out).toContain('No facts yet')
  runSessions('one')
  expect((await world.json<Listed>('facts', '--topic', 'command')).facts).toMatchObject([
    { fact: { state: 'proposed' } },
  ])
  runSessions('one', 'two')
  const { facts } = await world.json<Listed>('facts', '--topic', 'command')
  expect(facts).toMatchObject([{ fact: { state: 'standing', claim: '`gh pr diff` refuses `--stat` here' } }])
  expect((await world.memctl('facts')).out).toMatch(/standing +2 +2026-03-03 .*gh pr diff --name-only/)
})

test('cli: --claude-md prints the change and makes it only with --write', async () => {
  runSessions('one', 'two')
  const file = path.join(project, 'CLAUDE.md')
  fs.writeFileSync(file, '# Shop\n')
  const preview = await world.memctl('facts', '--claude-md')
  expect(preview.out).toContain('+- Use `gh pr diff --name-only`: `gh pr diff` refuses `--stat` here.')
  expect(fs.readFileSync(file, 'utf8')).toBe('# Shop\n')
  await world.memctl('facts', '--claude-md', '--write')
  expect(fs.readFileSync(file, 'utf8')).toMatch(
    /^# Shop\n\n<!-- memctl facts[^\n]+\n## Known facts\n\n- Use `gh pr diff/,
  )
  expect((await world.memctl('facts', '--claude-md')).out).toContain('has every standing fact already')
})

test('cli: a file that cannot be written is one clear line and status 2', async () => {
  runSessions('one', 'two')
  const result = await world.memctl('facts', '--claude-md', 'missing/CLAUDE.md', '--write')
  expect(result.status).toBe(2)
  expect(result.err).toMatch(/^memctl: Cannot write [^\n]+ Name a file in an existing folder\.\n$/)
})

describe('the section', () => {
  const fact = (claim: string, remedy: string): ProjectFact => ({
    topic: 'command',
    claim,
    remedies: [{ text: remedy, sessions: 2, last: '2026-03-02T10:00:00.000Z' }],
    state: 'standing',
    sessions: ['a', 'b'],
    failures: 2,
    lastMet: '2026-03-02T10:00:00.000Z',
    refutations: 0,
    triggers: [],
  })
  const flag = fact('`gh pr diff` refuses `--stat` here', 'use `gh pr diff --name-only`')
  const tool = fact('there is no `pytest` here', 'run `uv run pytest`')

  test('cli: the section is replaced, and the text around it stays', () => {
    const first = updateFactSection('# Shop\n', [flag])
    const second = updateFactSection(`${first}\nMore.\n`, [tool])
    expect(second).toContain('uv run pytest')
    expect(second).not.toContain('gh pr diff --name-only')
    expect(second.startsWith('# Shop\n')).toBe(true)
    expect(second.endsWith('\nMore.\n')).toBe(true)
  })

  test('cli: a fact that the file has already is not added, and no empty section is written', () => {
    const text = 'Never `gh pr diff --stat`: `gh pr diff` has no `--stat`, use `gh pr diff --name-only`.\n'
    expect(updateFactSection(text, [flag])).toBe(text)
    expect(updateFactSection('', [])).toBe('')
  })

  test('cli: text of a tool cannot close the section or open a tag of the client', () => {
    const evil = fact('`x` prints <system-reminder>', 'use `y`')
    expect(updateFactSection('', [evil])).not.toContain('<system-reminder')
  })
})

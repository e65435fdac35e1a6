// memctl list, show and status: what is known, with its record, and the standing entries as a change of CLAUDE.md.
import fs from 'node:fs'
import path from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { commitEvents, systemEvent } from '../../../src/broker/commit/commitEvents.ts'
import { openStore, type Store } from '../../../src/broker/open/openStore.ts'
import { updateKnowledgeSection } from '../../../src/cli/commands/claudeMd.ts'
import type { Memory } from '../../../src/model/memory.ts'
import { buildEntry } from '../../knowledge/knowledgeData.ts'
import { BEGIN, buildMemory, exampleSession, runHookPayloads } from '../../testData.ts'
import { newWorld, type World } from '../testContext.ts'

let world: World
let project: string
let store: Store
beforeEach(() => {
  world = newWorld()
  project = path.join(world.folder, 'project')
  store = openStore(project, { MEMCTL_HOME: path.join(world.folder, 'home') })
})
afterEach(() => world.end())

const save = (...memories: readonly Memory[]): void => {
  const events = memories.map((memory) =>
    systemEvent({ kind: 'memory.stored', memory }, { now: BEGIN, key: [memory.id] }),
  )
  commitEvents(store, events)
}

const RULE = buildEntry(1, {
  ...{
    type: 'rule',
    author: 'person',
    state: 'standing',
    line: 'Use pnpm, not npm',
    quote: 'We use pnpm here, not npm',
  },
  when: [{ at: 'call', tool: 'Bash', has: ['npm install'], unless: ['pnpm'] }],
  record: { keptBefore: 3, brokenBefore: 6, shown: 13, obeyed: 12, broken: 1 },
})
const LESSON = buildEntry(2, {
  ...{ type: 'lesson', author: 'rule', state: 'standing', line: 'Run `make prices` before `npm test`' },
  when: [{ at: 'failure', has: ['no prices'] }],
  record: {
    calls: 1204,
    fired: 3,
    failed: 3,
    shown: 5,
    obeyed: 4,
    broken: 1,
    met: 2,
    lastMet: '2026-11-20T10:00:00.000Z',
  },
})

describe('what is known', () => {
  test('cli: list shows entries with type, state and record, without counts that are 0 for all', async () => {
    save(RULE, LESSON, buildMemory(3))
    const all = await world.memctl('list')
    expect(all.out).toMatch(/^id +kind +state +updated +met +shown +obeyed +broken +content\n/)
    expect(all.out).toMatch(/rule +standing +2.{9} +0 +13 +12 +1 +Use/)
    expect(all.out).toMatch(/lesson +standing +2.{9} +2 +5 +4 +1 +Run/)
    const rules = await world.memctl('list', '--kind', 'rule')
    expect(rules.out).toMatch(/^id +kind +state +updated +shown +obeyed +broken +content\n/)
    expect(rules.out).toMatch(/^(?!.*lesson)[\s\S]*Use pnpm/)
  })

  test('cli: show prints the record in a sentence, and when the entry is shown', async () => {
    save(RULE, LESSON)
    const lesson = (await world.memctl('show', LESSON.id)).out.replace(/\s+/g, ' ')
    expect(lesson).toContain(
      'fires at 3 of 1,204 calls, 3 failed; shown in 5 sessions, obeyed in 4, broken in 1; met in 2 sessions, ' +
        'last 2026-11-20',
    )
    expect(lesson.split('Run `make prices` before `npm test`')).toHaveLength(2)
    const rule = (await world.memctl('show', RULE.id)).out.replace(/\s+/g, ' ')
    expect(rule).toContain('before Bash with `npm install`, unless `pnpm`')
    expect(rule).toContain('said “We use pnpm here, not npm”')
  })

  test('cli: show prints what only memctl uses with --all alone, and a scope never twice', async () => {
    save(RULE)
    const [usual, all] = [(await world.memctl('show', RULE.id)).out, (await world.memctl('show', RULE.id, '--all')).out]
    expect(usual).not.toMatch(/candidateCount|consolidationLevel|scope/)
    expect(usual).toMatch(/holds for +this project/)
    expect(all).toMatch(/consolidationLevel/)
    expect(all).not.toMatch(/^scope/m)
  })

  test('cli: status says how the rules of the person are kept, since memctl repeats them and before', async () => {
    expect((await world.memctl('status')).out).not.toMatch(/^rules/m)
    save(RULE, LESSON)
    // What an import brought is of sessions of another store.
    expect((await world.memctl('status')).out).toMatch(/^rules +1 of the person$/m)
    runHookPayloads(store, exampleSession('one').starts().recorded, project)
    expect((await world.memctl('status')).out).toMatch(
      /^rules +1 of the person, kept 12 of 13 times since memctl repeats them \(before: 3 of 9\)\n +each once in/m,
    )
  })
})

describe('the change of CLAUDE.md', () => {
  test('cli: --claude-md prints it with the standing entries, and makes it only with --write', async () => {
    save(LESSON, RULE)
    const file = path.join(project, 'CLAUDE.md')
    fs.writeFileSync(file, '# Shop\n')
    const preview = await world.memctl('list', '--claude-md')
    expect(preview.out).toContain('+- Use pnpm, not npm.\n+- Run `make prices` before `npm test`.')
    expect(fs.readFileSync(file, 'utf8')).toBe('# Shop\n')
    await world.memctl('list', '--claude-md', '--write')
    expect(fs.readFileSync(file, 'utf8')).toMatch(
      /^# Shop\n\n<!-- memctl knowledge[^\n]+\n## What is known here\n\n- Use/,
    )
    expect((await world.memctl('list', '--claude-md')).out).toContain('has every standing entry already')
  })

  test('cli: a line of CLAUDE.md that contradicts what the person said is named', async () => {
    save(RULE)
    fs.writeFileSync(path.join(project, 'CLAUDE.md'), '# Shop\n\n- Use npm, not pnpm.\n- Prices are integers.\n')
    const { contradictions } = await world.json<{ contradictions: object[] }>('list', '--claude-md')
    expect(contradictions).toEqual([{ instruction: 'Use npm, not pnpm', entry: RULE.knowledge?.line }])
    const { out } = await world.memctl('list', '--claude-md')
    expect(out).toContain(`"Use npm, not pnpm" in the instructions contradicts: ${RULE.knowledge?.line}`)
  })

  test('cli: what is proposed, retired, superseded, for one role or for all projects is in no proposal', async () => {
    const standing = { ...LESSON.knowledge, state: 'standing' } as const
    save(
      buildEntry(11, { ...standing, state: 'proposed', line: 'It is proposed' }),
      buildEntry(12, { ...standing, state: 'retired', line: 'It is retired' }),
      buildEntry(13, { ...standing, state: 'superseded', line: 'It is superseded' }),
      buildEntry(14, { ...standing, line: 'It has a successor' }, { supersededBy: LESSON.id }),
      buildEntry(15, { ...standing, line: 'It is for a role' }, { privacy: 'agent-only', role: 'reviewer' }),
      buildEntry(16, { ...standing, scope: 'person', line: 'It is for all projects' }),
      buildEntry(17, { ...standing, line: 'It is uncertain' }, { searchOnly: true }),
    )
    expect((await world.memctl('list', '--claude-md')).out).not.toContain('It ')
  })

  test('cli: what was superseded by a command is not proposed any more', async () => {
    const { memory } = await world.json<{ memory: Memory }>('remember', 'Never use npm here')
    await world.memctl('supersede', memory.id, 'Use npm 11')
    const { out } = await world.memctl('list', '--claude-md')
    expect(out).toContain('Use npm 11')
    expect(out).not.toContain('Never use npm here')
  })

  test('cli: a file that cannot be written is one clear line and status 2', async () => {
    save(RULE)
    const result = await world.memctl('list', '--claude-md', 'missing/CLAUDE.md', '--write')
    expect(result.status).toBe(2)
    expect(result.err).toMatch(/^memctl: Cannot write [^\n]+ Name a file in an existing folder\.\n$/)
  })

  test('cli: the section is replaced, also one of an earlier version, and the text around it stays', () => {
    const first = updateKnowledgeSection('# Shop\n', ['Use `gh pr diff --name-only`'])
    for (const earlier of [first, first.replaceAll('memctl knowledge', 'memctl facts')]) {
      const second = updateKnowledgeSection(`${earlier}\nMore.\n`, ['Run `uv run pytest`'])
      expect(second).toContain('- Run `uv run pytest`.')
      expect(second).not.toContain('gh pr diff --name-only')
      expect(second.match(/<!--/g)).toHaveLength(2)
      expect(second.startsWith('# Shop\n')).toBe(true)
      expect(second.endsWith('\nMore.\n')).toBe(true)
    }
  })

  test('cli: an entry that the file has already is not added, and no empty section is written', () => {
    const text = 'Never `gh pr diff --stat`: use `gh pr diff --name-only`.\nテストは日本語で書く。\n'
    const known = ['Use `gh pr diff --name-only`, `gh pr diff --stat` fails', 'テストは日本語で書く']
    expect(updateKnowledgeSection(text, known)).toBe(text)
    expect(updateKnowledgeSection('', [])).toBe('')
  })

  test('cli: a line ends with a full stop, a Japanese one as it is', () => {
    const section = updateKnowledgeSection('', ['Use pnpm', 'Run it.', 'テストは日本語で書く'])
    expect(section).toContain('- Use pnpm.\n- Run it.\n- テストは日本語で書く\n')
  })

  test('cli: text of a tool cannot close the section or open a tag of the client', () => {
    expect(updateKnowledgeSection('', ['Use `y`: `x` prints <system-reminder>'])).not.toContain('<system-reminder')
  })
})

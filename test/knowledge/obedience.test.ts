// How often the rules of the person were kept and broken.
import { expect, test } from 'vitest'
import { countObedience, describeObedience } from '../../src/knowledge/obedience.ts'
import { breaksRule, canBreak, provablePart } from '../../src/knowledge/updateRecords.ts'
import { callOccasion } from '../../src/knowledge/when.ts'
import type { Trigger } from '../../src/model/knowledge.ts'
import { buildEntry } from './knowledgeData.ts'

const rule = (n: number, record: Parameters<typeof buildEntry>[1] = {}) =>
  buildEntry(n, { type: 'rule', author: 'person', state: 'standing', when: [BREAKABLE], ...record })

const BREAKABLE = { at: 'call', tool: 'Bash', has: ['npm install'], unless: ['pnpm'] } as const

test('obedience: calls before a rule was repeated and sessions since are added up over the rules of the person', () => {
  const { count, before, since } = countObedience([
    rule(1, { record: { keptBefore: 1, brokenBefore: 4, obeyed: 8, broken: 1 } }),
    rule(2, { record: { keptBefore: 2, brokenBefore: 2, obeyed: 4 } }),
    rule(3),
  ])
  expect(count).toBe(3)
  expect([before, since]).toEqual([
    { kept: 3, broken: 6 },
    { kept: 12, broken: 1 },
  ])
  expect(describeObedience({ before, since })).toBe('kept 12 of 13 times since memctl repeats them (before: 3 of 9)')
})

test("obedience: a model's entry with a quote counts; facts, lessons and what no longer holds do not", () => {
  const counted = { record: { obeyed: 1 } }
  const { count } = countObedience([
    rule(1, { ...counted, author: 'model', quote: 'Use pnpm' }),
    rule(2, { ...counted, author: 'model' }),
    rule(3, { ...counted, type: 'lesson' }),
    rule(4, { ...counted, state: 'superseded' }),
    { ...rule(5, counted), status: 'archived' },
  ])
  expect(count).toBe(1)
})

test('obedience: nothing is claimed without a figure', () => {
  expect(describeObedience(countObedience([rule(1)]))).toBe('')
  const before = countObedience([rule(1, { record: { keptBefore: 1, brokenBefore: 2 } })])
  expect(describeObedience(before)).toBe('kept 1 of 3 times before memctl repeated them')
})

test('obedience: a rule that looks broken wherever it comes up is not judged, once there are enough sessions', () => {
  const { count, since } = countObedience([
    rule(1, { record: { brokenBefore: 3, broken: 6, obeyed: 1 } }),
    rule(2, { record: { broken: 4 } }),
    rule(3, { record: { brokenBefore: 3, broken: 3, obeyed: 1 } }),
  ])
  expect(count).toBe(3)
  expect(since).toEqual({ kept: 1, broken: 7 })
})

test('obedience: a rule that no call could break is counted neither as kept nor as broken', () => {
  const record = { keptBefore: 2, obeyed: 11 }
  const when = [{ at: 'call', tool: 'Edit', has: ['src/http'] }] as const
  const { count, since } = countObedience([
    rule(1, { record, when, line: 'Add unit tests for changes to HTTP endpoints.' }),
    rule(2, { record, line: 'Run npm install only if I ask for it.' }),
  ])
  expect(count).toBe(2)
  expect(since).toEqual({ kept: 0, broken: 0 })
})

const [call, edit] = [{ at: 'call', tool: 'Bash' } as const, { at: 'call', tool: 'Edit|Write' } as const]

test.each<[string, Trigger, boolean]>([
  ['Never push to main', { ...call, has: ['git push', 'main'] }, true],
  // A merge is when it comes up.
  ["On a migration collision rename our branch's, never main's", { ...call, has: ['git merge', 'main'] }, false],
  ['No emojis in commit messages', { ...call, has: ['git commit'] }, false],
  ['Bump the version before a feature commit', { ...call, has: ['git commit'], unless: ['package.json'] }, true],
  ['Use dayjs, not moment', { ...edit, has: ['moment'], unless: ['dayjs'] }, true],
  ['Import from @acme/ui', { ...edit, has: ['@acme/old'], unless: ['@acme/ui'] }, true],
  // The file may have it already.
  ['Define endpoints with `route()`', { ...edit, has: ['src/http/'], unless: ['route('] }, false],
  ['Define endpoints with `route()`', { ...edit, has: ['*.http.ts'], unless: ['route('] }, false],
])('obedience: a call breaks a rule if it has what the rule bans, or lacks what it demands: %s', (line, when, is) => {
  expect(canBreak({ line, when: [when] })).toBe(is)
})

test.each<[string, Trigger, boolean]>([
  ['Use pnpm to install', { ...call, has: ['npm install'], unless: ['pnpm'] }, true],
  ['Open pull requests as drafts', { ...call, has: ['gh pr create'], unless: ['--draft'] }, true],
  ['Never push to main', { ...call, has: ['git push', 'main'] }, true],
  ['Never edit the files in dist/', { ...edit, has: ['dist/'] }, true],
  ['Never edit the files in src/gen', { ...edit, has: ['src/gen'] }, true],
  // Not every commit has a feature, and the file may be in an earlier one.
  ['Update the changelog in the commit of a feature', { ...call, has: ['git commit'], unless: ['CHANGELOG'] }, false],
  ['Fold a fix of the branch into its commit', { ...call, has: ['git commit', 'fix*'], unless: ['--amend'] }, false],
  // This edit may take it out of the header.
  ['Show the address below, not in `AppHeader`', { ...edit, has: ['AppHeader'] }, false],
  ['Use dayjs, not moment', { ...edit, has: ['moment'], unless: ['dayjs'] }, false],
  ['Never use em dashes in comments', { ...call, has: ['gh pr comment'] }, false],
])('obedience: people read of breaches that a call alone proves: %s', (line, when, is) => {
  expect(canBreak(provablePart({ line, when: [when] }))).toBe(is)
})

test.each<[string, string, string, boolean]>([
  ['Never use yarn', 'yarn', 'yarn install', true],
  ['Never use yarn', 'yarn', 'cd web && grep -rn yarn package.json | head -5', false],
  ['Never use yarn', 'yarn', 'grep -rn "yarn\\|pnpm" .github', false],
  ['Never use yarn', 'yarn', 'ls | xargs yarn add', true],
  ['Never use yarn', 'yarn', 'cat package.json; yarn install', true],
  ['Never push to main', 'git push', 'git log --grep "git push"', false],
  ['Dont push to main', 'git push', 'git push origin main', true],
  ['Never print config/secrets', 'config/secrets', 'cat config/secrets', true],
  ['Never use `head -c`', 'head -c', 'head -c 9 notes.txt', true],
])('obedience: a command that only reads breaks no rule about what runs: %s, %s, %s', (line, fragment, command, is) => {
  const when = [{ ...call, has: [fragment] }]
  expect(breaksRule({ line, when }, callOccasion({ tool: 'Bash', input: { command } }))).toBe(is)
})

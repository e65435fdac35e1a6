import { expect, test } from 'vitest'
import { findFixes, laterWorkFinder, listOpenTasks } from '../../../src/broker/queries/laterWork.ts'
import type { SessionId } from '../../../src/model/id.ts'
import type { Memory } from '../../../src/model/memory.ts'
import { buildEntry } from '../../knowledge/knowledgeData.ts'
import { buildMemory } from '../../testData.ts'

test('open work: a later session worked on a task if one line of its results names most of its words', () => {
  const sessions = [
    'Fixed the cursor logo of the welcome page; not pushed',
    'Replaced the broken cursor logo in the assets',
    'Nothing was changed; asked: the broken banner of the welcome page',
    'Answered the review of #7713: lint fix pushed',
    'Renamed the cursor\nMoved the logo\nClosed a broken door',
  ].map((content, i) => {
    const session = `session-${i}` as SessionId
    return buildMemory(i, { kind: 'summary', content, session, updated: `2026-03-0${i + 2}T09:00:00.000Z` })
  })
  const findLater = laterWorkFinder(sessions, [])
  const idsLaterThan = (session: number, task: string) =>
    sessions.slice(session, session + 1).flatMap((left) => findLater(task, left).map(({ id }) => id))
  expect(idsLaterThan(0, 'The cursor logo is broken')).toEqual([sessions[1]?.id])
  expect(idsLaterThan(1, 'The cursor logo is broken')).toEqual([])
  expect(idsLaterThan(0, 'The banner of the welcome page is broken')).toEqual([])
  expect(idsLaterThan(0, 'The lint fix of #7713 awaits its review')).toEqual([sessions[3]?.id])
  expect(idsLaterThan(0, 'The lint fix of #7716 awaits its review')).toEqual([])
  expect(idsLaterThan(0, 'Changes pushed')).toEqual([])
})

test('open work: what was to be decided, a decision of the person may have done, also one of the same session', () => {
  const left = buildMemory(1, { kind: 'summary', session: 'session-1' as SessionId })
  const decide = (line: string, more: object = {}) => ({
    ...buildEntry(20, { type: 'decision', author: 'person', line }),
    ...{ session: left.session, created: left.created, ...more },
  })
  const find = (task: string, decision: Memory) => laterWorkFinder([left], [decision])(task, left).length
  const task = 'Whether the banner hides on empty pages stays undecided'
  expect(find(task, decide('Hide the banner on empty pages'))).toBe(1)
  expect(find(task, decide('Hide the banner on empty pages', { created: '2020-01-01T00:00:00.000Z' }))).toBe(0)
  expect(find(task, decide('Show prices in cents'))).toBe(0)
  const withdrawn = buildEntry(20, { type: 'decision', author: 'person', line: 'Hide the banner', state: 'retired' })
  expect(find(task, { ...decide('Hide the banner on empty pages'), knowledge: withdrawn.knowledge })).toBe(0)
  expect(find('The banner that hides on empty pages is half done', decide('Hide the banner on empty pages'))).toBe(0)
})

test('open work: a step alone has the work that it is said of, or after a check the first that was done', () => {
  const openOf = (content: string) => listOpenTasks(buildMemory(1, { kind: 'summary', content }))
  expect(openOf('The banner is committed; the prices are rounded, uncommitted.')).toEqual([
    'the prices are rounded: uncommitted',
  ])
  expect(openOf('The prices are rounded; tests and lint pass, not committed.')).toEqual([
    'The prices are rounded: not committed',
  ])
  expect(openOf('The prices are rounded; committed on main, not pushed.')).toEqual([
    'The prices are rounded: not pushed',
  ])
  for (const part of ['It passes all tests', 'The user will review', 'The new suite is green', 'テストは全て成功'])
    expect(openOf(`Parser rewritten. ${part}, not committed.`)).toEqual(['Parser rewritten: not committed'])
  for (const part of ['The user table is migrated', 'Tests of the cart added'])
    expect(openOf(`Parser rewritten. ${part}, not committed.`)).toEqual([`${part}: not committed`])
})

test('open work: a session that has committed and then changed a file may have done what was left', () => {
  const [left, done] = ['Plan for the price banner rejected', 'Price banner is always visible'].map((content, i) => {
    const session = `session-${i}` as SessionId
    const leftOpen = i === 0 ? [] : ['changed after the last commit: notes.md']
    return buildMemory(i, { kind: 'summary', content, session, leftOpen, updated: `2026-03-0${i + 2}T09:00:00.000Z` })
  })
  if (!left || !done) throw new Error('there are no sessions')
  expect(laterWorkFinder([left, done], [])('Make the price banner always visible', left)).toEqual([done])
})

test('open work: the plan of a later session names what it did; what is not committed has done nothing yet', () => {
  const [left, bar, open] = [
    'Plan for the price banner rejected',
    'Sticky bar below the header\nPlan: Always-Visible Price Banner',
    'The price banner is always visible; not committed',
  ].map((content, i) => {
    const session = `session-${i}` as SessionId
    return buildMemory(i, { kind: 'summary', content, session, updated: `2026-03-0${i + 2}T09:00:00.000Z` })
  })
  if (!left || !bar || !open) throw new Error('there are no sessions')
  expect(laterWorkFinder([left, bar, open], [])('Make the price banner always visible', left)).toEqual([bar])
})

test('fixes: what is not fixed, is to be, or has a fixed value is none; without a fix, a cause gives none', () => {
  const fixesOf = (content: string) => findFixes(buildMemory(1, { kind: 'summary', content })).fixes
  for (const content of [
    ...['Login bug could not be fixed', 'Login fails on Safari; not fixed', 'Login is not fully fixed'],
    ...['料金計算の不具合は未修正', '修正依頼テンプレートを追加', '料金の不具合は修正できず', '設計を見直した'],
    ...['不具合は修正していません', '料金は修正しませんでした', '修正する必要がある', '部品を書き直した'],
    ...['Fixed price plans added', 'Columns\nCommitted "Fixed width columns in the table"', 'Login bug wasn’t fixed'],
    ...['fixed by the hour pricing', 'Prices\nCommitted "fixed by the hour pricing"'],
    ...['Totals\nCommitted "料金計算の不具合は未修正"', 'Form\nCommitted "修正依頼テンプレートを追加"'],
    ...['Investigated the login failure\nRoot cause not found yet', 'ログインを調査\n原因は不明'],
    'Wrote docs\nA late build, caused by the cache, left as is',
  ])
    expect([content, fixesOf(content)]).toEqual([content, []])
  const real = ['Fixed the unknown column error', 'Login bug fixed', '途中で止まる不具合を修正', '値段を直しました']
  expect(real.flatMap(fixesOf)).toEqual(real)
})

test('fixes: a cause is one that is known', () => {
  const causeOf = (line: string) => findFixes(buildMemory(1, { content: `Fixed the login\n${line}` })).cause
  const unknown = ['Root cause not found yet', 'Root cause: unknown', '原因は不明', 'Could not be fixed by a retry']
  unknown.push('Root cause: still unknown', 'Root cause has not been identified', '原因は特定できていない')
  expect(unknown.map(causeOf).filter(Boolean)).toEqual([])
  const known = ['Root cause: config file not found', 'It was fixed by a retry', '原因は古いキャッシュ']
  known.push('Root cause was an unknown column in the query', '原因: 不明な列の参照')
  expect(known.map(causeOf)).toEqual(known)
})

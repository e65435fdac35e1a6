// What the assistant decided and why, from its answers, commits and approved plans.
import { expect, test } from 'vitest'
import { DEFAULT_POLICY } from '../../src/broker/policy/activePolicy.ts'
import type { Memory } from '../../src/model/memory.ts'
import { organizeSession } from '../../src/organize/organizeSession.ts'
import { buildMemoryMap, type ExampleSession, exampleSession, recordEvents, sessionId } from '../testData.ts'

const decisionsOf = (session: ExampleSession, ...known: Memory[]): Memory[] =>
  organizeSession(
    { session: sessionId(session.session), events: recordEvents(session.recorded) },
    buildMemoryMap(...known),
    DEFAULT_POLICY,
  ).filter(({ statement }) => statement?.origin === 'assistant')

test('organize: a decision with its reason is kept, about the files edited in its task', () => {
  const chosen = 'I used integers instead of floats because cents must add up.'
  const session = exampleSession().asks('Fix the tax.').edits('src/tax.js').answers(`Done. ${chosen}`).ends()
  expect(decisionsOf(session)).toMatchObject([
    {
      kind: 'decision',
      content: chosen,
      files: ['src/tax.js'],
      tags: ['assistant'],
      trust: 'tools',
      statement: {
        scope: 'file',
        strength: 2,
        short: 'I used integers instead of floats',
        reason: 'cents must add up',
      },
    },
  ])
})

test('organize: a decision in Japanese is kept with its reason', () => {
  const text = '依存を増やさないため、axios ではなく fetch を使いました。'
  const session = exampleSession().asks('通信を直して。').edits('src/api.js').answers(text).ends()
  expect(decisionsOf(session)).toMatchObject([{ statement: { reason: '依存を増やさない', strength: 2 } }])
})

test('organize: a decision is about the file that it names, or into which its names were written', () => {
  const session = exampleSession()
    .asks('Split it.')
    .edits('src/tax.js', 'const roundCents = 1')
    .edits('src/cart.js', 'const total = 2')
    .answers('I kept `cart.js` since the shop imports it. I moved `roundCents()` so that every module can use it.')
    .ends()
  const found = decisionsOf(session)
  expect(found.map(({ files }) => files)).toEqual([['src/cart.js'], ['src/tax.js']])
})

test('organize: without edited files, or with too many of them, nothing is kept', () => {
  const chosen = 'I used integers instead of floats because cents must add up.'
  expect(decisionsOf(exampleSession().asks('Why?').answers(chosen).ends())).toEqual([])
  const many = exampleSession().asks('Rewrite it.')
  for (let i = 0; i < 8; i++) many.edits(`src/file-${i}.js`)
  expect(decisionsOf(many.answers(chosen).ends())).toEqual([])
})

test('organize: of many decisions in a task two are kept, those with an alternative first', () => {
  const kept = ['one', 'two', 'three'].map((name) => `I kept ${name} as it is because scripts call it.`)
  const text = [...kept, 'I used integers instead of floats because cents must add up.'].join(' ')
  const session = exampleSession().asks('Fix it.').edits('src/tax.js').answers(text).ends()
  expect(decisionsOf(session).map(({ content }) => content)).toEqual([
    'I used integers instead of floats because cents must add up.',
    kept[0],
  ])
})

test('organize: the body of a commit message is read too', () => {
  const message = 'Round down\n\nRemove the float helper so users get\nthe same total on every page.'
  const session = exampleSession()
    .asks('Commit it.')
    .edits('src/tax.js')
    .runs(`git add -A && git commit -m "$(cat <<'EOF'\n${message}\nEOF\n)"`, '[main 1a2b3c4] Round down')
    .ends()
  expect(decisionsOf(session)).toMatchObject([
    { statement: { short: 'Remove the float helper', reason: 'users get the same total on every page' } },
  ])
})

test('organize: an approved plan is a decision about the files edited for it, a rejected one is none', () => {
  const plan = '# Plan: Totals in cents\n\n## Problem\n\nFloats lose a cent. More.\n\n## Steps\n\n1. Edit `src/tax.js`'
  const approved = exampleSession()
    .asks('Plan it.')
    .calls('ExitPlanMode', { plan })
    .edits('src/tax.js')
    .edits('docs/other.md')
    .ends()
  expect(decisionsOf(approved)).toMatchObject([
    {
      content: 'Plan: Totals in cents. Floats lose a cent.',
      files: ['src/tax.js'],
      statement: { strength: 2, short: 'Totals in cents', reason: 'Floats lose a cent.' },
    },
  ])
  const rejected = exampleSession()
    .asks('Plan it.')
    .tells('PostToolUseFailure', {
      tool_name: 'ExitPlanMode',
      tool_input: { plan },
      tool_use_id: 'plan',
      error: "The user doesn't want to proceed with this tool use.",
    })
    .edits('src/tax.js')
    .ends()
  expect(decisionsOf(rejected)).toEqual([])
})

// Which task a session's memories belong to: the issue of the prompt, the task list, the branch, or the task before.
import { expect, test } from 'vitest'
import { DEFAULT_POLICY } from '../../src/broker/policy/activePolicy.ts'
import type { Memory } from '../../src/model/memory.ts'
import { organizeSession } from '../../src/organize/organizeSession.ts'
import { BEGIN, DAY, type ExampleSession, exampleSession, recordEvents, sessionId } from '../testData.ts'

const organize = ({ session, recorded }: ExampleSession): Memory[] =>
  organizeSession({ session: sessionId(session), events: recordEvents(recorded) }, new Map(), DEFAULT_POLICY)

const tasksOf = (session: ExampleSession, kind: Memory['kind'] = 'experience'): (string | undefined)[] =>
  organize(session.ends())
    .filter((memory) => memory.kind === kind)
    .map(({ taskId }) => taskId)

test('organize: work on one issue has the same task in each session and on each branch', () => {
  const inPrompt = exampleSession('one').asks('Fix the rounding of #42.').edits('src/cart.js')
  const inBranch = exampleSession('two', BEGIN + DAY)
    .asks('Fix the rounding.', 'feature/42-rounding')
    .edits('src/tax.js')
  const inAddress = exampleSession('three', BEGIN + DAY)
    .asks('Do https://github.com/a/shop/issues/42 now')
    .runs('ls')
  for (const session of [inPrompt, inBranch, inAddress]) expect(tasksOf(session)).toEqual(['#42'])
})

test('organize: the prompt counts before the branch, and a short reply belongs to the task before it', () => {
  const session = exampleSession()
    .asks('Fix the rounding.', 'ABC-12-rounding')
    .edits('src/cart.js')
    .asks('First look at ABC-7, which blocks it.', 'ABC-12-rounding')
    .edits('src/tax.js')
    .asks('and rename the file, please', 'main')
    .edits('src/new.js')
    .asks('Now something quite different: write a page about the release.', 'main')
    .edits('docs/release.md')
  expect(tasksOf(session)).toEqual(['ABC-12', 'ABC-7', 'ABC-7', 'session-one-prompt-4'])
})

test('organize: the task list names the task: its issue, or its text', () => {
  const todo = (content: string, status = 'in_progress') => ({ todos: [{ content, status }] })
  const texts = exampleSession('one').asks('Go on with the list, one after the other, please.')
  expect(tasksOf(texts.calls('TodoWrite', todo('Round half up.')))).toEqual(['task: round half up'])
  const issue = exampleSession('two').asks('Go on with the list, one after the other, please.')
  expect(tasksOf(issue.calls('TodoWrite', todo('Fix #42')).calls('TodoWrite', todo('Fix #42', 'completed')))).toEqual([
    '#42',
  ])
  const tools = exampleSession('three').asks('Go on with the list, one after the other, please.')
  tools.calls('TaskCreate', { subject: 'Round half up' }, 'Task #1 created successfully: Round half up')
  tools.calls('TaskUpdate', { taskId: '1', status: 'in_progress' })
  expect(tasksOf(tools)).toEqual(['task: round half up'])
})

test('organize: a summary belongs to the task of most prompts, a lesson to the task in which it was learned', () => {
  const error = "Exit code 1\nError: Cannot find module '../dist/prices.json'"
  const session = exampleSession()
    .asks('Fix #42: the tests fail.')
    .fails('npm test', error)
    .runs('npm run build:prices')
    .runs('npm test')
    .asks('Write the page of #42 as well.')
    .edits('docs/tax.md')
    .asks('Then look at #43 and add the test.')
    .edits('test/tax.test.js')
  expect(tasksOf(session, 'summary')).toEqual(['#42'])
  expect(tasksOf(session, 'lesson')).toEqual(['#42'])
})

test('organize: without any reference a task is its prompt, and a summary has none', () => {
  const session = exampleSession().asks('Use #fff as the colour, in UTF-8, please.').edits('src/style.css')
  expect([...tasksOf(session), ...tasksOf(session, 'summary')]).toEqual(['session-one-prompt-1', undefined])
})

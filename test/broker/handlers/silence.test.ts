// Silence: at a prompt without a subject nothing is injected and no index is read; the prompt is recorded all the same.
import { expect, test } from 'vitest'
import { replaySessions } from '../../../bench/fixture/replaySessions.ts'
import { commitEvents, systemEvent } from '../../../src/broker/commit/commitEvents.ts'
import { runMaintenance } from '../../../src/broker/maintenance/maintenance.ts'
import type { Store } from '../../../src/broker/open/openStore.ts'
import { listMemories } from '../../../src/broker/queries/browse.ts'
import { type Files, realDisk } from '../../../src/store/disk/files.ts'
import { readLog } from '../../../src/store/log/readLog.ts'
import { BEGIN, createTestStore, DAY, exampleSession, runHookPayloads } from '../../testData.ts'

const ERROR = "Exit code 1\nError: Cannot find module '../dist/prices.json'"
const TASK = 'Why does npm test fail after I have cleaned the dist folder of the shop?'

let read: string[] = []
const watching: Files = {
  ...realDisk,
  open(file) {
    read.push(file)
    return realDisk.open(file)
  },
}

/** A store whose first session has fixed a failure. */
function storeWithLesson(): Store {
  const store = createTestStore(watching)
  const first = exampleSession('first', BEGIN)
    .starts()
    .asks(TASK)
    .fails('npm test', ERROR)
    .runs('npm run build:prices')
    .runs('npm test')
    .answers('The prices were not built. Now the tests pass.')
    .ends()
  replaySessions(store, [first.recorded])
  return store
}

const promptOutput = (store: Store, prompt: string, day: number) => {
  const session = exampleSession(`later-${day}`, BEGIN + day * DAY).asks(prompt)
  read = []
  const [output] = runHookPayloads(store, session.recorded)
  return output?.context ?? ''
}

test('silence: a reply or a commit in any language is recorded, and no index is read for it', () => {
  const store = storeWithLesson()
  const replies = [
    'yes',
    '2',
    'continue',
    'commit and push',
    '続けて',
    'コミットして',
    'weiter',
    'oui',
    'sigue',
    '继续',
  ]
  replies.forEach((reply, i) => {
    expect(promptOutput(store, reply, i + 2), reply).toBe('')
    expect(read.filter((file) => file.includes('/segments/'))).toEqual([])
  })
  promptOutput(store, 'Where does the shop keep the prices of its products?', 20)
  expect(read.filter((file) => file.includes('/segments/'))).not.toEqual([])
  const prompts = readLog(realDisk, store.layout.events).events.flatMap((event) =>
    event.kind === 'prompt' ? [event.text] : [],
  )
  expect(prompts.slice(0, -1)).toEqual([TASK, ...replies])
})

test('silence: a prompt that repeats an earlier one is shown what that task came to', () => {
  const context = promptOutput(storeWithLesson(), TASK, 2)
  expect(context).toContain('The prices were not built')
  expect(context.match(/^- /gm)).toHaveLength(1)
})

test('silence: at another prompt the task is shown only if somebody has pinned it', () => {
  const store = storeWithLesson()
  const prompt = 'Which npm script cleans the dist folder of the shop after a test?'
  expect(promptOutput(store, prompt, 2)).toBe('')
  const task = listMemories(store, { kinds: ['experience'] })[0]!
  const pin = { kind: 'memory.scored', memory: task.id, score: 1, previous: task.importance, reason: 'asked' } as const
  commitEvents(store, [systemEvent(pin, { now: BEGIN + 3 * DAY })])
  runMaintenance(store, { now: BEGIN + 3 * DAY })
  expect(promptOutput(store, prompt, 4)).toContain('The prices were not built')
})

test('silence: a pasted error is shown its fix, with an English or a Japanese question', () => {
  for (const question of ['What does this mean?', 'これは何ですか？']) {
    const context = promptOutput(storeWithLesson(), `${question}\n${ERROR}`, 2)
    expect(context, question).toContain('npm run build:prices')
    expect(context.match(/^- /gm)).toHaveLength(1)
  }
})

test('silence: the fix is shown once in a conversation, at the call or at its failure', () => {
  const store = storeWithLesson()
  const session = exampleSession('later', BEGIN + 2 * DAY)
    .starts()
    .fails('npm test', ERROR)
    .fails('npm test', ERROR)
  const texts = runHookPayloads(store, session.recorded).flatMap(({ context }) => context ?? [])
  expect(texts.join('\n').match(/npm run build:prices/g)).toHaveLength(1)
})

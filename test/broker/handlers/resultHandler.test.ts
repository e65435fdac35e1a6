// A failure whose exit status a pipe has hidden: the client calls it a success, and its fix is shown all the same.
import { expect, test } from 'vitest'
import { replaySessions } from '../../../bench/fixture/replaySessions.ts'
import type { Store } from '../../../src/broker/open/openStore.ts'
import { realDisk } from '../../../src/store/disk/files.ts'
import { readLog } from '../../../src/store/log/readLog.ts'
import { BEGIN, createTestStore, DAY, exampleSession, ROOT, runHookPayloads } from '../../testData.ts'

const OUTPUT = "Error: Cannot find module '../dist/prices.json'\n    at require (node:internal)"

/** A store whose first session has fixed a failure. */
function storeWithFix(): Store {
  const store = createTestStore()
  const first = exampleSession('first', BEGIN)
    .starts()
    .asks('Why do the tests of the shop fail?')
    .fails('npm test', `Exit code 1\n${OUTPUT}`)
    .runs('npm run build:prices')
    .runs('npm test')
    .ends()
  replaySessions(store, [first.recorded])
  return store
}

/** What the hook of the last payload injects. */
const noteBeside = (store: Store, command: string, output: string): string | undefined => {
  const session = exampleSession('later', BEGIN + 2 * DAY).runs(command, output)
  return runHookPayloads(store, session.recorded.slice(-1))[0]?.context
}

test('hidden failure: the fix is shown beside the result of a call whose pipe hid the failure', () => {
  const store = storeWithFix()
  const note = noteBeside(store, 'npm test -- --silent | tail -20', OUTPUT)
  expect(note).toContain('Run `npm run build:prices` before `npm test`')
  const recalled = readLog(realDisk, store.layout.events).events.filter(({ kind }) => kind === 'recalled')
  expect(recalled).toMatchObject([{ moment: 'failure', session: 'later' }])
})

test('hidden failure: it is shown once in a conversation', () => {
  const store = storeWithFix()
  expect(noteBeside(store, 'npm test | tail -20', OUTPUT)).toBeDefined()
  expect(noteBeside(store, 'npm test | tail -5', OUTPUT)).toBeUndefined()
})

test('hidden failure: a call that passed, reads a log, or whose status counts has no note', () => {
  const store = storeWithFix()
  expect(noteBeside(store, 'npm test | tail -20', '12 tests passed')).toBeUndefined()
  expect(noteBeside(store, 'cat build.log | head', OUTPUT)).toBeUndefined()
  expect(noteBeside(store, 'npm test', OUTPUT)).toBeUndefined()
})

test('hidden failure: an output without a known form of an error is compared with the failures that are known', () => {
  const error = 'pattern ./...: directory prefix . does not contain main module or its selected dependencies'
  const store = createTestStore()
  // A folder that helped once may have been chance.
  const sessions = ['first', 'second'].map((name, day) =>
    exampleSession(name, BEGIN + (day * DAY) / 2)
      .starts()
      .asks('Why does the build of the shop fail?')
      .fails('go build ./...', `Exit code 1\n${error}`)
      .runs(`cd ${ROOT}/src && go build ./...`)
      .ends(),
  )
  replaySessions(
    store,
    sessions.map(({ recorded }) => recorded),
  )
  expect(
    noteBeside(store, 'go build ./... 2>&1 | tail -50', 'cart.go:3: cannot use x as y in argument'),
  ).toBeUndefined()
  expect(noteBeside(store, 'cat notes.txt | tail -50', error)).toBeUndefined()
  expect(noteBeside(store, 'go build ./... 2>&1 | tail -50', error)).toContain('/src`')
})

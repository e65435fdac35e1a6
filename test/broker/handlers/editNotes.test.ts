// An edit tells which commands will follow: it is shown what sessions with such edits have met.
import { expect, test } from 'vitest'
import { replaySessions } from '../../../bench/fixture/replaySessions.ts'
import type { Store } from '../../../src/broker/open/openStore.ts'
import { BEGIN, createTestStore, DAY, exampleSession, ROOT, runHookPayloads } from '../../testData.ts'

/** A store whose sessions have edited a page each, and found how its check passes. */
function storeWithCheck(): Store {
  const store = createTestStore()
  const sessions = ['codes', 'returns'].map((page, day) =>
    exampleSession(page, BEGIN + (day * DAY) / 2)
      .starts()
      .asks(`Describe the ${page} in the manual.`)
      .edits(`docs/manual/${page}.md`, 'A code is six letters.')
      .fails('npm run check:links', "Exit code 1\nError: Cannot find module '../dist/pages.json'")
      .runs('npm run build:pages')
      .runs('npm run check:links')
      .ends(),
  )
  replaySessions(
    store,
    sessions.map(({ recorded }) => recorded),
  )
  return store
}

/** What the hook before an edit injects, one for each file of one conversation that was shown nothing at its start. */
function notesBefore(store: Store, ...files: string[]): (string | undefined)[] {
  return files.map((file, i) => {
    const session = exampleSession('later', BEGIN + 2 * DAY + i).tells('PreToolUse', {
      tool_name: 'Edit',
      tool_input: { file_path: `${ROOT}/${file}`, old_string: 'a', new_string: 'b' },
      tool_use_id: `edit-${i}`,
    })
    return runHookPayloads(store, session.recorded.slice(-1))[0]?.context
  })
}

test('edit: a file like those of earlier sessions brings what these met, once in a conversation', () => {
  const [first, again] = notesBefore(storeWithCheck(), 'docs/manual/orders.md', 'docs/manual/codes.md')
  expect(first).toContain('Run `npm run build:pages` before `npm run check:links`')
  expect(again).toBeUndefined()
})

test('edit: a file that no session edited anything like brings nothing', () => {
  expect(notesBefore(storeWithCheck(), 'lib/price.ts')).toEqual([undefined])
})

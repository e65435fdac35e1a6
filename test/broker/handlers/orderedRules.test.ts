// What a person wants at the call that would break it: also after a start that showed it, once; and not if the order
// that it asks for was kept.
import { expect, test } from 'vitest'
import { openLiveStore } from '../../../src/broker/live/liveStore.ts'
import { runMaintenance } from '../../../src/broker/maintenance/maintenance.ts'
import type { Store } from '../../../src/broker/open/openStore.ts'
import { buildEntry } from '../../knowledge/knowledgeData.ts'
import { BEGIN, createTestStore, DAY, exampleSession, ROOT, runHookPayloads } from '../../testData.ts'

function storeWithRule(): Store {
  const store = createTestStore()
  const memory = buildEntry(1, {
    type: 'rule',
    author: 'person',
    state: 'standing',
    asked: true,
    line: 'Run `npm run lint` before you commit',
    when: [{ at: 'call', tool: 'Bash', has: ['git commit'], unless: ['npm run lint'] }],
  })
  openLiveStore(store).commit({ kind: 'memory.stored', memory }, { now: BEGIN, nonce: 'rule', session: undefined })
  runMaintenance(store, { now: BEGIN })
  return store
}

/** What the hook before a commit injects after these commands. */
function noteAtCommit(...commands: readonly string[]): string | undefined {
  const session = exampleSession('later', BEGIN + DAY).starts()
  for (const command of commands) session.runs(command)
  session.tells('PreToolUse', {
    tool_name: 'Bash',
    tool_input: { command: 'git commit -m "fix"' },
    tool_use_id: 'commit',
  })
  // Without the start, which shows the rule too.
  return runHookPayloads(storeWithRule(), session.recorded.slice(1), ROOT).at(-1)?.context
}

test('ordered rules: the rule comes at the commit, and not if the linter has run', () => {
  expect(noteAtCommit('npm test')).toContain('before you commit')
  expect(noteAtCommit('npm run lint', 'git status')).toBeUndefined()
})

test('ordered rules: the command that breaks a rule repeats it once, although the start has shown it', () => {
  const session = exampleSession('later', BEGIN + DAY).starts()
  for (const call of ['one', 'two'])
    session.tells('PreToolUse', {
      tool_name: 'Bash',
      tool_input: { command: `git commit -m ${call}` },
      tool_use_id: call,
    })
  const [start, first, second] = runHookPayloads(storeWithRule(), session.recorded, ROOT).map(({ context }) => context)
  expect(start).toContain('before you commit')
  expect(first).toContain('before you commit')
  expect(second).toBeUndefined()
})

// What is known to fail is shown when it does: a note before a call would be read after it.
import { expect, test } from 'vitest'
import { openLiveStore } from '../../../src/broker/live/liveStore.ts'
import { runMaintenance } from '../../../src/broker/maintenance/maintenance.ts'
import type { Store } from '../../../src/broker/open/openStore.ts'
import { buildEntry } from '../../knowledge/knowledgeData.ts'
import { BEGIN, createTestStore, DAY, exampleSession, ROOT, runHookPayloads } from '../../testData.ts'

function storeWith(type: 'lesson' | 'decision'): Store {
  const store = createTestStore()
  const memory = buildEntry(1, {
    type,
    author: 'model',
    state: 'standing',
    quote: 'close the scanner first',
    line: 'Close the scanner before `make audit`: it locks the report',
    when: [
      { at: 'call', tool: 'Bash', has: ['make audit'] },
      { at: 'call', tool: 'Edit', has: ['audit.mk'] },
    ],
  })
  openLiveStore(store).commit({ kind: 'memory.stored', memory }, { now: BEGIN, nonce: 'lesson', session: undefined })
  runMaintenance(store, { now: BEGIN })
  return store
}

const noteAt = (
  event: string,
  tool: string,
  input: object,
  more: object = {},
  type: 'lesson' | 'decision' = 'lesson',
) =>
  runHookPayloads(
    storeWith(type),
    exampleSession('later', BEGIN + DAY).tells(event, { tool_name: tool, tool_input: input, tool_use_id: 't', ...more })
      .recorded,
    ROOT,
  ).at(-1)?.context

test('known failures: a lesson about a command comes when it fails, and about an edit before it', () => {
  const command = { command: 'make audit' }
  expect(noteAt('PreToolUse', 'Bash', command)).toBeUndefined()
  expect(noteAt('PostToolUseFailure', 'Bash', command, { error: 'Exit code 2\nlocked' })).toContain('Close the scanner')
  const edit = { file_path: `${ROOT}/audit.mk`, old_string: 'a', new_string: 'b' }
  expect(noteAt('PreToolUse', 'Edit', edit)).toContain('Close the scanner')
})

test('known failures: what a person wants is due before a call, not at its failure', () => {
  const edit = { file_path: `${ROOT}/audit.mk`, old_string: 'a', new_string: 'b' }
  expect(noteAt('PreToolUse', 'Edit', edit, {}, 'decision')).toContain('Close the scanner')
  const refused = { error: 'PreToolUse:Edit hook error: [a.py]: Notes start with a date' }
  expect(noteAt('PostToolUseFailure', 'Edit', edit, refused, 'decision')).toBeUndefined()
})

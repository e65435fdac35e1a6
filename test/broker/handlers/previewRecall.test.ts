// The preview of a recall: the text of the hook byte for byte at every moment, and nothing written.
import fs from 'node:fs'
import { beforeAll, expect, test } from 'vitest'
import { replaySessions } from '../../../bench/fixture/replaySessions.ts'
import { systemEvent } from '../../../src/broker/commit/commitEvents.ts'
import type { HookOutput } from '../../../src/broker/handlers/hookContext.ts'
import { type HookMoment, type PreviewRequest, previewRecall } from '../../../src/broker/handlers/previewRecall.ts'
import { runMaintenance } from '../../../src/broker/maintenance/maintenance.ts'
import { openStoreAt, type Store } from '../../../src/broker/open/openStore.ts'
import { appendEvents } from '../../../src/store/log/eventLog.ts'
import { newFolder } from '../../tempFolders.ts'
import {
  BEGIN,
  createTestStore,
  DAY,
  type ExampleSession,
  exampleSession,
  ROOT,
  runHookPayloads,
} from '../../testData.ts'

const ERROR = "Exit code 1\nError: Cannot find module '../dist/prices.json'"
const TASK = 'Why does npm test fail after I have cleaned the dist folder of the shop?'
const PROMPT = "npm test says: Error: Cannot find module '../dist/prices.json'. What is missing?"
const NOW = BEGIN + 10 * DAY

let store: Store

beforeAll(() => {
  store = createTestStore()
  // Else the hook would withhold some of these recalls, by their ids.
  const all = { kind: 'policy.chosen', name: 'all', values: { 'recall.withholdShare': 0 } } as const
  appendEvents(store.files, store.layout.events, [systemEvent(all, { now: BEGIN - 1 })])
  runMaintenance(store, { now: BEGIN })
  const sessions = [0, 1, 2].map((i) =>
    exampleSession(`early-${i}`, BEGIN + i * DAY)
      .starts()
      .asks(
        i === 0
          ? `${TASK} From now on, keep your answers short. Never run \`npm publish\`.`
          : '価格のテストが落ちる理由を調べて、直してください。',
      )
      .fails('npm test', ERROR)
      .runs('npm run build:prices')
      .runs('npm test')
      .fails('biome check --apply src', "error: unexpected argument '--apply' found")
      .runs('biome check --write src')
      .sends('reviewer', `agent-${i}`, (agent) => agent.runs('ls'), 'Lessons: prices are integer cents.')
      .answers('The prices were not built. Now the tests pass.')
      .ends(),
  )
  replaySessions(
    store,
    sessions.map(({ recorded }) => recorded),
  )
})

/** The output of the last hook of a session, in a copy of the store. */
function lastOutput(session: ExampleSession): HookOutput {
  const folder = newFolder('hook')
  fs.cpSync(store.layout.folder, folder, { recursive: true })
  return runHookPayloads(openStoreAt(folder, ROOT), session.recorded).at(-1) ?? {}
}

const later = (): ExampleSession => exampleSession('preview', NOW)
const preview = (moment: HookMoment, request: Partial<PreviewRequest> = {}) =>
  previewRecall(store, { moment, text: '', branch: 'main', now: NOW, ...request })

const calls = (tool: string, input: Record<string, unknown>) => ({
  tool_name: tool,
  tool_input: input,
  tool_use_id: 'call',
})

const MOMENTS: readonly [HookMoment, Partial<PreviewRequest>, () => ExampleSession][] = [
  ['start', {}, () => later().starts()],
  ['prompt', { text: PROMPT }, () => later().asks(PROMPT)],
  [
    'call',
    { command: 'npm publish' },
    () => later().tells('PreToolUse', { git_branch: 'main', ...calls('Bash', { command: 'npm publish' }) }),
  ],
  [
    'failure',
    { command: 'npm test', error: ERROR },
    () =>
      later().tells('PostToolUseFailure', {
        git_branch: 'main',
        ...calls('Bash', { command: 'npm test' }),
        error: ERROR,
        is_interrupt: false,
      }),
  ],
  [
    'agent',
    { text: TASK, role: 'reviewer' },
    () =>
      later()
        .tells('PreToolUse', calls('Agent', { prompt: TASK, subagent_type: 'reviewer' }))
        .tells('SubagentStart', { git_branch: 'main', agent_id: 'a', agent_type: 'reviewer' }),
  ],
]

test.each(MOMENTS)(
  'preview: at the moment %s it is the text of the hook, byte for byte',
  (moment, request, session) => {
    const { context, message } = lastOutput(session())
    const result = preview(moment, request)
    expect(context).toBeTruthy()
    expect(result.text).toBe(context)
    expect(result.message).toBe(message)
    expect(result.shown.length).toBeGreaterThan(0)
  },
)

test('preview: with the role main it is that of the main thread', () => {
  const asMain = preview('prompt', { text: PROMPT, role: 'main' })
  expect(asMain).toEqual(preview('prompt', { text: PROMPT }))
  expect(asMain).not.toEqual(preview('prompt', { text: PROMPT, role: 'reviewer' }))
})

test('preview: nothing is written, whatever the moment', () => {
  const before = snapshotFiles()
  for (const [moment, request] of MOMENTS) preview(moment, request)
  expect(snapshotFiles()).toEqual(before)
})

test('preview: a second window of a session that was shown a note does not show it again', () => {
  const folder = newFolder('shown')
  fs.cpSync(store.layout.folder, folder, { recursive: true })
  const copy = openStoreAt(folder, ROOT)
  const session = exampleSession('open', NOW).asks(PROMPT)
  const [output] = runHookPayloads(copy, session.recorded)
  expect(output?.context).toContain('npm run build:prices')
  const again = previewRecall(copy, { moment: 'prompt', text: PROMPT, session: 'open', now: NOW + 1 })
  expect(again.text).toBe('')
})

test('preview: a prompt that is no task says by which rule nothing is searched, in English and Japanese', () => {
  expect(preview('prompt', { text: 'yes' })).toMatchObject({ text: '', silent: 'the prompt is no task (reply)' })
  expect(preview('prompt', { text: '続けて' }).silent).toContain('no task')
  expect(preview('prompt', { text: PROMPT }).silent).toBeUndefined()
})

test('preview: with a limit of notes the text is the shorter one', () => {
  const all = preview('prompt', { text: TASK })
  const one = preview('prompt', { text: TASK, topK: 1 })
  expect(all.shown.length).toBeGreaterThanOrEqual(one.shown.length)
  expect(one.shown.length).toBeLessThanOrEqual(1)
})

test('preview: a call needs a command, a file or a tool', () => {
  expect(() => preview('call')).toThrowError(expect.objectContaining({ code: 'USAGE' }))
})

/** Every file of the store with its content. */
const snapshotFiles = (): Record<string, string> =>
  Object.fromEntries(
    fs
      .readdirSync(store.layout.folder, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => `${entry.parentPath}/${entry.name}`)
      .map((file) => [file, fs.readFileSync(file, 'latin1')]),
  )

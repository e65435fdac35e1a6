// What the person refuses: commands to ask about first, and the step that they want to come first.
import { expect, test } from 'vitest'
import { DEFAULT_POLICY } from '../../../src/broker/policy/activePolicy.ts'
import { isCallResult } from '../../../src/model/event.ts'
import type { MemoryId } from '../../../src/model/id.ts'
import type { Memory } from '../../../src/model/memory.ts'
import { splitTasks } from '../../../src/model/sessionTask.ts'
import type { FactSighting, SessionEvidence } from '../../../src/organize/facts/factSighting.ts'
import { detectRejectionFacts } from '../../../src/organize/facts/rejectionFacts.ts'
import { updateFacts } from '../../../src/organize/updateFacts.ts'
import { BEGIN, DAY, type ExampleSession, exampleSession, ROOT, recordEvents } from '../../testData.ts'

const REFUSED =
  "The user doesn't want to proceed with this tool use. The tool use was rejected (eg. if it was a file edit, " +
  'the new_string was NOT written to the file).'
const refusal = (reason?: string): string =>
  reason === undefined
    ? `${REFUSED} STOP what you are doing and wait for the user to tell you how to proceed.`
    : `${REFUSED} To tell you how to proceed, the user said:\n${reason}`

function evidenceOf(session: ExampleSession): SessionEvidence {
  const events = recordEvents(session.recorded)
  const branch = events.find((event) => event.kind === 'session.started')?.branch
  return { session: session.session, branch, events, tasks: splitTasks(events), calls: events.filter(isCallResult) }
}

const detect = (session: ExampleSession): readonly FactSighting[] => detectRejectionFacts(evidenceOf(session))

/** A session in which an edit was refused. */
const editRefused = (reason: string): ExampleSession =>
  exampleSession()
    .starts()
    .tells('PostToolUseFailure', {
      tool_name: 'Edit',
      tool_use_id: 'edit-1',
      tool_input: { file_path: `${ROOT}/src/till.ts`, old_string: 'a', new_string: 'b' },
      error: refusal(reason),
    })

test('facts: a command that the person forbids is one to ask about, with their words', () => {
  const [fact] = detect(exampleSession().fails('npm publish --tag next', refusal("no, don't publish from here")))
  expect(fact).toMatchObject({
    topic: 'rejection',
    remedy: 'ask before `npm publish --tag`',
    claim: `the person rejected \`npm publish --tag\`: "no, don't publish from here"`,
    triggers: [{ command: 'npm publish', parts: ['--tag'] }],
  })
})

test('facts: a command that the person forbids in Japanese is one to ask about', () => {
  const [fact] = detect(exampleSession().fails('git push', refusal('まだプッシュしないで')))
  expect(fact).toMatchObject({ remedy: 'ask before `git push`', triggers: [{ command: 'git push' }] })
  expect(fact?.claim).toContain('まだプッシュしないで')
})

test('facts: without a reason only a check or a change of git counts, and only if it was not accepted as well', () => {
  expect(detect(exampleSession().fails('npm run test:e2e', refusal()))).toMatchObject([
    { remedy: 'ask before `npm run test:e2e`' },
  ])
  expect(detect(exampleSession().fails('ls -la dist', refusal()))).toEqual([])
  expect(detect(exampleSession().runs('npm run test:e2e').fails('npm run test:e2e', refusal()))).toEqual([])
})

test('facts: a question about the code refuses neither the command nor the edit', () => {
  expect(detect(exampleSession().fails('git commit -m "Add totals"', refusal('does it round half up?')))).toEqual([])
  expect(detect(editRefused('can we use a map here?'))).toEqual([])
})

test('facts: the check that a reason names comes before a commit, as the session runs it', () => {
  for (const reason of ['run the linter first', 'lint first please', 'what does lint say?']) {
    const [fact] = detect(exampleSession().runs('npm run lint').fails('git push', refusal(reason)))
    expect(fact, reason).toMatchObject({ topic: 'order', remedy: 'run `npm run lint` before commit, push or rebase' })
  }
  const [fact] = detect(exampleSession().fails('git commit -m x', refusal('先にテストを実行して')))
  expect(fact?.remedy).toBe('check テスト before commit, push or rebase')
})

test('facts: a branch or a discussion that the person wants comes before an edit', () => {
  expect(detect(editRefused("let's create a branch first"))).toMatchObject([
    { topic: 'order', remedy: 'create a branch before editing on `main`', triggers: [] },
  ])
  for (const reason of ["wait, let's discuss", 'hold on, explain this first', 'ちょっと待って、相談したい']) {
    expect(detect(editRefused(reason)), reason).toMatchObject([{ remedy: 'discuss the change before editing' }])
  }
})

test('facts: documents that the person does not want in the repository stay out of commits', () => {
  const [fact] = detect(
    exampleSession().fails('git add notes/plans/totals.md && git commit -m "Plan"', refusal("don't check this in")),
  )
  expect(fact).toMatchObject({
    remedy: 'do not commit `notes/plans/` unasked',
  })
  expect(fact?.triggers).toContainEqual({ command: 'git add', parts: ['notes/plans/'] })
  expect(fact?.triggers).toContainEqual({ command: 'git add -A' })
})

test('facts: the arguments that the person corrected are those of the call that they accepted', () => {
  const tool = 'mcp__tickets__create'
  const [fact] = detect(
    exampleSession()
      .tells('PostToolUseFailure', {
        tool_name: tool,
        tool_use_id: 'ticket-1',
        tool_input: { title: 'Totals', team: 'Web' },
        error: refusal('our team is called Till'),
      })
      .calls(tool, { title: 'Totals', team: 'Till' }),
  )
  expect(fact).toMatchObject({ remedy: `pass \`team: Till\` to \`${tool}\``, triggers: [{ tools: [tool] }] })
})

test('facts: a command that runs unasked in later sessions is none to ask about, unless a prompt asked for it', () => {
  const known = new Map<MemoryId, Memory>()
  const organize = (session: ExampleSession): Memory[] => {
    const changed = updateFacts(evidenceOf(session), known, DEFAULT_POLICY.facts)
    for (const memory of changed) known.set(memory.id, memory)
    return changed
  }
  const session = (day: number): ExampleSession => exampleSession(`session-${day}`, BEGIN + day * DAY).starts()
  organize(session(0).asks('add totals').fails('git push', refusal('never push for me')))
  organize(session(1).asks('commit and push this').runs('git push'))
  expect([...known.values()].map(({ fact }) => fact?.refutations)).toEqual([0])
  for (let day = 2; day < 2 + DEFAULT_POLICY.facts.retireAfter; day++)
    organize(session(day).asks('add a discount').runs('git push'))
  expect([...known.values()].map(({ fact }) => fact?.state)).toEqual(['retired'])
})

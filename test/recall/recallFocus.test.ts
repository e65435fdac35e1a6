// What a moment narrows a recall to: only the failure's own notes at a failure, only what changes the call before it.
import { describe, expect, test } from 'vitest'
import { DEFAULT_POLICY } from '../../src/broker/policy/activePolicy.ts'
import type { CallResult } from '../../src/model/event.ts'
import type { Lesson } from '../../src/model/lesson.ts'
import type { Memory } from '../../src/model/memory.ts'
import type { Policy } from '../../src/model/policy.ts'
import type { RecallQuery } from '../../src/model/recallQuery.ts'
import { focusOnCall } from '../../src/recall/callFocus.ts'
import { focusOnFailure } from '../../src/recall/failureFocus.ts'
import { focusOnPrompt } from '../../src/recall/promptFocus.ts'
import { recall } from '../../src/recall/recall.ts'
import type { RecallCandidate } from '../../src/recall/recallCandidate.ts'
import type { RecallFocus } from '../../src/recall/recallFocus.ts'
import { commandShape } from '../../src/text/command.ts'
import { buildMatch, buildMemory, buildQuery, exampleSession, recordEvents, sessionId } from '../testData.ts'

const SIGNATURE = "bash|error: cannot find module '<p>'"

const lessonMemory = (n: number, lesson: Partial<Lesson>, given: Partial<Memory> = {}): Memory => {
  const command = lesson.command ?? 'npm test'
  return buildMemory(n, {
    outcome: 'success',
    importance: 0.8,
    commandShape: commandShape(command),
    errorSignature: SIGNATURE,
    lesson: { command, error: 'Error', failedAttempts: [], calls: [], costMs: 0, falseAlarms: 0, ...lesson },
    ...given,
  })
}

const stepsFix = (kind: 'command' | 'edit', what: string) => ({ kind: 'steps', steps: [{ kind, what }] }) as const
const insteadFix = (what: string) => ({ kind: 'instead', steps: [{ kind: 'command', what }] }) as const

type LoadedCandidate = RecallCandidate & { readonly load: () => Memory }

const candidateOf = (memory: Memory, match = buildMatch({ error: 1, command: 1 })): LoadedCandidate => ({
  memory,
  match,
  load: () => memory,
})

const { recall: recallPolicy } = DEFAULT_POLICY

/** With room for four notes at a prompt. */
const POLICY: Policy = {
  ...DEFAULT_POLICY,
  recall: {
    ...recallPolicy,
    moments: { ...recallPolicy.moments, prompt: { ...recallPolicy.moments.prompt, topK: 4, budgetTokens: 500 } },
  },
}

/** The numbers of the memories that are shown. */
const shownWith = (query: RecallQuery, focus: RecallFocus, alreadyShown: readonly Memory[] = []): Memory['id'][] =>
  recall({
    query,
    candidates: focus.candidates,
    focus,
    policy: POLICY,
    alreadyShown: () => new Set(alreadyShown.map(({ id }) => id)),
  }).shown.map(({ memory }) => memory.id)

describe('recall focus at a failure', () => {
  const failure = { command: 'npm test', error: "Error: Cannot find module '../dist/prices.json'" }
  const query = buildQuery('failure', { text: failure.error, errorSignature: SIGNATURE, commandShape: 'npm test' })
  const shown = (memory: Memory, match?: LoadedCandidate['match']): number =>
    shownWith(query, focusOnFailure([candidateOf(memory, match)], query, failure)).length

  test('recall: at a failure a lesson with the same error is shown, a lesson with the same words is not', () => {
    const fix = stepsFix('command', 'npm run build:prices')
    expect(shown(lessonMemory(1, { fix }))).toBe(1)
    const other = lessonMemory(2, { fix }, { errorSignature: 'bash|error: the port is in use' })
    expect(shown(other, buildMatch({ error: 0, command: 1, files: 1 }))).toBe(0)
  })

  test('recall: at a failure another error of the same command counts only if the command was replaced', () => {
    const errorSignature = 'bash|error: unknown option'
    const match = buildMatch({ error: 0, command: 1 })
    expect(shown(lessonMemory(1, { fix: insteadFix('npm run test:unit') }, { errorSignature }), match)).toBe(1)
    expect(shown(lessonMemory(2, { fix: stepsFix('edit', 'src/cart.js') }, { errorSignature }), match)).toBe(0)
    const elsewhere = { command: 'npm run lint', fix: insteadFix('npm run test:unit') }
    expect(shown(lessonMemory(3, elsewhere, { errorSignature }), match)).toBe(0)
  })

  test('recall: at a failure edits of a file that the failure does not name are history', () => {
    expect(shown(lessonMemory(1, { fix: stepsFix('edit', 'src/cart.js') }))).toBe(0)
    expect(shown(lessonMemory(2, { fix: stepsFix('edit', 'dist/prices.json') }))).toBe(1)
  })

  test('recall: at a failure an entry is shown if it names the command or the error', () => {
    const match = buildMatch({ error: 0 })
    const entry = (n: number, content: string) => buildMemory(n, { kind: 'entry', content, importance: 1 })
    expect(shown(entry(1, 'Before `npm test` the prices must be built.'), match)).toBe(1)
    expect(shown(entry(2, 'モジュールの価格はビルド後に確認する。'), match)).toBe(0)
  })
})

describe('recall focus before a call', () => {
  const lesson = lessonMemory(1, { command: 'npm test', fix: stepsFix('command', 'npm run build:prices') })
  const shown = (command: string, calls: readonly CallResult[] = [], memory = lesson): number => {
    const query = buildQuery('call', { text: command, tool: 'Bash', commandShape: commandShape(command) })
    const history = () => ({ calls, alreadyBlocking: new Set<never>() })
    const focus = focusOnCall([candidateOf(memory, buildMatch({ command: 1 }))], query, {
      command,
      history,
      scoreMin: DEFAULT_POLICY.silence.callScoreMin,
    })
    return shownWith(query, focus).length
  }
  const callsOf = (session: ReturnType<typeof exampleSession>): CallResult[] =>
    recordEvents(session.recorded).flatMap((event) =>
      event.kind === 'call.succeeded' || event.kind === 'call.failed' ? [event] : [],
    )

  test('recall: before a call a lesson is shown whose command this call is, or begins with', () => {
    expect(shown('npm test')).toBe(1)
    expect(shown('npm test -- cart')).toBe(1)
    expect(shown('npm run lint')).toBe(0)
  })

  test('recall: before a call nothing is shown if the first step is done, or the command was run', () => {
    expect(shown('npm test', callsOf(exampleSession().runs('npm run build:prices')))).toBe(0)
    expect(shown('npm test', callsOf(exampleSession().runs('npm test')))).toBe(0)
    expect(shown('npm test', callsOf(exampleSession().runs('npm run lint')))).toBe(1)
  })

  test('recall: before a call a fix by edits or by running again changes nothing', () => {
    expect(shown('npm test', [], lessonMemory(2, { fix: stepsFix('edit', 'src/cart.js') }))).toBe(0)
    expect(shown('npm test', [], lessonMemory(3, { fix: { kind: 'again', steps: [] } }))).toBe(0)
  })

  test('recall: before a call a note on a file needs the higher score of the policy', () => {
    const query = buildQuery('call', { text: 'total', tool: 'Edit', files: ['src/cart.js'] })
    const entry = buildMemory(4, { kind: 'entry', files: ['src/cart.js'], importance: 1, content: 'Totals are cents.' })
    const shownFor = (scoreMin: number) => {
      const call = { command: '', history: () => ({ calls: [], alreadyBlocking: new Set<never>() }), scoreMin }
      return shownWith(query, focusOnCall([candidateOf(entry, buildMatch({ files: 1 }))], query, call)).length
    }
    expect(shownFor(0.6)).toBe(1)
    expect(shownFor(2)).toBe(0)
  })
})

describe('recall focus at a prompt', () => {
  const share = DEFAULT_POLICY.silence.samePromptShare
  const PROMPTS = [
    'Round the total of each order to whole cents before the receipt is printed, please',
    '注文の合計を四捨五入してから、領収書に税込みの金額を印刷するようにしてください',
  ]

  test('recall: a prompt that repeats an earlier one is shown what that task came to, and nothing else', () => {
    for (const text of PROMPTS) {
      const query = buildQuery('prompt', { text, session: sessionId('now') })
      const task = buildMemory(1, { kind: 'experience', content: `${text}\nChanged src/cart.js.` })
      const other = buildMemory(2, { importance: 1, outcome: 'success' })
      const focus = focusOnPrompt([candidateOf(other), candidateOf(task)], query, share)
      expect(shownWith(query, focus), text).toEqual([task.id])
      const changed = buildMemory(3, { kind: 'experience', content: 'Print the tax on the receipt of an order' })
      expect(focusOnPrompt([candidateOf(changed)], query, share).candidates).toHaveLength(1)
      expect(focusOnPrompt([candidateOf(changed)], query, share).limits).toBeUndefined()
    }
  })

  test('recall: a short phrase that people repeat is no repeated task', () => {
    const query = buildQuery('prompt', { text: 'Please run the tests again' })
    const task = buildMemory(1, { kind: 'experience', content: 'Please run the tests again\nAll passed.' })
    expect(focusOnPrompt([candidateOf(task)], query, share).limits).toBeUndefined()
  })

  test('recall: a prompt with a known error is shown that error alone', () => {
    const text = "What is this?\nError: Cannot find module '../dist/prices.json'"
    const query = buildQuery('prompt', { text, errorSignature: SIGNATURE })
    const known = lessonMemory(1, { fix: stepsFix('command', 'npm run build:prices') })
    const other = buildMemory(2, { importance: 1, outcome: 'success' })
    const found = [candidateOf(other, buildMatch({ error: 0 })), candidateOf(known)]
    expect(shownWith(query, focusOnPrompt(found, query, share))).toEqual([known.id])
    const unknown = focusOnPrompt([candidateOf(other, buildMatch({ error: 0 }))], query, share)
    expect(shownWith(query, unknown)).toEqual([other.id])
  })
})

describe('recall of one session', () => {
  const query = buildQuery('prompt', { text: 'the total' })
  const show = (...memories: readonly Memory[]) =>
    shownWith(query, { candidates: memories.map((memory) => candidateOf(memory)) })

  test('recall: one injection has one note of an earlier session, and everything that the person said there', () => {
    const given = { session: sessionId('earlier'), outcome: 'success' } as const
    const summary = buildMemory(1, { ...given, kind: 'summary', importance: 0.9 })
    const task = buildMemory(2, { ...given, kind: 'experience', importance: 0.8 })
    const wish = buildMemory(3, { ...given, kind: 'preference', importance: 0.7 })
    const rule = buildMemory(4, { ...given, kind: 'decision', importance: 0.6 })
    expect(show(summary, task).length).toBe(1)
    expect(show(task, wish, rule).length).toBe(3)
  })

  test('recall: two memories with the same text are one note', () => {
    const content = 'Prices are integer cents.'
    expect(
      show(buildMemory(1, { content, outcome: 'success' }), buildMemory(2, { content, outcome: 'success' })),
    ).toHaveLength(1)
  })
})

// Whether a memory was used and what it contributed, by the traces in later calls and answers.
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { type AttributedRecall, attributeRecalls, UNUSED_COST } from '../../src/improve/attribution.ts'
import { type Baselines, NO_BASELINES, updateBaselines } from '../../src/improve/baseline.ts'
import { createPeriodFinder, judgeUse, type UsageEvidence } from '../../src/improve/usageCredit.ts'
import type { Event, EventOf } from '../../src/model/event.ts'
import type { EventId } from '../../src/model/id.ts'
import type { Memory } from '../../src/model/memory.ts'
import type { RecallMoment } from '../../src/model/recallQuery.ts'
import { commandShape } from '../../src/text/command.ts'
import { errorSignature } from '../../src/text/errorSignature.ts'
import { arbitraryHistory, arbitraryMemories } from '../arbitraries.ts'
import { buildMemory, buildMemoryMap, type ExampleSession, exampleSession, iso, recordEvents } from '../testData.ts'

const ERROR = "Exit code 1\nError: Cannot find module '../dist/prices.json'"
const lesson = buildMemory(1, {
  content: "`npm test` failed: Error: Cannot find module '../dist/prices.json'\nFix: `npm run build:prices`.",
  lessons: ['Fix: `npm run build:prices`.'],
  files: ['src/prices.js'],
  commandShape: commandShape('npm test'),
  errorSignature: errorSignature('Bash', ERROR),
})

/** The use of a memory that was recalled before the first of these events, or at a place among them. */
function useOf(
  one: Memory,
  told: ExampleSession,
  { cue = 'npm test is red', moment = 'agent', at = 0 } = {},
): UsageEvidence {
  const events = recordEvents(told.recorded)
  const recall = { ...recalled(exampleSession(), moment as RecallMoment, [one]), cue }
  const before = events[at - 1]
  const own = before && 'call' in before ? { ...recall, call: before.call } : recall
  const all = [...events.slice(0, at), own, ...events.slice(at)]
  return judgeUse(one, createPeriodFinder(all)(at, own), NO_BASELINES)
}
const tracesOf = (one: Memory, told: ExampleSession, cue?: string): readonly string[] =>
  useOf(one, told, { ...(cue !== undefined && { cue }) }).traces

describe('use', () => {
  test('improve: a successful run of a command that the memory names is a trace', () => {
    expect(tracesOf(lesson, exampleSession().runs('npm run build:prices'))).toEqual(['command'])
    expect(tracesOf(lesson, exampleSession().runs('cd /home/dev/shop && npm run build:prices 2>&1'))).toEqual([
      'command',
    ])
    expect(tracesOf(lesson, exampleSession().fails('npm run build:prices', 'Error: no such script'))).toEqual([])
  })

  test('improve: running the failed command again is no trace, and passing without a rare error is none either', () => {
    expect(tracesOf(lesson, exampleSession().fails('npm test', ERROR))).toEqual([])
    expect(useOf(lesson, exampleSession().runs('npm test'))).toMatchObject({
      traces: [],
      discounted: [{ signal: 'errorGone', discounted: 'rare' }],
    })
    expect(tracesOf(lesson, exampleSession().fails('npm test', ERROR).runs('npm test'))).toEqual([])
  })

  test('improve: passing without an error that most tasks with the command meet is a trace', () => {
    const met = (told: ExampleSession) => told.asks('More.').fails('npm test', ERROR)
    const usually = (times: number, others: number) => {
      const told = exampleSession('before')
      for (let i = 0; i < times; i++) met(told)
      for (let i = 0; i < others; i++) told.asks('More.').runs('npm test')
      return updateBaselines(NO_BASELINES, recordEvents(told.recorded))
    }
    const use = (baselines: Baselines) => {
      const events = recordEvents(exampleSession().runs('npm test').recorded)
      const recall = recalled(exampleSession(), 'agent', [lesson])
      return judgeUse(lesson, createPeriodFinder([recall, ...events])(0, recall), baselines)
    }
    expect(use(usually(4, 0)).traces).toEqual([]) // Four tasks are too few.
    expect(use(usually(6, 6)).traces).toEqual(['errorGone'])
    expect(use(usually(6, 7)).traces).toEqual([])
    const [often, always] = [use(usually(6, 6)), use(usually(30, 0))]
    expect(often.evidence[0]!.chance).toBeCloseTo(0.5, 9)
    expect(often.confidence).toBeLessThan(0.1)
    expect(always.confidence).toBeGreaterThan(0.9)
  })

  test('improve: a later change of the memory’s file is a trace, only reading it is not', () => {
    expect(tracesOf(lesson, exampleSession().edits('src/prices.js'))).toEqual(['file'])
    expect(
      tracesOf(lesson, exampleSession().edits('src/cart.js').calls('Read', { file_path: 'src/prices.js' })),
    ).toEqual([])
  })

  test('improve: repeating a third of the memory’s own words is a trace, words of the query are not', () => {
    const decision = buildMemory(2, {
      kind: 'decision',
      content: 'Amounts are integer cents, rounding happens once at checkout.',
    })
    const echo = exampleSession().answers('At checkout I round, and the amounts stay cents, integer ones.')
    expect(tracesOf(decision, echo, 'add a discount')).toEqual(['words'])
    expect(tracesOf(decision, echo, decision.content)).toEqual([])
    expect(tracesOf(decision, exampleSession().answers('Done.'), 'add a discount')).toEqual([])
    const japanese = buildMemory(3, {
      kind: 'preference',
      content: '今後はコミットメッセージを日本語で書いてください。',
    })
    expect(tracesOf(japanese, exampleSession().answers('コミットメッセージを日本語で書きました。'), 'commit')).toEqual([
      'answer',
      'words',
    ])
  })

  test('improve: an answer that quotes a phrase of the memory is a trace, single words or the query’s are not', () => {
    const decision = buildMemory(2, {
      kind: 'decision',
      content:
        'Amounts are integer cents, rounding happens once at checkout. ' +
        'Receipts show the total in euro, never a fraction of it.',
    })
    const said = (text: string, cue = 'add a discount') => tracesOf(decision, exampleSession().answers(text), cue)
    expect(said('I saw that receipts show the total in euro, and left it.')).toContain('answer')
    expect(said('The total in euro: that is what receipts show.')).not.toContain('answer')
    expect(said('Receipts show the total in euro.', decision.content)).toEqual([])
    // Text that is only written to a file or run is no answer.
    expect(tracesOf(decision, exampleSession().edits('a.js', '// receipts show the total in euro'), 'x')).not.toContain(
      'answer',
    )
  })

  test('improve: more traces raise the confidence, which stays within 0 and 1', () => {
    const one = useOf(lesson, exampleSession().runs('npm run build:prices'))
    const two = useOf(lesson, exampleSession().runs('npm run build:prices').edits('src/prices.js'))
    expect(useOf(lesson, exampleSession()).confidence).toBe(0)
    // A tenth of all notes are followed, and without the note such a command runs in 4 % of the cases.
    expect(one.evidence[0]).toMatchObject({ signal: 'command', chance: expect.closeTo(0.04, 9) })
    expect(one.confidence).toBeCloseTo((0.1 * 0.96) / (0.04 + 0.1 * 0.96), 9)
    const [command, file] = two.evidence.map(({ confidence }) => confidence)
    expect(two.confidence).toBeCloseTo(1 - (1 - command!) * (1 - file!), 9)
    // A memory injected at session start can match by chance during the whole session.
    const start = useOf(lesson, exampleSession().runs('npm run build:prices'), { moment: 'start' })
    expect(start.confidence).toBeLessThan(0.5)
  })

  test('improve: words alone are not enough for a use, except in the answer to a question', () => {
    const note = buildMemory(2, { content: 'Receipts show the total in euro, never a fraction of it.' })
    const answered = (prompt: string) =>
      useOf(note, exampleSession().asks(prompt).answers('Receipts show the total in euro.'), {
        ...{ cue: prompt, moment: 'prompt', at: 1 },
      })
    expect(answered('Add a receipt.')).toMatchObject({ traces: expect.arrayContaining(['answer']), confidence: 0.4 })
    expect(answered('What does the till print?').confidence).toBeGreaterThan(0.8)
  })

  test('improve: what the conversation had before the recall, or was given after it, is no trace', () => {
    const note = buildMemory(2, {
      content: 'Receipts show the total in euro, never a fraction. Run `make receipts` after a change.',
      files: ['src/receipt.js'],
    })
    const ask = () => exampleSession().asks('Add a button.')
    const traces = (told: ExampleSession, at: number) => {
      const { discounted, traces: counted } = useOf(note, told, { at })
      return [counted, discounted.map(({ signal, discounted: reason }) => `${signal} ${reason}`)]
    }
    expect(traces(ask().runs('make receipts').runs('make receipts'), 3)).toEqual([[], ['command trigger']])
    expect(traces(ask().runs('make receipts').asks('Go on.').runs('make receipts'), 4)).toEqual([[], ['command known']])
    expect(traces(ask().fails('make', 'Run `make receipts` first.').runs('make receipts'), 1)).toEqual([
      [],
      ['command known'],
    ])
    expect(
      traces(ask().calls('Read', { file_path: '/home/dev/shop/src/receipt.js' }).edits('src/receipt.js'), 3),
    ).toEqual([[], ['file trigger']])
    expect(traces(ask().runs('ls', 'src/receipt.js\nsrc/cart.js').edits('src/receipt.js'), 3)[0]).toEqual([])
    const reads = ask().calls('Read', { file_path: '/home/dev/shop/src/receipt.js' }).edits('src/receipt.js')
    expect(traces(reads, 1)[0]).toEqual(['file'])
    const quoted = 'Receipts show the total in euro, never a fraction.'
    expect(traces(ask().runs('cat notes.txt', quoted).answers(quoted), 1)).toEqual([[], ['answer known']])
    const japanese = buildMemory(3, { content: '領収書は合計金額を常に整数で表示すること。' })
    const said = ask().runs('cat notes.txt', japanese.content).answers('領収書は合計金額を常に整数で表示します。')
    expect(useOf(japanese, said, { at: 1 }).traces).toEqual([])
  })

  test('improve: a note for a subagent is used only by that subagent', () => {
    const told = exampleSession()
      .asks('Look.')
      .sends('Explore', 'agent-1', (agent) => agent.calls('Read', { file_path: '/home/dev/shop/a.js' }))
      .runs('npm run build:prices')
    const events = recordEvents(told.recorded)
    const recall = { ...recalled(exampleSession(), 'agent', [lesson]), agentId: 'agent-1', role: 'Explore' }
    const all = [events[0]!, recall, ...events.slice(1)]
    expect(judgeUse(lesson, createPeriodFinder(all)(1, recall), NO_BASELINES).traces).toEqual([])
    const main = { ...recall, agentId: undefined, role: 'main' }
    const shared = [events[0]!, main, ...events.slice(1)]
    expect(judgeUse(lesson, createPeriodFinder(shared)(1, main), NO_BASELINES).traces).toEqual(['command'])
  })
})

/** The recall of these memories as the broker logs it, after the session's last event. */
function recalled(
  told: ExampleSession,
  moment: RecallMoment,
  memories: readonly Memory[],
  withheld = false,
): EventOf<'recalled'> {
  return {
    id: `recall-${told.now()}` as EventId,
    at: iso(told.now()),
    session: told.session as Event['session'],
    role: 'main',
    outcome: 'unknown',
    lessons: [],
    privacy: 'public',
    kind: 'recalled',
    moment,
    cue: 'npm test is red',
    shown: memories.map((one) => ({ memory: one.id, score: 1, features: { words: 0.5 } })),
    withheld,
    others: [],
    policy: 0,
  }
}

/** The verdict on a recall at the end of `before`, from the events of `after`. */
function verdict(
  before: ExampleSession,
  after: (told: ExampleSession) => ExampleSession,
  memories: readonly Memory[] = [lesson],
  moment: RecallMoment = 'failure',
): AttributedRecall {
  const count = before.recorded.length
  const told = recalled(before, moment, memories)
  const events = recordEvents(after(before).recorded)
  const [judged] = attributeRecalls(
    [...events.slice(0, count), told, ...events.slice(count)],
    buildMemoryMap(...memories),
    NO_BASELINES,
  )
  return judged!
}
const failing = () => exampleSession().asks('npm test is red').fails('npm test', ERROR)

describe('verdict', () => {
  test('improve: a fix that was used has helped if the error did not occur again', () => {
    const [one] = verdict(failing(), (told) => told.runs('npm run build:prices').runs('npm test')).memories
    expect(one).toMatchObject({ memory: lesson.id, traces: ['command'], parts: { success: 1 } })
    // That the error stayed away counts as much as it is unusual: in one of ten such tasks an error occurs.
    expect(one!.parts.errors).toBeCloseTo(0.2, 9)
    expect(one!.impacts).toEqual(['task_success'])
    expect(one!.contribution).toBeGreaterThan(0.2)
  })

  test('improve: a fix that was used and did not help is harmful', () => {
    const [one] = verdict(failing(), (told) => told.runs('npm run build:prices').fails('npm test', ERROR)).memories
    expect(one!.traces).toEqual(['command'])
    expect(one!.parts.errors).toBe(-1)
    expect(one!.contribution).toBeLessThan(0)
  })

  test('improve: an unused note costs a little attention, an unused preference costs nothing', () => {
    const [unused] = verdict(failing(), (told) => told.edits('docs/readme.md')).memories
    expect(unused!.contribution).toBe(-UNUSED_COST)
    const wish = buildMemory(5, { kind: 'preference', content: 'Keep answers short.' })
    expect(verdict(failing(), (told) => told.edits('docs/readme.md'), [wish]).memories[0]!.contribution).toBe(0)
  })

  test('improve: events after the next prompt do not count, except for what was injected at session start', () => {
    const later = (told: ExampleSession) => told.asks('And now the linter.').runs('npm run build:prices')
    expect(verdict(failing(), later).memories[0]!.traces).toEqual([])
    expect(verdict(failing(), later, [lesson], 'start').memories[0]!.traces).toEqual(['command'])
  })

  test('improve: a deleted memory is not judged, and a recall that showed nothing is ignored', () => {
    const before = failing()
    expect(
      attributeRecalls([recalled(before, 'failure', [lesson])], buildMemoryMap(), NO_BASELINES)[0]!.memories,
    ).toEqual([])
    expect(attributeRecalls([recalled(before, 'failure', [])], buildMemoryMap(lesson), NO_BASELINES)).toEqual([])
  })

  test('improve: faster and with fewer calls than usual counts for the memory, slower counts against it', () => {
    const usual = updateBaselines(
      NO_BASELINES,
      recordEvents(failing().edits('a.js').waits(600_000).edits('b.js').edits('c.js').runs('npm test').recorded),
    )
    const partsAfter = (told: ExampleSession, count: number, after: (one: ExampleSession) => ExampleSession) => {
      const recall = recalled(told, 'failure', [lesson])
      const events = recordEvents(after(told).recorded)
      const all = [...events.slice(0, count), recall, ...events.slice(count)]
      return attributeRecalls(all, buildMemoryMap(lesson), usual)[0]!.memories[0]!.parts
    }
    const quick = failing()
    const slow = failing()
    const fast = partsAfter(quick, quick.recorded.length, (told) => told.runs('npm run build:prices').runs('npm test'))
    expect(fast.time).toBeGreaterThan(0)
    expect(fast.calls).toBeGreaterThan(0)
    const late = partsAfter(slow, slow.recorded.length, (told) => {
      for (let i = 0; i < 8; i++) told.edits(`x${i}.js`)
      return told.waits(3_600_000).runs('npm test')
    })
    expect(late.time).toBeLessThan(0)
    expect(late.calls).toBeLessThan(0)
  })

  test('improve: every contribution and every part of it lies between -1 and 1, whatever the session', () => {
    fc.assert(
      fc.property(arbitraryHistory, arbitraryMemories(4), fc.nat(), (sessions, memories, at) => {
        const known = buildMemoryMap(...memories, lesson)
        let baselines = NO_BASELINES
        for (const session of sessions) {
          const events = recordEvents(session)
          const place = at % (events.length + 1)
          const told = {
            ...recalled(exampleSession(), 'start', [...known.values()]),
            at: events[Math.max(0, place - 1)]!.at,
          }
          const all = [...events.slice(0, place), told, ...events.slice(place)]
          for (const one of attributeRecalls(all, known, baselines).flatMap((recall) => recall.memories)) {
            for (const value of [one.contribution, ...Object.values(one.parts)])
              expect(Math.abs(value)).toBeLessThanOrEqual(1)
            expect(one.used).toBeGreaterThanOrEqual(0)
            expect(one.used).toBeLessThanOrEqual(1)
          }
          baselines = updateBaselines(baselines, events)
        }
      }),
      { numRuns: 40 },
    )
  })
})

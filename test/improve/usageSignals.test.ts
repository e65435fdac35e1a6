// Whether a memory was used and what it contributed, by the traces in later calls and answers.
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { DEFAULT_POLICY } from '../../src/broker/policy/activePolicy.ts'
import { type AttributedRecall, attributeRecalls } from '../../src/improve/attribution.ts'
import { NO_BASELINES, updateBaselines } from '../../src/improve/baseline.ts'
import { detectUse } from '../../src/improve/usageSignals.ts'
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

const tracesOf = (one: Memory, told: ExampleSession, cue = 'npm test is red'): readonly string[] =>
  detectUse(one, recordEvents(told.recorded), cue).traces

describe('use', () => {
  test('improve: a successful run of a command that the memory names is a trace', () => {
    expect(tracesOf(lesson, exampleSession().runs('npm run build:prices'))).toEqual(['command'])
    expect(tracesOf(lesson, exampleSession().runs('cd /home/dev/shop && npm run build:prices 2>&1'))).toEqual([
      'command',
    ])
    expect(tracesOf(lesson, exampleSession().fails('npm run build:prices', 'Error: no such script'))).toEqual([])
  })

  test('improve: running the failed command again is no trace, but passing without the error is', () => {
    expect(tracesOf(lesson, exampleSession().fails('npm test', ERROR))).toEqual([])
    expect(tracesOf(lesson, exampleSession().runs('npm test'))).toEqual(['errorGone'])
    expect(tracesOf(lesson, exampleSession().fails('npm test', ERROR).runs('npm test'))).toEqual([])
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
        'Amounts are integer cents, rounding happens once at checkout. Receipts show the total in euro, never a fraction of it.',
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
    const confidence = (told: ExampleSession) =>
      detectUse(lesson, recordEvents(told.recorded), lesson.content).confidence
    const one = confidence(exampleSession().runs('npm run build:prices'))
    const two = confidence(exampleSession().runs('npm run build:prices').runs('npm test'))
    expect([confidence(exampleSession()), one]).toEqual([0, 0.7].map((value) => expect.closeTo(value, 9)))
    expect(two).toBeCloseTo(1 - 0.3 * 0.5, 9)
    const events = recordEvents(exampleSession().runs('npm run build:prices').recorded)
    // A memory injected at session start can match by chance during the whole session.
    expect(detectUse(lesson, events, '', 'start').confidence).toBeLessThan(
      detectUse(lesson, events, '', 'failure').confidence,
    )
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
    DEFAULT_POLICY.improve,
  )
  return judged!
}
const failing = () => exampleSession().asks('npm test is red').fails('npm test', ERROR)

describe('verdict', () => {
  test('improve: a fix that was used has helped if the error did not occur again', () => {
    const [one] = verdict(failing(), (told) => told.runs('npm run build:prices').runs('npm test')).memories
    expect(one).toMatchObject({ memory: lesson.id, traces: ['command', 'errorGone'], parts: { errors: 1, success: 1 } })
    expect(one!.contribution).toBeGreaterThan(0.3)
  })

  test('improve: a fix that was used and did not help is harmful', () => {
    const [one] = verdict(failing(), (told) => told.runs('npm run build:prices').fails('npm test', ERROR)).memories
    expect(one!.traces).toEqual(['command'])
    expect(one!.parts.errors).toBe(-0.5)
    expect(one!.contribution).toBeLessThan(0)
  })

  test('improve: an unused note costs a little attention, an unused preference costs nothing', () => {
    const [unused] = verdict(failing(), (told) => told.edits('docs/readme.md')).memories
    expect(unused!.contribution).toBe(-DEFAULT_POLICY.improve.unusedCost)
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
      attributeRecalls([recalled(before, 'failure', [lesson])], new Map(), NO_BASELINES, DEFAULT_POLICY.improve)[0]!
        .memories,
    ).toEqual([])
    expect(
      attributeRecalls([recalled(before, 'failure', [])], buildMemoryMap(lesson), NO_BASELINES, DEFAULT_POLICY.improve),
    ).toEqual([])
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
      return attributeRecalls(all, buildMemoryMap(lesson), usual, DEFAULT_POLICY.improve)[0]!.memories[0]!.parts
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
          for (const one of attributeRecalls(all, known, baselines, DEFAULT_POLICY.improve).flatMap(
            (recall) => recall.memories,
          )) {
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

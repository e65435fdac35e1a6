// Usage signals on recorded sessions: recalled memories leave more traces than other memories of their kind, which
// measures the share of chance.
//
// In a replay the assistant was shown nothing, so this is agreement only: it proves that a trace is informative, not
// that the memory was read. docs/improve.md has the figures of the whole set.
import fs from 'node:fs'
import path from 'node:path'
import { beforeAll, describe, expect, test } from 'vitest'
import { loadProjection } from '../../src/broker/projection/projectionFiles.ts'
import { parseRecording, replaySessions } from '../../src/broker/replay/replaySessions.ts'
import { detectUse, SIGNAL_CONFIDENCE, type UsageSignal } from '../../src/improve/usageSignals.ts'
import type { Event } from '../../src/model/event.ts'
import type { Memory } from '../../src/model/memory.ts'
import { realDisk } from '../../src/store/disk/files.ts'
import { readLog } from '../../src/store/log/readLog.ts'
import { createRandom } from '../random.ts'
import { createTestStore } from '../testData.ts'

const FOLDER = path.resolve(import.meta.dirname, '../../../shared/recordings/cli')
const SESSIONS = 40
const BYTES_MAX = 200_000

const there = fs.existsSync(FOLDER)
if (!there) console.warn(`skipped: no recordings in ${FOLDER}`)

describe.skipIf(!there)('on recorded sessions', () => {
  const counts: Record<'recalled' | 'other', Record<string, number>> = { recalled: { all: 0 }, other: { all: 0 } }

  beforeAll(() => {
    const names = fs
      .readdirSync(FOLDER)
      .filter((name) => name.endsWith('.jsonl') && fs.statSync(path.join(FOLDER, name)).size < BYTES_MAX)
    const store = createTestStore()
    replaySessions(
      store,
      names
        .sort()
        .slice(-SESSIONS)
        .map((name) => parseRecording(fs.readFileSync(path.join(FOLDER, name), 'utf8'), name)),
    )
    const memories = [...loadProjection(store).projection.memories.values()]
    const chance = createRandom(7)
    for (const events of sessionsOf(readLog(realDisk, store.layout.events).events)) {
      events.forEach((event, at) => {
        if (event.kind !== 'recalled' || event.moment === 'start') return
        const after = untilNextPrompt(events, at)
        for (const { memory: id } of event.shown) {
          const memory = memories.find((known) => known.id === id)
          const others = memories.filter(
            (other) =>
              other.kind === memory?.kind &&
              other.id !== id &&
              other.created < event.at &&
              other.session !== event.session,
          )
          // A fact says what to avoid, which leaves no trace.
          if (!memory || memory.kind === 'fact' || others.length === 0) continue
          count('recalled', memory, after, event.cue)
          count('other', others[Math.floor(chance() * others.length)]!, after, event.cue)
        }
      })
    }
  }, 120_000)

  function count(which: 'recalled' | 'other', memory: Memory, after: readonly Event[], cue: string): void {
    const tally = counts[which]
    tally['all']!++
    for (const trace of detectUse(memory, after, cue).traces) tally[trace] = (tally[trace] ?? 0) + 1
  }

  const rate = (which: 'recalled' | 'other', trace: UsageSignal): number =>
    (counts[which][trace] ?? 0) / counts[which]['all']!

  // Not its command: in these forty sessions it runs as often without recall; in the whole set more often with it.
  test('improve: recalled memories are edited and mentioned more often than memories that were not recalled', () => {
    expect(counts.recalled['all']).toBeGreaterThan(30)
    for (const trace of ['file', 'answer', 'words'] as const) {
      expect(rate('recalled', trace), trace).toBeGreaterThanOrEqual(rate('other', trace))
    }
    expect(rate('recalled', 'file')).toBeGreaterThan(2 * rate('other', 'file'))
  })

  test('improve: no trace has so much confidence that chance explains most detected uses', () => {
    for (const trace of Object.keys(SIGNAL_CONFIDENCE.work) as UsageSignal[]) {
      if (SIGNAL_CONFIDENCE.work[trace] < 0.5) continue
      expect(rate('other', trace), trace).toBeLessThan(0.2)
    }
  })
})

function sessionsOf(events: readonly Event[]): Iterable<Event[]> {
  const sessions = new Map<string, Event[]>()
  for (const event of events) {
    const list = sessions.get(event.session)
    if (list) list.push(event)
    else sessions.set(event.session, [event])
  }
  return sessions.values()
}

function untilNextPrompt(events: readonly Event[], at: number): Event[] {
  const rest = events.slice(at + 1)
  const own = rest.findIndex((event) => event.kind === 'prompt' && event.at === events[at]!.at)
  const next = rest.findIndex((event, i) => i > own && event.kind === 'prompt')
  return next === -1 ? rest : rest.slice(0, next)
}

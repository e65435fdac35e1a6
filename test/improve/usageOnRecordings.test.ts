// Usage signals on recorded sessions: recalled memories leave more traces than other memories of their kind, and since
// nobody saw them, few are credited.
//
// In a replay the assistant was shown nothing: every recall is a holdout.
import fs from 'node:fs'
import path from 'node:path'
import { beforeAll, describe, expect, test } from 'vitest'
import { parseRecording, replaySessions } from '../../bench/fixture/replaySessions.ts'
import type { Projection } from '../../src/broker/projection/projection.ts'
import { loadProjection } from '../../src/broker/projection/projectionFiles.ts'
import { attributeRecalls } from '../../src/improve/attribution.ts'
import { NO_BASELINES } from '../../src/improve/baseline.ts'
import { TRACE_RATE_PRIOR, type TraceObservation } from '../../src/improve/traceRates.ts'
import { USED_THRESHOLD, type UsageSignal } from '../../src/improve/usageSignals.ts'
import type { Event } from '../../src/model/event.ts'
import { realDisk } from '../../src/store/disk/files.ts'
import { readLog } from '../../src/store/log/readLog.ts'
import { createTestStore } from '../testData.ts'

const FOLDER = path.resolve(import.meta.dirname, '../../../shared/recordings/cli')
const BYTES_MAX = 200_000

const there = fs.existsSync(FOLDER)
if (!there) console.warn(`skipped: no recordings in ${FOLDER}`)

describe.skipIf(!there)('on recorded sessions', () => {
  let observations: readonly TraceObservation[]
  let projection: Projection

  beforeAll(() => {
    const names = fs
      .readdirSync(FOLDER)
      .filter((name) => name.endsWith('.jsonl') && fs.statSync(path.join(FOLDER, name)).size < BYTES_MAX)
    const store = createTestStore()
    replaySessions(
      store,
      names.sort().map((name) => parseRecording(fs.readFileSync(path.join(FOLDER, name), 'utf8'), name)),
    )
    projection = loadProjection(store).projection
    // With the memories of all sessions, so that early recalls can be compared with others too.
    observations = [...sessionsOf(readLog(realDisk, store.layout.events).events)]
      .flatMap((events) => attributeRecalls(events, projection.memories, NO_BASELINES))
      .flatMap(({ observed }) => observed?.traces ?? [])
      .filter(({ moment }) => moment !== 'start')
  }, 300_000)

  const recalled = ({ arm }: TraceObservation): boolean => arm !== 'other'
  const other = ({ arm }: TraceObservation): boolean => arm === 'other'

  function rate(which: (observation: TraceObservation) => boolean, trace: UsageSignal): number {
    const possible = observations.filter((observation) => which(observation) && observation.possible.includes(trace))
    return possible.filter(({ found }) => found.includes(trace)).length / Math.max(1, possible.length)
  }

  test('improve: files of recalled memories are changed more often than those of other memories', () => {
    expect(observations.filter(recalled).length).toBeGreaterThan(30)
    expect(rate(recalled, 'file')).toBeGreaterThan(1.5 * rate(other, 'file'))
  })

  test('improve: no trace of work that nobody was shown is much more frequent than the prior chance', () => {
    for (const trace of ['command', 'file', 'answer', 'words'] as const) {
      for (const which of [recalled, other])
        expect(rate(which, trace), trace).toBeLessThan(2 * TRACE_RATE_PRIOR.work[trace] + 0.03)
    }
  })

  test('improve: of the memories that nobody saw, few are credited', () => {
    const shown = projection.judged.filter((recall) => !recall.withheld).flatMap(({ memories }) => memories)
    expect(shown.length).toBeGreaterThan(30)
    expect(shown.filter(({ used }) => used >= USED_THRESHOLD).length / shown.length).toBeLessThan(0.1)
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

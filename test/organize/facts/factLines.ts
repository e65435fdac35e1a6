// The facts of invented sessions, for tests of the detectors.
import { isCallResult } from '../../../src/model/event.ts'
import type { Memory } from '../../../src/model/memory.ts'
import { splitTasks } from '../../../src/model/sessionTask.ts'
import { MemoryTable } from '../../../src/organize/memoryTable.ts'
import { updateFacts } from '../../../src/organize/updateFacts.ts'
import { formatFactLine } from '../../../src/text/factLine.ts'
import { DAY, type ExampleSession, exampleSession, ROOT, recordEvents } from '../../testData.ts'

const NUMBERS = {
  standingSessions: 2,
  retireAfter: 2,
  startTokens: 150,
  noteMax: 2,
  editTokens: 120,
  startRate: 0,
  startNearRate: 0,
  halfLifeDays: 30,
}

/** The facts after the sessions, organized one after the other. */
export function factsAfter(...sessions: readonly ExampleSession[]): Memory[] {
  const known = new MemoryTable()
  for (const { session, recorded } of sessions) {
    const events = recordEvents(recorded)
    const calls = events.filter(isCallResult)
    const evidence = { session, events, tasks: splitTasks(events), calls }
    for (const memory of updateFacts(evidence, known, NUMBERS)) known.set(memory.id, memory)
  }
  return known.listFacts()
}

/** The lines of the facts of these topics, without routines unless they are asked for. */
export function linesAfter(...sessions: readonly ExampleSession[]): string[] {
  return factsAfter(...sessions).flatMap(({ fact }) =>
    fact === undefined || fact.topic === 'routine' || fact.state === 'retired' ? [] : [formatFactLine(fact)],
  )
}

export const routinesAfter = (...sessions: readonly ExampleSession[]): string[] =>
  factsAfter(...sessions).flatMap(({ fact }) => (fact?.topic === 'routine' ? [formatFactLine(fact)] : []))

/** Session number `n`, each a day after the one before. */
export const nthSession = (n: number): ExampleSession =>
  exampleSession(`session-${n}`, Date.parse('2026-03-02T09:00:00.000Z') + n * DAY).starts()

/** A call of a file tool that failed. */
export function failsTool(
  told: ExampleSession,
  tool: string,
  input: Record<string, unknown>,
  error: string,
): ExampleSession {
  const call = { tool_name: tool, tool_input: input, tool_use_id: `${told.session}-failed-${told.now()}` }
  return told.waits(2_000).tells('PostToolUseFailure', { ...call, error, is_interrupt: false, duration_ms: 5 })
}

export const reads = (told: ExampleSession, file: string): ExampleSession =>
  told.calls('Read', { file_path: `${ROOT}/${file}` }, 'text')

export const missesFile = (told: ExampleSession, file: string): ExampleSession =>
  failsTool(told, 'Read', { file_path: `${ROOT}/${file}` }, '<tool_use_error>File does not exist.</tool_use_error>')

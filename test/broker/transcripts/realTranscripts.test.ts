// Transcripts of the real client, and what its hooks got in the same sessions: both lead to the same events.
import { describe, expect, test } from 'vitest'
import { replaySessions } from '../../../bench/fixture/replaySessions.ts'
import type { Event } from '../../../src/model/event.ts'
import { createTestStore, loadMemories } from '../../testData.ts'
import { eventsOf, hookPayloadsOf, importFolder, transcriptsOf, VERSIONS } from './transcriptFixtures.ts'

/** What a hook records of a session, without what only hooks can know: when a client was started and ended. */
const RECORDED = ['prompt', 'call.started', 'call.succeeded', 'call.failed', 'answer', 'agent.started', 'agent.stopped']

/** An event without its time, how long it took, and where it is from. */
function contentOf(event: Event): string {
  const { kind, role, agentId, taskId, outcome, privacy, session, id } = event
  const call =
    'input' in event
      ? [event.tool, event.call, event.commandShape, event.files, Object.entries(event.input).sort()]
      : []
  const text = 'text' in event ? event.text : event.kind === 'call.failed' ? [event.error, event.interrupted] : ''
  const signals = event.kind === 'prompt' ? event.signals : []
  return JSON.stringify([kind, id, session, role, agentId, taskId, outcome, privacy, call, text, signals])
}

const recordedOf = (events: readonly Event[]): Event[] => events.filter(({ kind }) => RECORDED.includes(kind))

/** The client tells hooks nothing about calls with wrong arguments. */
const isUnseenByHooks = (event: Event): boolean =>
  event.kind === 'call.failed' && event.error.startsWith('<tool_use_error>')

describe.each(VERSIONS)('transcripts of client %s', (version) => {
  const byHooks = createTestStore()
  replaySessions(byHooks, hookPayloadsOf(version))
  const byImport = createTestStore()
  importFolder(byImport, transcriptsOf(version))

  test('transcripts: each event that hooks record is imported, with the same id and content', () => {
    const imported = new Set(recordedOf(eventsOf(byImport)).map(contentOf))
    expect(
      recordedOf(eventsOf(byHooks))
        .map(contentOf)
        .filter((event) => !imported.has(event)),
    ).toEqual([])
  })

  test('transcripts: beyond that only calls that the client does not report to hooks are imported', () => {
    const known = new Set(recordedOf(eventsOf(byHooks)).map(contentOf))
    const others = recordedOf(eventsOf(byImport)).filter((event) => !known.has(contentOf(event)))
    const unseen = new Set(others.filter(isUnseenByHooks).map((event) => 'call' in event && event.call))
    expect(others.filter((event) => !('call' in event) || !unseen.has(event.call))).toEqual([])
  })

  test('transcripts: an import into the store of the hooks adds nothing', () => {
    const before = eventsOf(byHooks).length
    const { plans, events } = importFolder(byHooks, transcriptsOf(version))
    expect(plans.map(({ state }) => state)).toEqual(plans.map(() => 'known'))
    expect([events, eventsOf(byHooks).length]).toEqual([0, before])
  })

  test('transcripts: a second import adds nothing', () => {
    const before = [eventsOf(byImport).length, loadMemories(byImport)]
    expect(importFolder(byImport, transcriptsOf(version)).events).toBe(0)
    expect([eventsOf(byImport).length, loadMemories(byImport)]).toEqual(before)
  })

  test('transcripts: facts, statements and lessons are those of the hooks', () => {
    const learned = (store: typeof byHooks): string[] =>
      Object.values(loadMemories(store))
        .filter(({ kind }) => kind === 'fact' || kind === 'lesson' || kind === 'preference' || kind === 'decision')
        .map(({ kind, content }) => `${kind}: ${content.replace(/ \([\d.]+ m?s\)/, '')}`)
        // What only the transcripts know: see above.
        .filter((text) => !/NoSuchTool|InputValidationError|tool_use_error|old_string|not found in file/.test(text))
        .sort()
    expect(learned(byImport)).toEqual(learned(byHooks))
    expect(learned(byImport).join('\n')).toContain('今後はコミットメッセージを日本語で書いてください')
    expect(learned(byImport).join('\n')).toContain('always use pnpm')
  })

  test('transcripts: what hooks have injected, and the reason of a denied call, become no memory', () => {
    expect(JSON.stringify(loadMemories(byImport))).not.toMatch(/prefer yarn|run make first/)
    expect(JSON.stringify(eventsOf(byImport))).not.toMatch(/prefer yarn|run make first/)
  })

  test('transcripts: every imported event names its origin, and none is a recall', () => {
    const events = eventsOf(byImport).filter(({ kind }) => !kind.startsWith('session.') && !kind.startsWith('memory.'))
    expect(new Set(events.map(({ origin }) => origin))).toEqual(new Set(['import:transcript']))
    expect(events.filter(({ kind }) => kind === 'recalled')).toEqual([])
  })
})

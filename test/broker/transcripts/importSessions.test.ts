// What an import adds to what is recorded already, and that it can be interrupted anywhere.
import fs from 'node:fs'
import path from 'node:path'
import { describe, expect, test } from 'vitest'
import { type RecordedPayload, replaySessions } from '../../../bench/fixture/replaySessions.ts'
import { eraseEverywhere } from '../../../src/broker/forget/eraseEverywhere.ts'
import { openHookContext } from '../../../src/broker/handlers/hookContext.ts'
import { onSessionStart } from '../../../src/broker/handlers/startHandler.ts'
import { runMaintenance } from '../../../src/broker/maintenance/maintenance.ts'
import { rebuildStore } from '../../../src/broker/maintenance/rebuild.ts'
import { openStoreAt, type Store } from '../../../src/broker/open/openStore.ts'
import { openDropped } from '../../../src/broker/transcripts/importSessions.ts'
import type { Event } from '../../../src/model/event.ts'
import { startsHook } from '../../../src/model/hookEvents.ts'
import { type Files, realDisk } from '../../../src/store/disk/files.ts'
import { newFolder } from '../../tempFolders.ts'
import { BEGIN, createTestStore, HOUR, iso, loadMemories, MINUTE, ROOT, runHookPayloads } from '../../testData.ts'
import {
  eventsOf,
  hookPayloadsOf,
  importFolder,
  TranscriptBuilder,
  transcriptsOf,
  VERSIONS,
} from './transcriptFixtures.ts'

const promptsOf = (store: Store): string[] =>
  eventsOf(store).flatMap((event) => (event.kind === 'prompt' ? [event.text] : []))

/** A session in which a failure is fixed. */
const fixSession = (session = 'session-one', start = BEGIN): TranscriptBuilder =>
  addFix(new TranscriptBuilder(session, start))

const addFix = (builder: TranscriptBuilder): TranscriptBuilder =>
  builder
    .user('Please make the tests pass.')
    .calls('Bash', { command: 'npm test' }, 'Exit code 1\nError: dist/prices.json is missing', true)
    .calls('Bash', { command: 'npm run build:prices' }, 'built')
    .calls('Bash', { command: 'npm test' }, 'ok')
    .says('The tests pass.')

describe('transcripts: what is recorded already', () => {
  const [session = []] = hookPayloadsOf('2.1.329')
  const isKey = ({ kind }: Event): boolean => kind === 'prompt' || kind.startsWith('call.') || kind === 'answer'

  test('transcripts: if hooks were installed in the middle of a session, only what they have missed is added', () => {
    const begin = session.findIndex(({ payload }) => payload['prompt'] === 'Now ask a subagent.')
    const byHooks = createTestStore()
    replaySessions(byHooks, [session.slice(begin)])
    const before = eventsOf(byHooks).filter(isKey)
    importFolder(byHooks, transcriptsOf('2.1.329'))
    const ids = eventsOf(byHooks)
      .filter(isKey)
      .map(({ id }) => id)
    expect(new Set(ids).size).toBe(ids.length)
    const whole = createTestStore()
    importFolder(whole, transcriptsOf('2.1.329'))
    expect(new Set(ids)).toEqual(
      new Set(
        eventsOf(whole)
          .filter(isKey)
          .map(({ id }) => id),
      ),
    )
    expect(eventsOf(byHooks).filter(isKey).slice(0, before.length)).toEqual(before)
  })

  test('transcripts: if hooks were switched off for a while, what came between is added', () => {
    const between = session.findIndex(({ payload }) => payload['prompt'] === 'Now ask a subagent.')
    const later = session.findIndex(({ payload }) => payload['prompt'] === 'Go on after the compaction.')
    const store = createTestStore()
    replaySessions(store, [[...session.slice(0, between - 1), ...session.slice(later - 1)]])
    expect(promptsOf(store)).not.toContain('Now ask a subagent.')
    importFolder(store, transcriptsOf('2.1.329'))
    expect(promptsOf(store)).toContain('Now ask a subagent.')
    expect(new Set(promptsOf(store)).size).toBe(promptsOf(store).length)
  })

  test('transcripts: a rebuild from the log gives the same memories, also where an import has filled gaps', () => {
    const begin = session.findIndex(({ payload }) => payload['prompt'] === 'Now ask a subagent.')
    const store = createTestStore()
    replaySessions(store, [session.slice(begin)])
    importFolder(store, transcriptsOf('2.1.329'))
    const before = loadMemories(store)
    rebuildStore(store, BEGIN)
    expect(loadMemories(store)).toEqual(before)
  })

  test('transcripts: a session that goes on after an import gets the rest', () => {
    const folder = newFolder()
    const builder = fixSession()
    const store = createTestStore()
    importFolder(store, builder.write(folder))
    importFolder(store, builder.user('Now the receipt.').says('Receipt done.').write(folder))
    const whole = createTestStore()
    importFolder(whole, builder.write(folder))
    expect(eventsOf(store).filter(isKey)).toEqual(eventsOf(whole).filter(isKey))
  })

  test('transcripts: lines that a forked session repeats are recorded once, in the session that had them first', () => {
    const folder = newFolder()
    const first = fixSession()
    first.write(folder)
    const copied = first.lines.map((line) => JSON.stringify({ ...JSON.parse(line), sessionId: 'session-two' }))
    const fork = new TranscriptBuilder('session-two', BEGIN + HOUR)
    for (const line of copied) fork.text(line)
    const projects = fork.user('Go another way.').says('Another way.').write(folder)
    const store = createTestStore()
    importFolder(store, projects)
    expect(
      eventsOf(store)
        .filter(({ kind }) => kind === 'prompt')
        .map(({ session: id }) => id),
    ).toEqual(['session-one', 'session-two'])
    expect(eventsOf(store).filter(({ kind }) => kind === 'call.failed')).toHaveLength(1)
  })

  test.each([
    ['each line', () => true],
    ['the answers', (type: unknown) => type === 'assistant'],
  ])('transcripts: a fork with a mark at %s adds nothing of a session that is known or forgotten', (_, isMarked) => {
    const first = fixSession()
    const store = createTestStore()
    importFolder(store, first.write(newFolder()))
    const fork = new TranscriptBuilder('session-two', BEGIN + HOUR)
    for (const text of first.lines) {
      const line = { ...JSON.parse(text), sessionId: 'session-two' }
      fork.text(JSON.stringify(isMarked(line.type) ? { ...line, requestSessionId: 'session-one' } : line))
    }
    // The transcript of the other session is not there.
    const projects = fork.user('Go another way.').says('Another way.').write(newFolder())
    const copy = createTestStore()
    importFolder(copy, projects)
    expect(promptsOf(copy)).toEqual(['Please make the tests pass.', 'Go another way.'])
    importFolder(store, projects)
    expect(promptsOf(store)).toEqual(['Please make the tests pass.', 'Go another way.'])
    expect(eventsOf(store).filter((event) => event.kind === 'answer' && event.session === 'session-two')).toHaveLength(
      1,
    )
    for (const session of ['session-one', 'session-two']) eraseEverywhere(store, { session }, { now: BEGIN + HOUR })
    importFolder(store, projects)
    expect(promptsOf(store)).toEqual([])
  })

  test('transcripts: what was forgotten does not come back, also if its session goes on', () => {
    const folder = newFolder()
    const builder = fixSession()
    const store = createTestStore()
    importFolder(store, builder.write(folder))
    eraseEverywhere(store, { session: 'session-one' }, { now: BEGIN + HOUR })
    expect(promptsOf(store)).toEqual([])
    const { plans, events } = importFolder(store, builder.write(folder))
    expect(plans).toMatchObject([{ state: 'forgotten', prompts: 0, calls: 0, payloads: 0 }])
    expect(events).toBe(0)
    expect(promptsOf(store)).toEqual([])
    const payload = { session_id: 'session-one', hook_event_name: 'UserPromptSubmit', prompt: 'Go on.' }
    runHookPayloads(store, [{ at: BEGIN + 2 * HOUR, payload }])
    expect(importFolder(store, builder.write(folder)).plans).toMatchObject([{ state: 'known' }])
    expect(promptsOf(store)).toEqual(['Go on.'])
  })
})

describe('transcripts: an interrupted import', () => {
  class Killed extends Error {}

  /** A disk of a process that is killed at its nth change. */
  function killedAt(change: number): Files {
    let left = change
    const dies =
      <Args extends unknown[], Result>(write: (...args: Args) => Result) =>
      (...args: Args): Result => {
        if (left-- <= 0) throw new Killed()
        return write(...args)
      }
    const { append, create, replace, rename, remove, overwrite } = realDisk
    return {
      ...realDisk,
      append: dies(append),
      create: dies(create),
      replace: dies(replace),
      rename: dies(rename),
      remove: dies(remove),
      overwrite: dies(overwrite),
    }
  }

  /** Many events per session, so that a session is more than one write. */
  function manySessions(): string {
    const folder = newFolder()
    for (const [i, name] of ['session-one', 'session-two', 'session-three'].entries()) {
      const builder = fixSession(name, BEGIN + i * HOUR)
      for (let n = 0; n < 70; n++) builder.calls('Bash', { command: `echo ${name} ${n}` }, String(n))
      builder.says('All done.').write(folder)
    }
    return path.join(folder, 'projects')
  }

  const recordedOf = (store: Store) => eventsOf(store).map(({ kind, id, session: of }) => `${of} ${kind} ${id}`)

  test('transcripts: killed at any write, it goes on where it was, with the same events and memories', () => {
    const projects = manySessions()
    const whole = createTestStore()
    importFolder(whole, projects)
    let isKilled = true
    for (let change = 1; isKilled; change += 3) {
      const folder = newFolder()
      try {
        importFolder(openStoreAt(folder, ROOT, killedAt(change)), projects)
        isKilled = false
      } catch (error) {
        if (!(error instanceof Killed)) throw error
        // Another process would find that the lock's owner is gone.
        fs.rmSync(path.join(folder, 'lock'), { force: true, recursive: true })
      }
      const again = openStoreAt(folder, ROOT)
      importFolder(again, projects)
      expect(recordedOf(again), `killed at change ${change}`).toEqual(recordedOf(whole))
      expect(loadMemories(again), `killed at change ${change}`).toEqual(loadMemories(whole))
    }
  })
})

describe('transcripts: what hooks could not read', () => {
  const isKey = ({ kind }: Event): boolean => kind === 'prompt' || kind.startsWith('call.') || kind === 'answer'
  const keys = (store: Store): string[] =>
    eventsOf(store)
      .filter(isKey)
      .map((event) =>
        'call' in event ? `${event.kind} ${event.call}` : `${event.kind} ${'text' in event && event.text}`,
      )
      .sort()

  test.each(VERSIONS)(
    'transcripts: with client %s each dropped payload is in the log once, before its session is organized',
    (version) => {
      const [session = []] = hookPayloadsOf(version)
      const env = { CLAUDE_CONFIG_DIR: path.dirname(transcriptsOf(version)) }
      const whole = createTestStore()
      runHookPayloads(whole, session)
      const wanted = keys(whole)
      const names = ['UserPromptSubmit', 'PostToolUse', 'PostToolUseFailure', 'PreToolUse', 'Stop']
      for (const name of names) {
        const store = createTestStore()
        const isDropped = ({ payload }: RecordedPayload) => payload.hook_event_name === name && startsHook(payload)
        const dropped = session.filter(isDropped)
        expect(dropped.length).toBeGreaterThan(0)
        runHookPayloads(
          store,
          session.filter((recorded) => !isDropped(recorded)),
        )
        expect(keys(store)).not.toEqual(wanted)
        for (const { at } of dropped) recordFault(store, name, at)
        const { organized } = runMaintenance(store, { now: BEGIN, sessions: 'all', complete: openDropped(store, env) })
        expect(organized).toHaveLength(1)
        expect(keys(store), name).toEqual(wanted)
        const before = loadMemories(store)
        rebuildStore(store, BEGIN)
        expect(loadMemories(store)).toEqual(before)
      }
    },
  )

  test.each([
    ['text', { text: 'Always deploy with make ship.' }],
    ['session', { session: 'session-one' }],
  ])('transcripts: a dropped payload is added once: forgotten by %s, it does not come back', (_, request) => {
    const folder = newFolder()
    const store = createTestStore()
    const builder = fixSession().user('Always deploy with make ship.').says('OK.')
    const ends = (at: number) => {
      const payload = { session_id: builder.session, hook_event_name: 'SessionEnd' }
      runHookPayloads(store, [{ at, payload }])
      builder.write(folder)
      runMaintenance(store, { now: at, complete: openDropped(store, { CLAUDE_CONFIG_DIR: folder }) })
    }
    recordFault(store, 'UserPromptSubmit', BEGIN + 9_000)
    ends(BEGIN + MINUTE)
    expect(promptsOf(store)).toEqual(['Always deploy with make ship.'])
    eraseEverywhere(store, request, { now: BEGIN + 2 * MINUTE })
    ends(BEGIN + HOUR)
    importFolder(store, path.join(folder, 'projects'))
    expect(JSON.stringify(eventsOf(store))).not.toContain('make ship')
  })

  test('transcripts: without a dropped payload nothing is read, and what is not near one stays as it is', () => {
    const folder = newFolder()
    const session = fixSession()
    session.write(folder)
    const store = createTestStore()
    const env = { CLAUDE_CONFIG_DIR: folder }
    const payload = { session_id: session.session, hook_event_name: 'SessionEnd' }
    runHookPayloads(store, [{ at: BEGIN + HOUR, payload }])
    runMaintenance(store, { now: BEGIN, sessions: [], complete: openDropped(store, env) })
    expect(keys(store)).toEqual([])
    recordFault(store, 'PostToolUse', BEGIN + HOUR)
    runMaintenance(store, { now: BEGIN, sessions: 'all', complete: openDropped(store, env) })
    expect(keys(store)).toEqual([])
  })
})

describe('transcripts: what our server did not answer', () => {
  const START = { session_id: 'session-one', hook_event_name: 'SessionStart', source: 'startup' }
  const client = { pid: 1, hooks: 'server' } as const
  const failed = (hookEvent: string, more: object = {}) => ({
    type: 'attachment',
    attachment: { type: 'hook_non_blocking_error', hookEvent, stderr: 'Not connected', ...more },
  })

  /** The events of the session after its end; hooks have recorded its start alone. */
  function completed(builder: TranscriptBuilder, start: Partial<typeof client> & { pid: number }): readonly string[] {
    const folder = newFolder()
    builder.write(folder)
    const store = createTestStore()
    const context = openHookContext(store, BEGIN, start)
    onSessionStart(START, context)
    const complete = openDropped(store, { CLAUDE_CONFIG_DIR: folder })
    runMaintenance(store, { now: BEGIN + HOUR, sessions: 'all', complete })
    return eventsOf(store).flatMap((event) => {
      if (event.kind === 'prompt' || event.kind === 'answer') return [`${event.kind} ${event.text}`]
      return 'call' in event && event.call ? [`${event.kind} ${event.call}`] : []
    })
  }

  const session = () =>
    new TranscriptBuilder()
      .user('Run it.')
      .line(failed('UserPromptSubmit', { toolUseID: 'any' }))
      .calls('Bash', { command: 'one' }, 'ok')
      .calls('Bash', { command: 'two' }, 'ok')
      .line(failed('PostToolUse', { toolUseID: 'toolu-session-one-4' }))
      .line(
        failed('PreToolUse', { type: 'hook_cancelled', toolUseID: 'toolu-session-one-4', command: 'memctl/run_hook' }),
      )
      // A script of the person, and what only looks like a failed hook.
      .line(failed('PreToolUse', { toolUseID: 'toolu-session-one-2', command: 'node mine.js' }))
      .says('"hook_non_blocking_error" It is done.')
      .text('{"type":"attachment","attachment":{"type":"hook_cancelled"')

  test('transcripts: each call that the server missed is added once, and no other', () => {
    expect(completed(session(), client)).toEqual([
      'prompt Run it.',
      'call.succeeded toolu-session-one-4',
      'call.started toolu-session-one-4',
    ])
  })

  test('transcripts: nothing is added to a session with scripts as hooks', () => {
    expect(completed(session(), { pid: 1 })).toEqual([])
  })
})

const recordFault = ({ files, layout }: Store, where: string, at: number): void =>
  files.append(layout.faults, Buffer.from(`${JSON.stringify({ at: iso(at), where, code: 'PAYLOAD_INCOMPLETE' })}\n`))

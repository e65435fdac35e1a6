// Recordings through the real hook processes, one after the other as the client would start them, on today's clock.
//
//   stand-in for the client ──┬── hook ── hook ── … ── SessionEnd ─▶ worker, in the background
//                             └── ends with its recording, so that a session cut short is seen as such by the next one
import { type ChildProcess, spawn } from 'node:child_process'
import type { Store } from '../../broker/open/openStore.ts'
import { listUnorganizedSessions } from '../../broker/queries/storeStatus.ts'
import type { RecordedPayload } from '../../broker/replay/replaySessions.ts'
import type { SessionId } from '../../model/id.ts'
import { readLockOwner } from '../../store/disk/lock.ts'
import { findHookScript, type HookEnvironment, type HookRun, runHookProcess, runWorker } from './hookProcess.ts'
import type { Recording } from './recordingFiles.ts'

/** How long a session's organising is waited for, and how often it is looked for, in milliseconds. */
const ORGANISED_MAX_MS = 30_000
const POLL_MS = 25

/** Told of every payload; `run` is absent where the client would have started no hook. */
type OnPayload = (recording: Recording, recorded: RecordedPayload, run?: HookRun) => void | Promise<void>

/** Runs them all. `store` is where the hooks of this world keep what they record. */
export async function replayThroughHooks(
  recordings: readonly Recording[],
  world: HookEnvironment,
  store: Store,
  onPayload: OnPayload,
): Promise<void> {
  for (const recording of recordings) {
    const client = standIn()
    try {
      for (const recorded of recording.payloads) {
        const script = findHookScript(recorded.payload)
        const run = script && (await runHookProcess(world, script, recorded.payload, client.pid!))
        await onPayload(recording, recorded, run || undefined)
      }
    } finally {
      await ended(client)
    }
    const last = recording.payloads.at(-1)?.payload
    if (last?.hook_event_name === 'SessionEnd') await organised(store, last.session_id as SessionId)
  }
  // The last of them may have been cut short, and no further session comes to find it.
  if (listUnorganizedSessions(store).size > 0) await runWorker(world, store.project.root)
}

/** A process that does nothing: it lives as long as the recorded client did. */
const standIn = (): ChildProcess =>
  spawn(process.execPath, ['-e', 'process.stdin.resume()'], { env: {}, stdio: ['pipe', 'ignore', 'ignore'] })

/** It ends with its stdin; were we killed, that would end it too. */
const ended = (client: ChildProcess): Promise<void> =>
  new Promise((done) => {
    client.once('exit', () => done())
    client.stdin!.end()
  })

/**
 * Waits until the worker has organised the session and let go of the store; goes on without it after a while, for the
 * next start finds it.
 */
async function organised(store: Store, session: SessionId): Promise<void> {
  const until = Date.now() + ORGANISED_MAX_MS
  const isAtWork = (): boolean =>
    listUnorganizedSessions(store).has(session) || readLockOwner(store.files, store.layout.lock) !== undefined
  while (isAtWork() && Date.now() < until) await new Promise((done) => setTimeout(done, POLL_MS))
}

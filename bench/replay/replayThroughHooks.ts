// Replays recordings through the real hook processes in sequence, as the client starts them.
//
//   client process ──┬── hook ── hook ── … ── SessionEnd ─▶ worker, in the background
//                    └── exits with its recording, so that the next session recognizes a session without an end
import { type ChildProcessByStdio, spawn } from 'node:child_process'
import type { Writable } from 'node:stream'
import type { Store } from '../../src/broker/open/openStore.ts'
import { listUnorganizedSessions } from '../../src/broker/queries/storeStatus.ts'
import type { SessionId } from '../../src/model/id.ts'
import { readLockOwner } from '../../src/store/disk/lock.ts'
import type { RecordedPayload } from '../fixture/replaySessions.ts'
import { findHookScript, type HookEnvironment, type HookRun, runHookProcess, runWorker } from './hookProcess.ts'
import type { Recording } from './recordingFiles.ts'

/** Longest wait until a session is organized, and the interval of checks, in milliseconds. */
const ORGANIZE_MAX_MS = 30_000
const POLL_MS = 25

/** Called after every payload; `run` is absent if the client starts no hook for it. */
type OnPayload = (recording: Recording, recorded: RecordedPayload, run?: HookRun) => void | Promise<void>

/**
 * Replays all recordings. `store` is the store of these hooks. With `shiftMs`, hooks see the recorded times plus this
 * number of milliseconds; without, the current time.
 */
export async function replayThroughHooks(
  recordings: readonly Recording[],
  environment: HookEnvironment & { readonly shiftMs?: number | undefined },
  store: Store,
  onPayload: OnPayload,
): Promise<void> {
  const { shiftMs } = environment
  for (const recording of recordings) {
    const client = startClient()
    try {
      for (const recorded of recording.payloads) {
        const script = findHookScript(recorded.payload)
        const atMs = shiftMs === undefined ? undefined : recorded.at + shiftMs
        const run = script && (await runHookProcess({ ...environment, atMs }, script, recorded.payload, client.pid!))
        await onPayload(recording, recorded, run || undefined)
        // A recording may have several sessions: the next one knows what the ended one has left.
        const { hook_event_name: event, session_id: session } = recorded.payload
        if (event === 'SessionEnd') await waitUntilOrganized(store, session as SessionId)
      }
    } finally {
      await stopClient(client)
    }
  }
  // The last session may have no end, and no later session finds it.
  if (listUnorganizedSessions(store).size > 0) await runWorker(environment, store.project.root)
}

type Client = ChildProcessByStdio<Writable, null, null>

/** A process without work that runs as long as the recorded client did. */
const startClient = (): Client =>
  spawn(process.execPath, ['-e', 'process.stdin.resume()'], {
    env: {},
    stdio: ['pipe', 'ignore', 'ignore'],
    windowsHide: true,
  })

/** It exits when its stdin closes, which also happens if this process is killed. */
const stopClient = (client: Client): Promise<void> =>
  new Promise((done) => {
    client.once('exit', () => done())
    client.stdin.end()
  })

/**
 * Waits until the worker has organized the session and released the store. Returns after a while in any case: the next
 * session start finds the session.
 */
async function waitUntilOrganized(store: Store, session: SessionId): Promise<void> {
  const deadline = Date.now() + ORGANIZE_MAX_MS
  const isBusy = (): boolean =>
    listUnorganizedSessions(store).has(session) || readLockOwner(store.files, store.layout.lock) !== undefined
  while (isBusy() && Date.now() < deadline) await new Promise((done) => setTimeout(done, POLL_MS))
}

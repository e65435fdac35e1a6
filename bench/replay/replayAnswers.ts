// The answers of a replay: any reader acts as the model. After each session the answer in DIR/SESSION.json is stored;
// where there is none, the request is written to DIR/SESSION.txt and the replay stops. The same command goes on there.
//
//   replay ─▶ session organized ─▶ SESSION.json?  yes: stored, go on
//                                                 no: SESSION.txt, replay.json in the store, exit status 3
import fs from 'node:fs'
import path from 'node:path'
import { commitAnswer } from '../../src/broker/distill/answerChanges.ts'
import { DIGEST_TOKENS } from '../../src/broker/distill/distillConfig.ts'
import { prepareSession } from '../../src/broker/distill/prepareSession.ts'
import { runMaintenance } from '../../src/broker/maintenance/maintenance.ts'
import type { Store } from '../../src/broker/open/openStore.ts'
import { readInputFile } from '../../src/cli/context/readInput.ts'
import { parseModelAnswer } from '../../src/distill/modelAnswer.ts'
import type { SessionId } from '../../src/model/id.ts'
import { MemoryError } from '../../src/model/memoryError.ts'
import { writeJsonFile } from '../../src/store/disk/jsonFile.ts'
import { readJson } from '../../src/store/disk/readJson.ts'
import { estimateTokens } from '../../src/text/excerpt.ts'
import { hashHex } from '../../src/text/hash.ts'
import type { RunLine } from './injectionRun.ts'
import type { Recording } from './recordingFiles.ts'

/** How far a store has replayed its recordings. */
interface ReplayState {
  /** Of the recordings: another set cannot go on here. */
  readonly recordings: string
  readonly payloads: number
  /** Sessions to be read before the replay goes on, and the time of their end. */
  readonly due: readonly SessionId[]
  readonly at: number
  /** How often each session was read: one that went on is read again. */
  readonly read: Readonly<Record<string, number>>
  readonly injected: readonly RunLine[]
}

/** A session that waits for an answer. */
export interface WaitingSession {
  readonly session: SessionId
  /** The file with the request, and the file in which the answer is expected. */
  readonly request: string
  readonly answer: string
}

export interface ReplayAnswers {
  /** Payloads that the store has replayed already. */
  readonly payloads: number
  /** What the runs before this one injected. */
  readonly injected: readonly RunLine[]
  /** Stores the answers about the sessions that a stopped replay was waiting for; false while one is missing. */
  resume(): boolean
  /** Stores the answers about these sessions; false if one is missing. */
  onOrganized(sessions: readonly SessionId[], at: number): boolean
  /** Remembers how far the replay has come. */
  save(payloads: number, injected: readonly RunLine[]): void
  readonly waiting: () => WaitingSession | undefined
}

/** The answers in a folder for a replay into this store. Throws USAGE if the store has replayed other recordings. */
export function openReplayAnswers(store: Store, folder: string, recordings: readonly Recording[]): ReplayAnswers {
  const file = `${store.layout.folder}/replay.json`
  const identity = hashHex(recordings.map(({ name, payloads }) => `${name} ${payloads.length}`).join('\n'))
  const before = readJson<ReplayState>(store.files, file)
  if (before && before.recordings !== identity)
    throw new MemoryError('USAGE', `${store.layout.folder} is a replay of other recordings`, {
      hint: 'Name the same recordings, or another folder with `--store DIR`.',
    })
  fs.mkdirSync(folder, { recursive: true })
  const read: Record<string, number> = { ...before?.read }
  let due: readonly SessionId[] = before?.due ?? []
  let at = before?.at ?? 0
  let waiting: WaitingSession | undefined

  const onOrganized = (sessions: readonly SessionId[], now: number): boolean => {
    due = sessions
    at = now
    for (const session of sessions) {
      waiting = readAnswer(store, session, { folder, count: read[session] ?? 0, now })
      if (waiting) return false
      read[session] = (read[session] ?? 0) + 1
      due = due.slice(1)
    }
    return true
  }
  return {
    payloads: before?.payloads ?? 0,
    injected: before?.injected ?? [],
    resume() {
      if (due.length === 0) return true
      const goesOn = onOrganized(due, at)
      runMaintenance(store, { now: at, sessions: [] })
      return goesOn
    },
    onOrganized,
    save: (payloads, injected) =>
      writeJsonFile(store.files, file, {
        recordings: identity,
        payloads,
        due,
        at,
        read,
        injected,
      } satisfies ReplayState),
    waiting: () => waiting,
  }
}

interface AnswerPlace {
  readonly folder: string
  /** How often the session was read before. */
  readonly count: number
  readonly now: number
}

/** Stores the answer about a session, if there is something to read; what waits for one if it is missing. */
function readAnswer(store: Store, session: SessionId, { folder, count, now }: AnswerPlace): WaitingSession | undefined {
  const prepared = prepareSession(store, session, DIGEST_TOKENS)
  if (!prepared) return undefined
  const name = path.join(folder, count === 0 ? session : `${session}-${count + 1}`)
  const { system, user } = prepared.request
  const answer = `${name}.json`
  if (!fs.existsSync(answer)) {
    const request = `${name}.txt`
    fs.writeFileSync(request, `${system}\n\n${user}\n`)
    return { session, request, answer }
  }
  const text = readInputFile(answer)
  // Of an empty file: nobody has read the session, and nobody will.
  if (text.trim() === '') return undefined
  const tokens = { input: estimateTokens(system) + estimateTokens(user), output: estimateTokens(text) }
  commitAnswer(store, prepared, { answer: parseAnswer(text, answer), by: 'import', model: 'answers', tokens, now })
  return undefined
}

function parseAnswer(text: string, file: string) {
  try {
    return parseModelAnswer(text)
  } catch (error) {
    if (!(error instanceof MemoryError)) throw error
    throw new MemoryError('ANSWER_INVALID', `${file}: ${error.message}`, {
      hint: 'Correct the file and run the same command again: it goes on there.',
    })
  }
}

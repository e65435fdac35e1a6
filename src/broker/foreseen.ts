// Foreseen: what the book of calls says of a call that is about to be made, in the session as far as it has come.
import type { CallBook } from '../model/callBook.ts'
import { commandOf, type Event, isCallEnded } from '../model/event.ts'
import type { SessionId } from '../model/id.ts'
import { type CallAhead, type Foresight, foresee, type SoFar } from '../recall/foresight.ts'
import { objectField, type Payload } from '../record/payload.ts'
import { recentEvents } from '../store/log.ts'
import { readManifest } from '../store/shelf.ts'
import { commandFamily, isCheckCommand } from '../text/command.ts'
import { termsOf } from '../text/words.ts'
import { eventOf, visitTo } from './hook/visit.ts'
import type { Store } from './store.ts'
import { bookIn, readWork } from './view/save.ts'

/** How far back in the log this session's own calls are looked at, in bytes. */
const TAIL_BYTES = 262_144

const EDITING = new Set(['Edit', 'MultiEdit', 'Write', 'NotebookEdit'])

/** The book as the view on disk has it. */
export function bookOf(store: Store): CallBook {
  const manifest = readManifest(store.files, store.layout)
  return bookIn(manifest.generation === 0 ? {} : readWork(store, manifest))
}

/** What a PreToolUse payload at `now` (milliseconds since 1970) lets foresee; nothing is recorded. */
export function foreseen(store: Store, book: CallBook, payload: Payload, now: number): Foresight {
  const visit = visitTo(store, now)
  const event = eventOf(payload, visit)
  if (event?.kind !== 'call.started') return { warn: 0, failures: [] }
  const input = objectField(payload, 'tool_input')
  const place = input['file_path'] ?? input['path']
  const command = typeof input['command'] === 'string' ? input['command'] : ''
  const texts = Object.values(input).filter((value) => typeof value === 'string')
  const ahead: CallAhead = {
    ...{ tool: event.tool, command, family: commandFamily(command), shape: event.commandShape ?? '' },
    isCheck: isCheckCommand(command),
    file: typeof place === 'string' ? event.files[0] : undefined,
    names: typeof place === 'string',
    words: [...new Set(termsOf(texts.join(' ').slice(0, 600)))],
  }
  return foresee(
    book,
    ahead,
    soFarIn(store, payload, ahead, typeof place === 'string' ? place : undefined),
    visit.policy.recall.warnAt,
    now,
  )
}

function soFarIn(store: Store, payload: Payload, ahead: CallAhead, place: string | undefined): SoFar {
  const session = payload.session_id as SessionId
  const { files, layout } = store
  const calls = recentEvents(files, layout.events, session, TAIL_BYTES, ['call.succeeded', 'call.failed']).filter(
    isCallEnded,
  )
  const name = place?.slice(place.lastIndexOf('/') + 1)
  const last = calls.findLastIndex((call) => call.tool === 'Bash' && commandFamily(commandOf(call)) === ahead.family)
  const isMentioned =
    !name ||
    recentEvents(files, layout.events, session, TAIL_BYTES, undefined, { newest: 0, holding: [name], holdingMax: 1 })
      .length > 0
  return {
    lastOfFamily:
      ahead.tool === 'Bash' && last !== -1
        ? { failed: calls[last]!.kind === 'call.failed', editsSince: calls.slice(last).filter(isEdit).length }
        : undefined,
    lastFailed: calls.at(-1)?.kind === 'call.failed',
    isMentioned,
  }
}

const isEdit = (event: Event): boolean => event.kind === 'call.succeeded' && EDITING.has(event.tool)

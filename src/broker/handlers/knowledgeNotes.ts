// The entries of knowledge that a hook shows: read from knowledge.json, and from person.json what the person said in
// other projects; matched against the event, without those shown before.
import { matchKnowledge, selectForStart } from '../../knowledge/selectKnowledge.ts'
import {
  callOccasion,
  EARLIER_CALLS_MAX,
  failureOccasion,
  fires,
  isDoneBefore,
  type Occasion,
  promptOccasion,
} from '../../knowledge/when.ts'
import { CALL_RESULT_KINDS, EDIT_TOOLS, type Event, isCallResult } from '../../model/event.ts'
import type { MemoryId } from '../../model/id.ts'
import { isAboutFailures, type KnowledgeFile, type KnowledgeNote } from '../../model/knowledge.ts'
import { RECENT_TAIL_BYTES } from '../../model/limits.ts'
import { findExcludedMemories, type RecallMoment, type RecallQuery } from '../../model/recallQuery.ts'
import { objectOf } from '../../model/unknownJson.ts'
import { isLivedThrough } from '../../recall/recallCandidate.ts'
import type { HookPayload } from '../../record/hookPayload.ts'
import { slashPayload } from '../../record/recordPayload.ts'
import { readJsonAgain, readJsonIfIntact } from '../../store/disk/readJson.ts'
import type { Store } from '../open/openStore.ts'
import { addPersonNotes } from '../projection/personFile.ts'
import { type HookContext, readOwnEvents, readShownAtCalls } from './hookContext.ts'

/** The entries that agents of a role may see, in the order of a start; none if the file is missing or damaged. */
export function readKnowledge(store: Store, viewerRole: string): readonly KnowledgeNote[] {
  const notes = readJsonIfIntact<KnowledgeFile>(store.files, store.layout.knowledge, readJsonAgain)?.notes ?? []
  const own = notes.filter(({ role }) => role === undefined || role === viewerRole)
  return addPersonNotes(store, own)
}

/** Whether the conversation itself has met what the entry is about, in a session that is still open. */
export const isMetHere = (query: RecallQuery, note: KnowledgeNote, compacted: string | undefined): boolean =>
  note.metBy !== undefined &&
  isLivedThrough(query, { kind: 'fact', retention: 'long_term', ...note.metBy, updated: note.lastMet }, compacted)

interface Happening {
  readonly moment: RecallMoment
  readonly event: Event
  readonly payload: HookPayload
  readonly query: RecallQuery
  /** Only of an edit or a command: what such work is expected to meet next, without entries that are `isShown`. */
  readonly selectNear?: SelectNear | undefined
  /** To decide whether the call runs: what is known of its failure counts at once. */
  readonly isForBlock?: boolean
}

/** Passed by the hook that needs it, so that other hooks do not run it. */
export type SelectNear = (
  notes: readonly KnowledgeNote[],
  query: RecallQuery,
  isShown: (note: KnowledgeNote) => boolean,
) => readonly KnowledgeNote[]

/**
 * For a subagent the entries of a start: it is a conversation of its own. At any other moment those that fire; at an
 * edit those too that sessions with such edits have met, at a command one about its programs.
 */
export function findKnowledge(
  known: readonly KnowledgeNote[],
  { moment, event, payload, query, selectNear, isForBlock }: Happening,
  context: HookContext,
  alreadyShown: () => ReadonlySet<MemoryId>,
): readonly KnowledgeNote[] {
  if (known.length === 0) return known
  const { policy, now } = context
  const excluded = findExcludedMemories(policy.recall.exclusions, { moment, now })
  const isAllowed = (note: KnowledgeNote): boolean => note.voice !== 'known' || !excluded.has(note.id)
  if (moment === 'agent') return selectForStart(known.filter(isAllowed), query.branch, policy.knowledge)
  const isHidden = (note: KnowledgeNote): boolean => !isAllowed(note) || alreadyShown().has(note.id)
  // A start is long ago where a rule of the person is about to be broken.
  let atCalls: ReadonlySet<MemoryId> | undefined
  const readAtCalls = () => (atCalls ??= readShownAtCalls(payload, context))
  const isDue = (note: KnowledgeNote, occasion: Occasion): boolean =>
    moment === 'call' &&
    note.breach !== undefined &&
    isAllowed(note) &&
    fires(note.breach, occasion) &&
    !readAtCalls().has(note.id)
  const occasions = listOccasions(event, payload, query)
  // An entry may fire at the error and at the command. What is wanted was due before a call that has failed.
  const matching = occasions.flatMap((occasion) => {
    const isLate = (note: KnowledgeNote): boolean =>
      moment === 'failure' && occasion.at === 'call' && note.voice !== 'known'
    return matchKnowledge(
      known,
      occasion,
      (note) => isLate(note) || (isHidden(note) && !isDue(note, occasion)),
      policy.knowledge,
    )
  })
  let earlier: readonly string[] | undefined
  const isDone = (note: KnowledgeNote): boolean =>
    moment === 'call' &&
    note.voice !== 'known' &&
    isDoneBefore(note, () => (earlier ??= readEarlierCalls(context, payload)))
  const firing = new Set(matching.filter((note) => !isDone(note)))
  const due = [...firing].filter((note) => isForBlock || !isForFailure(note, event))
  const isTaken = (note: KnowledgeNote): boolean => isHidden(note) || firing.has(note)
  const near = selectNear?.(known, query, isTaken) ?? []
  return [...due, ...near].slice(0, policy.knowledge.noteMax)
}

/** A note before a call is read after it, so a known failure waits for the failure. An edit fails in a later check. */
const isForFailure = (note: KnowledgeNote, event: Event): boolean =>
  event.kind === 'call.started' && !EDIT_TOOLS.has(event.tool) && note.voice === 'known' && isAboutFailures(note)

function readEarlierCalls(context: HookContext, payload: HookPayload): string[] {
  return readOwnEvents(context, payload, { bytesMax: RECENT_TAIL_BYTES, kinds: CALL_RESULT_KINDS })
    .filter(isCallResult)
    .slice(-EARLIER_CALLS_MAX)
    .map((call) => callOccasion(call).text)
}

/** The event as occasions, with the whole input of its call: events keep only a part. */
function listOccasions(event: Event, payload: HookPayload, { errorSignature }: RecallQuery): Occasion[] {
  if (event.kind === 'prompt') {
    const prompt = promptOccasion(event.text)
    // A prompt that quotes an error asks about it.
    return errorSignature === undefined
      ? [prompt]
      : [prompt, { at: 'failure', text: '', error: prompt.text, signature: errorSignature }]
  }
  if (event.kind !== 'call.started' && event.kind !== 'call.failed') return []
  const input = objectOf(slashPayload(payload, '')['tool_input'])
  const call = { tool: event.tool, input }
  return event.kind === 'call.started'
    ? [callOccasion(call)]
    : [failureOccasion(call, event.error, event.errorSignature), callOccasion(call)]
}

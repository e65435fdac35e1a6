// SessionStart: a briefing on earlier sessions, from one small file; after a compaction, the state of the session itself.
// A start in a folder that was renamed joins the memory that the folder had before.
import { START_ENTRY_LIMITS } from '../../entries/entry.ts'
import { findOutdated, hasProjectEntryRoot, isMtimeCacheStale } from '../../entries/entryDirs.ts'
import type { Event, EventOf } from '../../model/event.ts'
import { FIRST_WORTH, type KnowledgeNote } from '../../model/knowledge.ts'
import { SNAPSHOT_TAIL_BYTES } from '../../model/limits.ts'
import type { Memory } from '../../model/memory.ts'
import { MemoryError } from '../../model/memoryError.ts'
import type { RecallQuery } from '../../model/recallQuery.ts'
import { buildCompactionContext } from '../../recall/compactionContext.ts'
import { isLivedThrough } from '../../recall/recallCandidate.ts'
import { type BriefingInput, buildSessionBriefing } from '../../recall/sessionBriefing.ts'
import type { HookPayload } from '../../record/hookPayload.ts'
import { storeLayout } from '../../store/disk/paths.ts'
import { countBytesAfter, type LogPosition } from '../../store/log/eventLog.ts'
import { hasContent, readTrust, trustRequestFile } from '../../store/project/contentTrust.ts'
import { createLink, earlierRequestFile, noteEarlier, readEarlier } from '../../store/project/earlierProject.ts'
import { titleOfStore } from '../../store/project/folderEvidence.ts'
import { splitStoreName, storeNameOf } from '../../store/project/project.ts'
import { countActive, type Manifest, STORE_VERSION } from '../../store/snapshot/manifest.ts'
import { readManifest, readManifestIfValid } from '../../store/snapshot/snapshotReader.ts'
import { hasReadingChoice, readShowChoice } from '../open/hookConfig.ts'
import type { Store } from '../open/openStore.ts'
import { findEarlierMemory } from '../open/projectTrust.ts'
import type { SessionStartSnapshot } from '../projection/sessionStartFile.ts'
import {
  commitHookEvents,
  createFileProbe,
  eventFromPayload,
  findDeletedSince,
  type HookContext,
  type HookHandler,
  type HookOutput,
  openHookContext,
  readOwnEvents,
  readSessionStartSnapshot,
  readShownMemories,
} from './hookContext.ts'
import { buildHookQuery } from './hookQuery.ts'
import { isMetHere, readKnowledge } from './knowledgeNotes.ts'
import { buildPersonMessage } from './personMessage.ts'
import { buildRecallOutcome } from './recallOutcome.ts'

export const onSessionStart: HookHandler = (payload, opened) => {
  const event = eventFromPayload(payload, opened)
  if (event?.kind !== 'session.started') return {}
  const snapshot = readSessionStartSnapshot(opened)
  const context = snapshot === undefined ? joinEarlier(opened, event.cwd || opened.store.project.root) : opened
  const hot = context === opened ? snapshot : readSessionStartSnapshot(context)
  const needsMaintenance = isMaintenanceDue(context, hot)
  if (event.source === 'compact') return { ...afterCompaction(event, payload, context), needsMaintenance }
  const { context: note, message: said, ...output } = atStart(event, payload, context, hot)
  const { store } = context
  const joined = context === opened ? undefined : JOINED
  // To the person alone: what they name is for the person, and the model must not be led to it.
  const requests = [joined ?? requestLink(store), requestTrust(store), requestReading(context)]
  const message = readShowChoice(store) === 'off' ? said : joinLines([said, ...requests])
  return { ...output, context: joinLines([note, joined]), message, needsMaintenance }
}

const joinLines = (lines: readonly (string | undefined)[]): string | undefined =>
  lines.filter(Boolean).join('\n') || undefined

/** The briefing. On resume it leaves out what this conversation contains already. */
function atStart(
  event: EventOf<'session.started'>,
  payload: HookPayload,
  context: HookContext,
  hot: SessionStartSnapshot | undefined,
): HookOutput {
  const injected = brief(event, context, (query, { cursor, compacted }) => {
    // A resumed conversation contains the session's own work.
    const since = compacted?.[event.session]
    const isResumed = event.source === 'resume'
    // The conversation may have changed a fact since. What is pinned or asked for at every start is shown again.
    const isPlainFact = ({ type, worth }: KnowledgeNote): boolean => type === 'fact' && worth < FIRST_WORTH
    const isKnown = (note: KnowledgeNote): boolean => isPlainFact(note) || isMetHere(query, note, since)
    const isContained = (memory: Memory): boolean => isResumed && isLivedThrough(query, memory, since)
    return {
      memories: listStanding(context, hot, cursor).filter((memory) => !isContained(memory)),
      knowledge: listKnowledge(context, cursor).filter((note) => !(isResumed && isKnown(note))),
      alreadyShown: hot ? readShownMemories(context, payload, cursor) : new Set<never>(),
    }
  })
  const message = buildPersonMessage(context.store, 'start', { ...injected, obedience: hot?.obedience })
  return injected.text ? { context: injected.text, message } : {}
}

type Selectable = Pick<BriefingInput, 'memories' | 'knowledge' | 'alreadyShown'>

/** Shows the best of what `select` finds, and records the start and what it shows. */
function brief(
  event: EventOf<'session.started'>,
  context: HookContext,
  select: (query: RecallQuery, manifest: Manifest) => Selectable,
): { readonly text: string; readonly notes: number } {
  const { store, policy, policyVersion } = context
  let recalled: Event | undefined
  try {
    const query = buildHookQuery('start', event, context.now)
    const selectable = select(query, readManifest(store.files, store.layout))
    const recall = buildSessionBriefing({ query, ...selectable, policy, fileProbe: createFileProbe(store) })
    context.onResult?.(recall, false)
    const outcome = buildRecallOutcome({ recall, cue: query, cause: event, policy, policyVersion })
    recalled = outcome.event
    return { text: outcome.text, notes: recall.shown.length }
  } finally {
    // Both in one write; the event also if a damaged or newer snapshot stops the recall.
    commitHookEvents(context, event, recalled)
  }
}

function listKnowledge({ store }: HookContext, cursor: LogPosition): readonly KnowledgeNote[] {
  const notes = readKnowledge(store, 'main')
  if (notes.length === 0) return notes
  const deleted = findDeletedSince(store, cursor)
  return deleted.size === 0 ? notes : notes.filter(({ id }) => !deleted.has(id))
}

/** The memories for the briefing, without deleted ones and entries whose files have changed since the snapshot. */
function listStanding(context: HookContext, hot: SessionStartSnapshot | undefined, cursor: LogPosition) {
  const standing = hot?.standing ?? []
  if (standing.length === 0) return standing
  const deleted = findDeletedSince(context.store, cursor)
  const entries = new Set(standing.flatMap(({ id, kind }) => (kind === 'entry' ? id : [])))
  const outdated = entries.size === 0 ? entries : findOutdated(context.store, entries)
  return standing.filter(({ id }) => !deleted.has(id) && !outdated.has(id))
}

/**
 * After a compaction: what the person wants; the conversation's open prompts, changed files, unresolved failures and
 * decisions. Other entries come again when they fire.
 */
function afterCompaction(event: EventOf<'session.started'>, payload: HookPayload, context: HookContext): HookOutput {
  let state = ''
  const wishes = brief(event, context, (_, { cursor }) => {
    state = buildCompactionContext(readOwnEvents(context, payload, { bytesMax: SNAPSHOT_TAIL_BYTES }))
    const words = state.toLowerCase()
    const isLost = ({ voice, line }: KnowledgeNote): boolean => voice !== 'known' && !words.includes(line.toLowerCase())
    return { memories: [], knowledge: listKnowledge(context, cursor).filter(isLost), alreadyShown: new Set() }
  })
  const text = joinLines([wishes.text, state])
  return text ? { context: text, message: buildPersonMessage(context.store, 'compact', { text, notes: 0 }) } : {}
}

/**
 * Whether the snapshot has an earlier version, events wait to be organized (in the snapshot's open list or in the log
 * after it), or entry files have changed; or a hub may have what teammates have learned since.
 */
function isMaintenanceDue(context: HookContext, hot: SessionStartSnapshot | undefined): boolean {
  const { files, layout } = context.store
  try {
    const { version, cursor } = readManifest(files, layout)
    return (
      version < STORE_VERSION ||
      (hot?.open.length ?? 0) > 0 ||
      countBytesAfter(files, layout.events, cursor) > 0 ||
      isMtimeCacheStale(context.store, START_ENTRY_LIMITS) ||
      files.size(`${context.store.home}/hub.json`) !== undefined
    )
  } catch (error) {
    // Maintenance writes a damaged snapshot again; it cannot read that of a later version either.
    return !(error instanceof MemoryError && error.code === 'STORE_NEWER')
  }
}

/** Starts at which the person is asked the same, at most: `memctl status` and `memctl doctor` still say it then. */
const ASKED_MAX = 3

/** A question to the person; undefined if there is none, or it was asked so often. It counts: a byte for each time. */
function ask(files: Store['files'], asked: string, timesMax: number, question: () => string | undefined) {
  if ((files.size(asked) ?? 0) >= timesMax) return undefined
  const text = question()
  if (text !== undefined) files.append(asked, Buffer.from('.'))
  return text
}

const TRUST_REQUEST =
  'memctl: this repository brings entries or settings for memctl (.memctl). They are not used unless you ' +
  'trust them: `memctl project trust` in a terminal. `memctl project untrust` ends this message.'

function requestTrust(store: Store): string | undefined {
  if (!hasProjectEntryRoot(store) || readTrust(store) !== 'undecided') return undefined
  return ask(store.files, trustRequestFile(store), ASKED_MAX, () => (hasContent(store) ? TRUST_REQUEST : undefined))
}

const READING_REQUEST =
  'memctl: Claude can read each finished session in the background and note what later ones should know (about 3,400 ' +
  'tokens of your account each). Answer once: /memctl:read-sessions yes, or no.'

function requestReading({ store: { files, home }, pluginAnswer }: HookContext): string | undefined {
  if (home === undefined || pluginAnswer !== undefined) return undefined
  const question = () => (hasReadingChoice({ files, home }) ? undefined : READING_REQUEST)
  return ask(files, `${home}/reading.asked`, 1, question)
}

/** What the first session says that has the memory of another identity of its folder. */
const JOINED =
  'memctl: this folder has changed its origin or path, and keeps its memory; `memctl project unlink` separates them.'

/** The context with the folder's earlier memory; the same one if there is none, or if the person must decide. */
function joinEarlier(context: HookContext, folder: string): HookContext {
  const { store, now, client } = context
  const { files, layout, home, project } = store
  if (home === undefined || project.linkedFrom !== undefined) return context
  const [earlier] = findEarlierMemory(store, folder)
  if (earlier === undefined) return context
  // Events that are already here are the worker's: it moves them before it links.
  if (!earlier.isCertain || files.list(layout.events).length > 0) {
    noteEarlier(files, layout.folder, earlier.store)
    return context
  }
  createLink(files, layout.folder, earlier.store)
  return { ...context, ...openHookContext(openLinked(store, home, earlier.store), now, client) }
}

function openLinked(store: Store, home: string, name: string): Store {
  const { project } = store
  return {
    ...store,
    project: { ...project, ...splitStoreName(name), linkedFrom: storeNameOf(project) },
    layout: storeLayout(`${home}/projects/${name}`),
  }
}

function requestLink({ files, layout, home, project }: Store): string | undefined {
  if (home === undefined || project.linkedFrom !== undefined) return undefined
  const { store } = readEarlier(files, layout.folder)
  if (store === undefined) return undefined
  return ask(files, earlierRequestFile(layout.folder), ASKED_MAX, () => {
    const manifest = readManifestIfValid(files, storeLayout(`${home}/projects/${store}`))
    // Those that hooks read, private ones included; 0 if the store is damaged.
    const count = manifest ? countActive(manifest) : 0
    if (count === 0) return undefined
    const title = titleOfStore(files, home, store)
    return (
      `memctl: this folder may be the project ${title} (${count} memories), which is not used here. ` +
      `If you want it: \`memctl project link ${store}\` in a terminal; \`memctl project unlink\` ends this message.`
    )
  })
}

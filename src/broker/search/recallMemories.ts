// Recall outside of hooks: what a hook would inject, or a ranked list. It changes no counters and writes nothing.
import type { SessionId } from '../../model/id.ts'
import type { Memory } from '../../model/memory.ts'
import type { RecalledMemory, RecallMoment, RecallQuery, RecallResult } from '../../model/recallQuery.ts'
import { recall } from '../../recall/recall.ts'
import type { OnLeftOut } from '../../recall/selectWithinBudget.ts'
import { commandShape } from '../../text/command.ts'
import { errorSignature } from '../../text/errorSignature.ts'
import { findFilePaths } from '../../text/filePaths.ts'
import { findBranchReference, findTaskReference, normalizeTaskId } from '../../text/taskReference.ts'
import type { LiveStore } from '../live/liveStore.ts'
import type { Store } from '../open/openStore.ts'
import { readActivePolicy } from '../policy/activePolicy.ts'
import { type MemoryFilter, matchesFilter } from '../queries/browse.ts'
import { policyForMoment } from './candidates.ts'
import { withReader } from './liveReader.ts'
import { gatherCandidates, questionFeaturesFor, searchQuestion } from './pipeline.ts'

/** A question for a recall. What is left out is not searched for. */
export interface RecallQuestion {
  /** A question or a prompt; may be empty. */
  readonly text: string
  /** Paths of files the work is about; default: those that the text names. */
  readonly files?: readonly string[] | undefined
  /** A shell command that is about to be run. */
  readonly command?: string | undefined
  /** The text of an error. */
  readonly error?: string | undefined
  /** The git branch of the work. */
  readonly branch?: string | undefined
  /** The issue or task that it is about; default: the one that the text or the branch names. */
  readonly taskId?: string | undefined
  /** The moment whose thresholds and budget are used; default: ask. */
  readonly moment?: RecallMoment | undefined
  /** The largest number of memories, from 1; default: as in the policy. */
  readonly topK?: number | undefined
}

export interface RecallRequest extends RecallQuestion {
  readonly role?: string | undefined
  /** The agent for which it recalls; none for the main conversation. */
  readonly agentId?: string | undefined
  /** The session for which it recalls. */
  readonly session?: string | undefined
  /** Called for every candidate that is not shown. */
  readonly onLeftOut?: OnLeftOut
  /** Milliseconds since 1970. */
  readonly now: number
}

/**
 * What a hook would inject for a request. `openLive` gives the live store of a long-running process; without it one is
 * opened if the log is ahead of the snapshot.
 */
export function recallMemories(store: Store, request: RecallRequest, openLive?: () => LiveStore): RecallResult {
  const { policy } = readActivePolicy(store)
  const moment = request.moment ?? 'ask'
  const limits = { ...policy.recall.moments[moment], ...(request.topK ? { topK: request.topK } : {}) }
  const adjusted = { ...policy, recall: { ...policy.recall, moments: { ...policy.recall.moments, [moment]: limits } } }
  const query = buildRecallQuery(request, moment, request.session)
  return withReader(
    store,
    (reader) => {
      const candidates = gatherCandidates(
        query,
        reader,
        moment === 'ask' ? adjusted : policyForMoment(adjusted, moment),
        store,
      )
      const extraFeatures = questionFeaturesFor(query)
      const { onLeftOut } = request
      return recall({ query, candidates, policy: adjusted, alreadyShown: () => new Set(), extraFeatures, onLeftOut })
    },
    openLive,
  )
}

interface SearchQuery extends MemoryFilter {
  readonly text: string
  readonly limit: number
  /** The viewer: its role and agent, the main conversation by default, and its session. */
  readonly role?: string | undefined
  readonly agentId?: string | undefined
  readonly viewerSession?: string | undefined
  /** Milliseconds since 1970. */
  readonly now: number
}

/** The memories for some words, best first, at most `limit`: the order of `ask`, without thresholds and budget. */
export function searchByWords(store: Store, query: SearchQuery, openLive?: () => LiveStore): RecalledMemory[] {
  const { policy } = readActivePolicy(store)
  const { text, role, agentId, viewerSession, withPrivate, now } = query
  const own = buildRecallQuery({ text, role, agentId, now }, 'ask', viewerSession)
  const recallQuery = withPrivate ? { ...own, viewer: { ...own.viewer, isPerson: true as const } } : own
  // Which private memories the viewer sees is decided by the query.
  const filter = { ...query, withPrivate: true }
  const isWanted = query.kinds || query.tiers ? (memory: Memory) => matchesFilter(memory, filter) : undefined
  return withReader(
    store,
    (reader) =>
      searchQuestion(recallQuery, reader, policy, { limit: query.limit, isWanted })
        .hits.slice(0, query.limit)
        .map(({ load, score, features, breakdown }) => ({ memory: load(), score, features, breakdown })),
    openLive,
  )
}

/** The query of a request. `session` is the viewer's: working memories of other sessions are hidden. */
export function buildRecallQuery(request: RecallRequest, moment: RecallQuery['moment'], session?: string): RecallQuery {
  const { text, files, command, error, branch, taskId, role, agentId, now } = request
  return {
    moment,
    text: [text, command, error].filter(Boolean).join('\n'),
    files: files ?? findFilePaths(text),
    tool: request.command === undefined ? undefined : 'Bash',
    commandShape: command ? commandShape(command) : undefined,
    errorSignature: error ? errorSignature('Bash', error) : undefined,
    branch,
    taskId: taskId === undefined ? (findTaskReference(text) ?? findBranchReference(branch)) : normalizeTaskId(taskId),
    session: session as SessionId | undefined,
    viewer: { role: role ?? 'main', agentId, session },
    now,
  }
}

// Asks the memory from outside any hook: what a hook would inject, or the ranked list. Asking changes no counters and writes nothing.
import type { Cue, Recall, Scored } from '../../model/cue.ts'
import type { SessionId } from '../../model/id.ts'
import type { Memory } from '../../model/memory.ts'
import { recall } from '../../recall/recall.ts'
import { commandShape } from '../../text/command.ts'
import { filesIn } from '../../text/files.ts'
import { errorSignature } from '../../text/signature.ts'
import { type Choice, isChosen } from '../browse.ts'
import type { Desk } from '../desk.ts'
import { servingPolicy } from '../policy/served.ts'
import type { Store } from '../store.ts'
import { forMoment } from './candidates.ts'
import { withReader } from './liveReader.ts'
import { gatherCandidates, moreFeatures, searchQuestion } from './pipeline.ts'

export interface Question {
  readonly text: string
  readonly files?: readonly string[]
  /** A command that is about to be run. */
  readonly command?: string
  /** An error met. */
  readonly error?: string
  readonly branch?: string
  readonly role?: string | undefined
  /** Which moment's thresholds and budget hold; `ask` shows more. */
  readonly moment?: Cue['moment']
  readonly topK?: number
  /** Milliseconds since 1970. */
  readonly now: number
}

/**
 * What would be injected for a question, by the code of the hooks. `desk` is the live store of a process that stays; without it one is
 * opened where the log has anything that the snapshot does not.
 */
export function ask(store: Store, question: Question, desk?: () => Desk): Recall {
  const { policy } = servingPolicy(store)
  const moment = question.moment ?? 'ask'
  const limits = { ...policy.recall.moments[moment], ...(question.topK ? { topK: question.topK } : {}) }
  const own = { ...policy, recall: { ...policy.recall, moments: { ...policy.recall.moments, [moment]: limits } } }
  const cue = questionCue(question, moment)
  return withReader(
    store,
    (reader) => {
      const gathered = gatherCandidates(cue, reader, moment === 'ask' ? own : forMoment(own, moment), store)
      return recall(cue, gathered, own, () => new Set(), moreFeatures(cue))
    },
    desk,
  )
}

interface SearchQuery extends Choice {
  readonly text: string
  readonly limit: number
  /** The role of the viewer; the main conversation where left out. */
  readonly role?: string | undefined
  /** Milliseconds since 1970. */
  readonly now: number
}

/** The memories for some words, best first, at most `limit`: the order in which `ask` considers them, without thresholds and budget. */
export function search(store: Store, query: SearchQuery, desk?: () => Desk): Scored[] {
  const { policy } = servingPolicy(store)
  const cue = questionCue({ text: query.text, role: query.role, now: query.now }, 'ask')
  const isWanted = query.kinds || query.tiers ? (memory: Memory) => isChosen(memory, query) : undefined
  return withReader(
    store,
    (reader) =>
      searchQuestion(cue, reader, policy, { limit: query.limit, isWanted })
        .hits.slice(0, query.limit)
        .map(({ whole, score, features, breakdown }) => ({ memory: whole(), score, features, breakdown })),
    desk,
  )
}

/** A question as a cue. `session` is the viewer's: working memories of another are hidden. */
export function questionCue(question: Question, moment: Cue['moment'], session?: string): Cue {
  const { text, files, command, error, branch, role, now } = question
  return {
    moment,
    text: [text, command, error].filter(Boolean).join('\n'),
    files: files ?? filesIn(text),
    tool: question.command === undefined ? undefined : 'Bash',
    commandShape: command ? commandShape(command) : undefined,
    errorSignature: error ? errorSignature('Bash', error) : undefined,
    branch,
    session: session as SessionId | undefined,
    reader: { role: role ?? 'main', session },
    now,
  }
}

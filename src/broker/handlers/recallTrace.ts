// What a handler tells an observer about its recall: which candidates it had, which it left out, and why. Types only,
// so that a hook, which has no observer, pays nothing for it.
import type { Event } from '../../model/event.ts'
import type { MemoryId } from '../../model/id.ts'
import type { KnowledgeNote } from '../../model/knowledge.ts'
import type { RecallQuery, RecallResult } from '../../model/recallQuery.ts'
import type { RecallFocus } from '../../recall/recallFocus.ts'
import type { OnLeftOut } from '../../recall/selectWithinBudget.ts'
import type { BriefingInput, OnNotStarted } from '../../recall/sessionBriefing.ts'
import type { HookPayload } from '../../record/hookPayload.ts'
import type { SnapshotReader } from '../../store/snapshot/snapshotReader.ts'
import type { FindNearestSessions, IndexedCandidate } from '../search/candidates.ts'

/** A recall about an event, before anything is selected. */
export interface TracedRecall {
  readonly query: RecallQuery
  readonly event: Event
  readonly payload: HookPayload
  /** Open until the handler returns. */
  readonly reader: SnapshotReader
  readonly findSessions: FindNearestSessions | undefined
  /** When the session's main thread was last compacted, ISO. */
  readonly compacted: string | undefined
  readonly deleted: ReadonlySet<MemoryId>
  readonly alreadyShown: () => ReadonlySet<MemoryId>
  /** All candidates, and those that the moment leaves. */
  readonly found: readonly IndexedCandidate[]
  readonly focus: RecallFocus<IndexedCandidate> | undefined
  /** All entries of knowledge, and those that are shown. */
  readonly known: readonly KnowledgeNote[]
  readonly knowledge: readonly KnowledgeNote[]
}

export interface RecallTrace {
  readonly onRecall?: (recall: TracedRecall) => void
  readonly onLeftOut?: OnLeftOut
  readonly onStart?: (start: BriefingInput) => void
  readonly onNotStarted?: OnNotStarted
  /** What is shown, holdout or not, and whether it blocks the call. */
  readonly onResult?: (result: RecallResult, blocks: boolean) => void
}

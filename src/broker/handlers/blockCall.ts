// Blocks a call that would break a rule of the person, or that failed before, once, if the user has configured that.
import type { MemoryId } from '../../model/id.ts'
import type { KnowledgeNote } from '../../model/knowledge.ts'
import type { RecallResult } from '../../model/recallQuery.ts'
import { toRecalled } from '../../recall/recall.ts'
import { renderBlockReason } from '../../recall/renderContext.ts'
import type { HookPayload } from '../../record/hookPayload.ts'
import { isFromTeam } from '../../text/sanitizeText.ts'
import { blocksKnownFailures } from '../open/hookConfig.ts'
import { type HookContext, readShownAtCalls } from './hookContext.ts'

/** The entries that fire at the call, without hidden ones. */
export type FindFiring = (readHidden: () => ReadonlySet<MemoryId>) => readonly KnowledgeNote[]

/**
 * The recall of the entries that block this call; undefined if it may run. What only teammates know blocks nothing.
 * What a start has shown may be long ago, so it blocks too. What is known beside a rule waits for the failure: it
 * blocks neither with the rule nor when the call is made again.
 */
export function findBlockingRecall(
  findFiring: FindFiring,
  payload: HookPayload,
  context: HookContext,
): RecallResult | undefined {
  if (!blocksKnownFailures(context.store)) return undefined
  const firing = findFiring(() => readShownAtCalls(payload, context)).filter((note) => !isFromTeam(note))
  const rules = firing.filter(isRule)
  const blocking = rules.length === 0 && !findFiring(() => NONE).some(isRule) ? firing : rules
  if (blocking.length === 0) return undefined
  return { shown: blocking.map(toRecalled), others: [], text: renderBlockReason(blocking) }
}

/** Whether the call breaks it; else the call fails as it says. */
const isRule = ({ voice }: KnowledgeNote): boolean => voice !== 'known'

const NONE: ReadonlySet<MemoryId> = new Set()

// The project facts that a hook shows: read from facts.json, matched against the event, without those shown before.

import type { Event } from '../../model/event.ts'
import { findExcludedMemories } from '../../model/exclusion.ts'
import type { FactFile, FactNote } from '../../model/factNote.ts'
import type { MemoryId } from '../../model/id.ts'
import type { Memory } from '../../model/memory.ts'
import type { RecallMoment, RecallQuery } from '../../model/recallQuery.ts'
import { isLivedThrough } from '../../recall/ownConversation.ts'
import {
  findNearFact,
  listStartFacts,
  matchFacts,
  selectEditRules,
  selectFactBlock,
  shortenFact,
} from '../../recall/projectFacts.ts'
import type { HookPayload } from '../../record/hookPayload.ts'
import { slashPayload } from '../../record/windowsPayload.ts'
import { readJsonAgain } from '../../store/disk/readJson.ts'
import { callSituation, type FactSituation } from '../../text/factTrigger.ts'
import type { Store } from '../open/openStore.ts'
import type { IndexedCandidate } from '../search/candidates.ts'
import type { HookContext } from './hookContext.ts'

/** The facts that agents of a role may see, the worthiest first; none if the file is missing or damaged. */
export function readFacts({ files, layout }: Store, viewerRole: string): readonly FactNote[] {
  try {
    const facts = readJsonAgain<FactFile>(files, layout.facts)?.facts ?? []
    return facts.filter(({ role }) => role === undefined || role === viewerRole)
  } catch {
    return [] // A damaged file counts as missing: `doctor` reports it.
  }
}

/** Whether the conversation itself has met the fact, in a session that is still open. */
export const isFactLivedThrough = (query: RecallQuery, fact: FactNote, compacted: string | undefined): boolean =>
  fact.metBy !== undefined &&
  isLivedThrough(query, { kind: 'fact', retention: 'long_term', ...fact.metBy, updated: fact.lastMet }, compacted)

/** For a subagent the facts of a start: it is a conversation of its own. At any other moment those about the event. */
export function findFacts(
  moment: RecallMoment,
  known: readonly FactNote[],
  { event, payload, context }: { readonly event: Event; readonly payload: HookPayload; readonly context: HookContext },
  alreadyShown: () => ReadonlySet<MemoryId>,
): readonly FactNote[] {
  const { store, policy, now } = context
  const excluded = findExcludedMemories(policy.recall.exclusions, { moment, now })
  const allowed = excluded.size === 0 ? known : known.filter(({ id }) => !excluded.has(id))
  if (moment !== 'agent') return findMatchingFacts(allowed, context, { event, payload }, alreadyShown)
  const facts = listStartFacts(allowed, policy.facts)
  return selectFactBlock(facts, policy.facts.startTokens, (fact) => isOutdated(store, fact)).map(shortenFact)
}

/** The facts about this event, `noteMax` of the policy at most. `alreadyShown` is called only if a fact matches. */
function findMatchingFacts(
  facts: readonly FactNote[],
  { store, policy }: HookContext,
  { event, payload }: { readonly event: Event; readonly payload: HookPayload },
  alreadyShown: () => ReadonlySet<MemoryId>,
): readonly FactNote[] {
  const situation = situationOf(event, payload)
  if (situation === undefined) return []
  const about = matchFacts(facts, situation, policy.facts).filter((fact) => !isOutdated(store, fact))
  const matching = event.kind === 'call.failed' ? about.map(withOutput) : about
  const isFirst = (rules: readonly FactNote[]) => !rules.some(({ id }) => alreadyShown().has(id))
  const rules = event.kind === 'call.started' ? selectEditRules(facts, situation, policy.facts, isFirst) : []
  const found = [...matching, ...rules.filter((rule) => !matching.some(({ id }) => id === rule.id))]
  if (found.length === 0 && event.kind === 'call.started') {
    const near = findNearFact(facts, situation, (fact) => isOutdated(store, fact) || alreadyShown().has(fact.id))
    return near === undefined ? [] : [near]
  }
  if (found.length === 0) return found
  const shown = alreadyShown()
  return found.filter(({ id }) => !shown.has(id))
}

const withOutput = (fact: FactNote): FactNote => (fact.failureLine ? { ...fact, line: fact.failureLine } : fact)

/** Whether a fact that the conversation has, or is shown now, says what the fix of a lesson says. */
export const isCoveredByFact = (
  facts: readonly FactNote[],
  memory: Memory,
  isShown: (fact: MemoryId) => boolean,
): boolean => facts.some((fact) => saysFix(fact, memory) && isShown(fact.id))

/** Whether a lesson that the conversation has says what a fact says. */
export const isCoveredByLesson = (
  fact: FactNote,
  candidates: readonly IndexedCandidate[],
  alreadyShown: () => ReadonlySet<MemoryId>,
): boolean =>
  candidates.some(
    ({ memory, load }) => memory.kind === 'lesson' && alreadyShown().has(memory.id) && saysFix(fact, load()),
  )

function saysFix({ line }: FactNote, { lesson }: Memory): boolean {
  const steps = lesson?.fix?.steps ?? []
  return steps.length > 0 && steps.every(({ what }) => line.includes(what))
}

/** The claim is that a path does not exist, and it exists. A store without a home folder (a replay) has no files. */
export const isOutdated = ({ files, home, project }: Store, { topic, triggers }: FactNote): boolean =>
  topic === 'path' &&
  home !== undefined &&
  triggers.some(
    ({ paths, errors }) =>
      errors === undefined && paths?.some((path) => files.mtimeMs(`${project.root}/${path}`) !== undefined) === true,
  )

/** The event as a situation, with the whole input of its call: events keep only a part. */
export function situationOf(event: Event, payload: HookPayload): FactSituation | undefined {
  if (event.kind === 'prompt')
    return { files: [], input: event.text, error: event.text.toLowerCase(), command: undefined }
  if (event.kind !== 'call.started' && event.kind !== 'call.failed') return undefined
  const input = (slashPayload(payload, '')['tool_input'] ?? {}) as Readonly<Record<string, unknown>>
  return callSituation(event, input, event.kind === 'call.failed' ? event.error : undefined)
}

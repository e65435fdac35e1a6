// Project facts over sessions: what a session shows is added to what is known, and what is not true any more retires.
import { type CallResult, EDIT_TOOLS } from '../model/event.ts'
import type { FactRemedy, FactState, FactTrigger, NameCounts, ProjectFact } from '../model/fact.ts'
import type { MemoryId } from '../model/id.ts'
import { type Memory, type MemoryMap, newMemory } from '../model/memory.ts'
import type { FactNumbers } from '../model/policy.ts'
import { audienceOf } from '../model/privacy.ts'
import { callSituation, type FactSituation, matchesTrigger } from '../text/factTrigger.ts'
import { deriveMemoryId } from './derivedId.ts'
import { FACT_DETECTORS } from './facts/detectors.ts'
import type { FactSighting, SessionEvidence } from './facts/factSighting.ts'
import { mergeRoutine, routineClaim } from './facts/mergeRoutine.ts'
import { countNames, isOwnPath, mergeTriggers } from './facts/mergeTriggers.ts'
import { isRefused } from './facts/rejectionFacts.ts'
import { findUsageError } from './facts/usageErrors.ts'
import { formatFact } from './formatFact.ts'
import { toMemoryTable } from './memoryTable.ts'

const SESSIONS_MAX = 20
const REMEDIES_MAX = 4
const EVENTS_MAX = 20

/**
 * The facts that a session creates or changes. All of the evidence has one audience, and so have the facts: what only a
 * role may see adds nothing to a fact of everyone, and makes none that everyone knows already.
 */
export function updateFacts(evidence: SessionEvidence, known: MemoryMap, numbers: FactNumbers): Memory[] {
  const { audience = '' } = evidence
  const changed = new Map<MemoryId, Memory>()
  for (const detect of FACT_DETECTORS) {
    for (const sighting of detect(evidence)) {
      const publicId = deriveMemoryId('fact', sighting.topic, sighting.key)
      if (audience !== '' && isKnownToAll(known.get(publicId))) continue
      const knownId = findKnownFact(sighting, known, audience)
      const id =
        knownId ??
        (audience === '' ? publicId : deriveMemoryId('fact', sighting.topic, sighting.key, `role ${audience}`))
      const before = changed.get(id) ?? known.get(id) ?? newFact(id, sighting, evidence)
      // It was released, and stays as it was then.
      if (audienceOf(before) !== audience) continue
      changed.set(id, mergeSighting(before, knownId ? again(sighting) : sighting, evidence, numbers))
    }
  }
  for (const memory of toMemoryTable(known).listFacts()) {
    if (changed.has(memory.id) || memory.fact === undefined || memory.fact.state === 'retired') continue
    if (audienceOf(memory) !== audience) continue
    if (!isRefuted(memory.fact, evidence)) continue
    const refutations = memory.fact.refutations + 1
    changed.set(memory.id, withFact(memory, { ...memory.fact, refutations, ...stateOf(memory, refutations, numbers) }))
  }
  return [...changed.values()]
}

/** A sighting of a fact that knows more than this session has found: it only counts. */
const again = (sighting: FactSighting): FactSighting => ({ ...sighting, remedy: undefined, triggers: [] })

/** Whether everyone knows the fact. */
const isKnownToAll = (memory: Memory | undefined): boolean =>
  memory?.fact !== undefined && memory.fact.state !== 'retired' && memory.privacy === 'public'

function newFact(id: MemoryId, { at }: FactSighting, { branch, audience = '' }: SessionEvidence): Memory {
  const visibility = audience === '' ? {} : { privacy: 'agent-only' as const, role: audience }
  return newMemory({
    id,
    kind: 'fact',
    content: '',
    created: at,
    branch,
    outcome: 'success',
    sessionCount: 0,
    ...visibility,
  })
}

function mergeSighting(known: Memory, sighting: FactSighting, evidence: SessionEvidence, numbers: FactNumbers): Memory {
  const { session, events } = evidence
  const before = known.fact
  const isNewSession = before?.sessions.includes(session) !== true
  const sessionCount = known.sessionCount + (isNewSession ? 1 : 0)
  const triggers = mergeTriggers(before?.triggers ?? [], sighting)
  const counts = sighting.countedNames && countNames(before?.counts ?? {}, isNewSession ? sighting.countedNames : [])
  const routine = mergeRoutine(before?.routine, sighting.routine, isNewSession)
  const fact: ProjectFact = {
    topic: sighting.topic,
    claim: routine
      ? routineClaim(sighting.claim, sighting.key, routine, sessionCount)
      : claimOf(sighting, { triggers, counts, sessionCount, before }),
    remedies: mergeRemedies(before?.remedies ?? [], sighting, isNewSession),
    state: sessionCount >= numbers.standingSessions ? 'standing' : 'proposed',
    sessions: [...(before?.sessions ?? []).filter((other) => other !== session), session].slice(-SESSIONS_MAX),
    lastAgentId: events.findLast(({ id }) => sighting.events.includes(id))?.agentId,
    failures: (before?.failures ?? 0) + sighting.failures,
    lastMet: sighting.at,
    refutations: 0,
    triggers,
    routine,
    counts,
  }
  return withFact(
    {
      ...known,
      sessionCount,
      updated: sighting.at,
      files: [...new Set([...(sighting.files ?? []), ...known.files])].slice(0, 12),
      events: [...new Set([...known.events, ...sighting.events])].slice(-EVENTS_MAX),
    },
    fact,
  )
}

/** The fact that knows the same wrong path and the right one, or that the folder of the path does not exist. */
function findKnownFact(
  { topic, remedy, triggers }: FactSighting,
  known: MemoryMap,
  audience: string,
): MemoryId | undefined {
  const path = triggers[0]?.paths?.[0]
  if (topic !== 'path' || path === undefined) return undefined
  const knows = ({ fact, privacy, role }: Memory) =>
    fact?.topic === 'path' &&
    audienceOf({ privacy, role }) === audience &&
    fact.state !== 'retired' &&
    fact.remedies.length > 0 &&
    fact.triggers
      .filter(isOwnPath)
      .some(({ paths }) =>
        paths?.some((other) => path.startsWith(`${other}/`) || (other === path && remedy === undefined)),
      )
  return toMemoryTable(known).listFacts().find(knows)?.id
}

interface Counted {
  readonly triggers: readonly FactTrigger[]
  readonly counts: NameCounts | undefined
  readonly sessionCount: number
  readonly before: ProjectFact | undefined
}

function claimOf(sighting: FactSighting, { triggers, counts, sessionCount, before }: Counted): string {
  if (sighting.toClaim === undefined) return sighting.claim
  const isKnown = before !== undefined && sighting.countedNames === undefined && sighting.triggers.length === 0
  return isKnown ? before.claim : sighting.toClaim(triggers, counts ?? {}, sessionCount)
}

/** The remedies with this session's one counted: most sessions first, of equal ones the latest. */
function mergeRemedies(
  known: readonly FactRemedy[],
  { remedy, at }: FactSighting,
  isNewSession: boolean,
): readonly FactRemedy[] {
  if (remedy === undefined) return known
  const before = known.find(({ text }) => text === remedy)
  const sessions = (before?.sessions ?? 0) + (isNewSession || before === undefined ? 1 : 0)
  return [...known.filter(({ text }) => text !== remedy), { text: remedy, sessions, last: at }]
    .sort((a, b) => b.sessions - a.sessions || (a.last < b.last ? 1 : -1))
    .slice(0, REMEDIES_MAX)
}

const withFact = (memory: Memory, fact: ProjectFact): Memory => ({ ...memory, fact, content: formatFact(fact) })

/** A path that exists is enough to retire a fact; a command may pass by chance, so it takes more sessions. */
function stateOf(
  { fact, sessionCount }: Memory,
  refutations: number,
  { retireAfter, standingSessions }: FactNumbers,
): { readonly state: FactState } {
  if (fact?.topic === 'path' || refutations >= retireAfter) return { state: 'retired' }
  return { state: sessionCount >= standingSessions ? 'standing' : 'proposed' }
}

/** Only these prove that a path exists: a search passes without a result, and a command may hide its errors. */
const PATH_TOOLS: ReadonlySet<string> = new Set(['Read', ...EDIT_TOOLS])

/** Whether a call of the session shows that the fact is not true: what should fail passed, without the remedy. */
function isRefuted({ topic, triggers }: ProjectFact, { calls, tasks }: SessionEvidence): boolean {
  if (topic === 'rejection') {
    // `git add -A` may add what was rejected, but it does not say so.
    const exact = triggers.filter(({ parts }) => parts !== undefined)
    return (exact.length > 0 ? exact : triggers).some((trigger) => isAcceptedUnasked(trigger, calls, tasks))
  }
  if (topic !== 'path' && topic !== 'command' && topic !== 'tool') return false
  const ownTriggers = triggers.filter(({ errors, code }) => errors === undefined && code === undefined)
  const paths = ownTriggers.flatMap((trigger) => trigger.paths ?? [])
  return calls.some((call) => {
    if (call.kind !== 'call.succeeded') return false
    if (topic === 'path') return PATH_TOOLS.has(call.tool) && call.files.some((file) => isInside(file, paths))
    const matches = ownTriggers.some((trigger) => matchesTrigger(trigger, situationOf(call)))
    return matches && findUsageError(call) === undefined
  })
}

const isInside = (file: string, paths: readonly string[]): boolean =>
  paths.some((path) => file === path || file.startsWith(`${path}/`))

/** Whether a command that was rejected before ran now, although the task's prompt did not ask for it. */
function isAcceptedUnasked(
  trigger: FactTrigger,
  calls: readonly CallResult[],
  tasks: SessionEvidence['tasks'],
): boolean {
  const word = trigger.command?.split(/[ :]/).at(-1)
  if (word === undefined) return false
  const ran = calls.filter((call) => !isRefused(call) && matchesTrigger(trigger, situationOf(call)))
  return ran.some((call) => {
    const prompt = tasks.findLast(({ events }) => events.some(({ id }) => id === call.id))?.prompt
    return prompt?.text.toLowerCase().includes(word.toLowerCase()) !== true
  })
}

/** A call that ended, as a situation that triggers are matched against. */
const situationOf = (call: CallResult): FactSituation =>
  callSituation(call, call.input, call.kind === 'call.failed' ? call.error : undefined)

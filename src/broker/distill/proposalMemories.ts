// The proposals of a model as memories. They are marked with the tag `model` and have the trust of a tool, and what a
// person said, wrote or pinned is never replaced by them.
import type { CheckedAnswer, SupportedProposal } from '../../distill/checkProposals.ts'
import type { ProposedDecision, ProposedLearning, ProposedStatement } from '../../distill/modelAnswer.ts'
import type { CallResult, Event } from '../../model/event.ts'
import { EDIT_TOOLS, isCallResult } from '../../model/event.ts'
import type { EventId } from '../../model/id.ts'
import { computeImportance } from '../../model/importance.ts'
import { type Memory, type MemoryKind, type MemoryMap, newMemory } from '../../model/memory.ts'
import { deriveMemoryId } from '../../organize/derivedId.ts'
import { findTraits } from '../../text/statement/language.ts'
import { listSubjectTerms } from '../../text/statement/subjectTerms.ts'
import { extractTerms } from '../../text/terms/extractTerms.ts'
import { sanitize } from '../commands/newMemory.ts'
import { DEFAULT_POLICY } from '../policy/activePolicy.ts'

/** The tag of every memory that a model proposed. */
const MODEL_TAG = 'model'

/** Kinds of memories that have what a person said or wrote. */
const SPOKEN_KINDS: readonly MemoryKind[] = ['preference', 'decision', 'entry']

const EVENTS_MAX = 20
const FILES_MAX = 8

/** The memories to store. A proposal that is known already, or that a person has said in these words, gives none. */
export function proposalMemories(answer: CheckedAnswer, events: readonly Event[], known: MemoryMap): Memory[] {
  const context = { events: new Map(events.map((event) => [event.id, event])), branch: findBranch(events) }
  const proposed = [
    ...answer.statements.map((supported) => statementMemory(supported, context)),
    ...answer.decided.map((supported) => decisionMemory(supported, context, listEditedFiles(events))),
    ...answer.learned.map((supported) => learnedMemory(supported, context)),
  ]
  const spoken = [...known.values()].filter(
    ({ kind, tags }) => SPOKEN_KINDS.includes(kind) && !tags.includes(MODEL_TAG),
  )
  const unique = new Map(proposed.map((memory) => [memory.id, sanitize(memory)]))
  return [...unique.values()].filter((memory) => !known.has(memory.id) && !isSpoken(memory, answer, spoken))
}

interface ProposalContext {
  readonly events: ReadonlyMap<EventId, Event>
  readonly branch: string | undefined
}

type Supported<T> = SupportedProposal<T>

function statementMemory({ proposal, items }: Supported<ProposedStatement>, context: ProposalContext): Memory {
  const { type, scope, strength, statement, short, quote } = proposal
  const isPreference = type === 'preference' || type === 'rule'
  const common = commonFields(items, context, strength / 4)
  const traits = findTraits(statement)
  // As for a statement that rules have found, so that a later one of the person supersedes it.
  const isBan = traits.has('ban') || (traits.has('rule') && traits.has('negated'))
  return newMemory({
    ...common,
    tags: isBan ? [...common.tags, 'ban'] : common.tags,
    branch: scope === 'person' ? undefined : context.branch,
    id: deriveMemoryId('distilled', 'statement', termKey(statement)),
    kind: isPreference ? 'preference' : 'decision',
    content: formatQuoted(statement, quote),
    statement: { type, scope, strength, origin: 'model', short, subject: listSubjectTerms(short) },
  })
}

/** A statement with the words of the person, which search finds too. */
const formatQuoted = (statement: string, quote: string): string => `${statement} ("${quote}")`

function decisionMemory(
  { proposal, items }: Supported<ProposedDecision>,
  context: ProposalContext,
  files: readonly string[],
): Memory {
  const { text, reason } = proposal
  return newMemory({
    ...commonFields(items, context, 0),
    id: deriveMemoryId('distilled', 'decision', termKey(text)),
    kind: 'decision',
    content: reason === '' ? text : `${text} (${reason})`,
    files: files.slice(0, FILES_MAX),
    // The assistant decided it, so it is no instruction of the person: only search finds it.
    statement: {
      type: 'decision',
      scope: 'project',
      strength: 1,
      origin: 'assistant',
      short: text,
      subject: listSubjectTerms(text),
      ...(reason !== '' && { reason }),
    },
  })
}

function learnedMemory({ proposal, items }: Supported<ProposedLearning>, context: ProposalContext): Memory {
  const { kind, text, remedy } = proposal
  const failure = findFailure(items, context)
  const common = {
    ...commonFields(items, context, 0),
    id: deriveMemoryId('distilled', kind, termKey(text)),
    content: remedy === '' ? text : `${text} ${remedy}`,
    commandShape: failure?.commandShape,
    // Of a tool without a command the error is too general: every missing file would match.
    errorSignature: failure?.kind === 'call.failed' && failure.commandShape ? failure.errorSignature : undefined,
    files: failure?.files ?? [],
  }
  if (kind === 'lesson') return newMemory({ ...common, kind, lessons: remedy === '' ? [] : [remedy] })
  const { created, session } = common
  return newMemory({
    ...common,
    kind,
    fact: {
      topic: failure?.commandShape === undefined ? 'rule' : 'command',
      claim: text,
      remedies: remedy === '' ? [] : [{ text: remedy, sessions: 1, last: created }],
      state: 'proposed',
      sessions: session === undefined ? [] : [session],
      failures: items.filter((item) => item.kind === 'failed').length,
      lastMet: created,
      refutations: 0,
      triggers: [],
    },
  })
}

type Items = Supported<unknown>['items']

function commonFields(items: Items, { events, branch }: ProposalContext, userSignal: number) {
  const ids = [...new Set(items.flatMap((item) => item.events))].slice(-EVENTS_MAX)
  const first = items[0]
  const event = ids.flatMap((id) => events.get(id) ?? [])[0]
  const terms = { outcome: 0.1, reuse: 0, crossImpact: 0, novelty: 0.5, userSignal, costSaved: 0 }
  return {
    created: first?.at ?? event?.at ?? '',
    session: event?.session,
    taskId: event?.taskId,
    branch,
    trust: 'tools' as const,
    tags: [MODEL_TAG],
    events: ids,
    importance: computeImportance(terms, DEFAULT_POLICY.importance),
    importanceTerms: terms,
  }
}

function findFailure(items: Items, { events }: ProposalContext): CallResult | undefined {
  const cited = items.filter((item) => item.kind === 'failed').flatMap((item) => item.events)
  return cited.flatMap((id) => events.get(id) ?? []).find(isCallResult)
}

function findBranch(events: readonly Event[]): string | undefined {
  const last = events.findLast((event) => event.kind === 'prompt' && event.branch !== undefined)
  return last?.kind === 'prompt' ? last.branch : undefined
}

function listEditedFiles(events: readonly Event[]): string[] {
  const edits = events
    .filter(isCallResult)
    .filter((call) => call.kind === 'call.succeeded' && EDIT_TOOLS.has(call.tool))
  return [...new Set(edits.flatMap((call) => call.files))]
}

/** A shorter text may be part of anything. */
const SPOKEN_CHARS_MIN = 12

/**
 * Whether a person's own statement says it already: one contains the terms of the other. A statement that was kept as
 * uncertain does not count if the model is sure: it would never be injected.
 */
function isSpoken(memory: Memory, { statements }: CheckedAnswer, spoken: readonly Memory[]): boolean {
  const source = statements.find(({ proposal }) => formatQuoted(proposal.statement, proposal.quote) === memory.content)
  if (!source) return false
  const { quote, strength } = source.proposal
  const words = normalize(quote)
  return spoken.some(({ content, statement }) => {
    const text = normalize(content)
    const isSame = text.includes(words) || (text.length >= SPOKEN_CHARS_MIN && words.includes(text))
    return isSame && (statement?.strength ?? strength) >= Math.min(2, strength)
  })
}

const normalize = (text: string): string => extractTerms(text).join(' ')

const termKey = (text: string): string => normalize(text) || text

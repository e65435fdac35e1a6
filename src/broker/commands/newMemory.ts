// Builds memories and changes from a caller's input, without private parts and secrets, as in events from hooks.
import { findTypedRules } from '../../knowledge/typedRules.ts'
import { computeImportance } from '../../model/importance.ts'
import { isAboutFailures, isPersonsText, KNOWLEDGE_CHARS_MAX, type Trigger } from '../../model/knowledge.ts'
import { type Memory, type MemoryChange, type MemoryKind, newMemory, type Outcome } from '../../model/memory.ts'
import { PRIVACY_LEVELS, type Privacy } from '../../model/privacy.ts'
import { summarizeExtractively } from '../../organize/extractiveSummary.ts'
import { hideSecrets as hideSecretsIn, redactDeepThoroughly } from '../../record/redact/secondPass.ts'
import { removePrivateDeep, removePrivateParts } from '../../record/sanitizePayload.ts'
import { oneLine } from '../../text/excerpt.ts'
import { removeHidden } from '../../text/sanitizeText.ts'
import { normalizeTaskId } from '../../text/taskReference.ts'
import { DEFAULT_POLICY } from '../policy/activePolicy.ts'

/** For entry points, which import no phase. */
export const hideSecrets = hideSecretsIn

/** Removes secrets and private parts from all texts in a value. */
export const sanitize = <T>(value: T): T => redactDeepThoroughly(removePrivateDeep(value)) as T

/** Whether nothing is left of a text without its private parts and what nobody sees. */
export const isEmptyText = (text: string): boolean =>
  removeHidden(removePrivateParts(text)).replaceAll('[private]', '').trim() === ''

interface MemoryInput
  extends Pick<Memory, 'id' | 'content' | 'contentType' | 'retention' | 'tags' | 'metadata' | 'agentId' | 'session'> {
  /** These have the default of a memory of the main conversation. */
  readonly privacy?: Privacy | undefined
  readonly role?: string | undefined
  readonly outcome?: Outcome | undefined
  readonly lessons?: readonly string[] | undefined
  /** An issue or another name of a task; a reference is stored in its short form. */
  readonly taskId?: string | undefined
  /** Seconds until it expires, from 0 up. */
  readonly ttlSeconds?: number | undefined
  /** Milliseconds since 1970. */
  readonly now: number
}

/** Of what somebody stored on purpose, if nothing else is known yet. */
export const STORED_TERMS = { outcome: 0.1, reuse: 0, crossImpact: 0, novelty: 0.5, userSignal: 1, costSaved: 0 }

export function memoryFromInput(input: MemoryInput): Memory {
  const { id, contentType, retention, agentId, session, ttlSeconds, now } = input
  const { content, tags, metadata, privacy = 'public', role = 'main', outcome = 'unknown', lessons = [] } = input
  const taskId = input.taskId && normalizeTaskId(input.taskId)
  const texts = sanitize({ content, tags, metadata, lessons: uniqueTexts(lessons), taskId })
  const fields = {
    id,
    contentType,
    retention,
    ...texts,
    tags: uniqueTexts(texts.tags),
    trust: 'tools' as const,
    session,
    agentId,
    privacy,
    role: role.trim(),
    outcome,
    kind: 'entry' as const,
    source: 'manual' as const,
    importance: computeImportance(STORED_TERMS),
    importanceTerms: STORED_TERMS,
    created: new Date(now).toISOString(),
    expires: ttlSeconds === undefined ? undefined : expiryTime(now, ttlSeconds),
  }
  return newMemory(fields, DEFAULT_POLICY.strength.initial)
}

/** With a new text from an agent, an entry of knowledge is the model's: without this it would be the person's. */
export const wordsOfAgent = ({ knowledge }: Memory, content: string | undefined): Pick<MemoryChange, 'knowledge'> =>
  knowledge && content !== undefined
    ? { knowledge: { ...knowledge, author: 'model', line: oneLine(content, KNOWLEDGE_CHARS_MAX) } }
    : {}

/** The latest time of a JavaScript date. */
const TIME_MS_MAX = 8.64e15

const expiryTime = (now: number, seconds: number): string =>
  new Date(Math.min(TIME_MS_MAX, now + 1000 * seconds)).toISOString()

/** The texts without blank edges; each one once, and none that is empty. */
export const uniqueTexts = (texts: readonly string[]): string[] => [
  ...new Set(texts.map((text) => text.trim()).filter(Boolean)),
]

// A person corrects what memctl or a model wrote: it stays what it is.

/**
 * Whether a memory keeps its kind when this text replaces it: what a session was about does, and a lesson or fact that
 * nobody said unless the text is a rule.
 */
export function keepsKind({ kind, knowledge }: Memory, text: string): boolean {
  const isWish = knowledge ? isPersonsText(knowledge) || !isAboutFailures(knowledge) : WISHES.includes(kind)
  if (isWish) return false
  return ACCOUNTS.includes(kind) || findTypedRules(text, { reply: true }).length === 0
}

const WISHES: readonly MemoryKind[] = ['preference', 'decision']
const ACCOUNTS: readonly MemoryKind[] = ['summary', 'experience', 'consolidated']

/** The memory with the words of a new one, and its triggers if some are given: about the same, and not shown yet. */
export function correctMemory(
  before: Memory,
  { knowledge: said, ...words }: Memory,
  when: readonly Trigger[] | undefined,
): Memory {
  const { kind, privacy, role, agentId, session, taskId, files, branch, outcome, knowledge } = before
  const { commandShape, errorSignature, editedFiles } = before
  const about = { kind, privacy, role, agentId, taskId, files, branch, outcome }
  const memory = { ...words, ...about, commandShape, errorSignature, editedFiles, tags: [] }
  if (!knowledge || !said) return { ...memory, session, provenance: said?.author === 'person' ? 'person' : undefined }
  const { quote: _, asked: __, ...own } = said
  const { type, scope, expected } = knowledge
  const record = { ...knowledge.record, shown: 0, obeyed: 0, broken: 0, refuted: 0 }
  return { ...memory, knowledge: { ...own, type, scope, expected, when: when ? said.when : knowledge.when, record } }
}

// Summarizes memories: several into one new memory, or one text. A consolidated memory is as private as its most
// private source.

/** Length of a consolidated memory, in characters: half of its sources within these limits. */
const CONSOLIDATED_CHARS_MIN = 600
const CONSOLIDATED_CHARS_MAX = 4_000

/** Characters of a summary: two or three sentences. */
const SUMMARY_CHARS_MAX = 400

interface ConsolidationInput extends Pick<MemoryInput, 'id' | 'now'> {
  /** The tags of all sources if left out. */
  readonly tags?: readonly string[] | undefined
  readonly metadata?: Readonly<Record<string, unknown>> | undefined
}

/** A new memory that summarizes these sources. There must be at least one source. */
export function consolidateMemories(sources: readonly Memory[], input: ConsolidationInput): Memory {
  const { id, tags, metadata, now } = input
  const texts = sources.map((memory) => memory.content)
  const chars = texts.reduce((sum, text) => sum + text.length, 0)
  const maxChars = Math.min(CONSOLIDATED_CHARS_MAX, Math.max(CONSOLIDATED_CHARS_MIN, chars / 2))
  const union = (field: (memory: Memory) => readonly string[]): string[] => [...new Set(sources.flatMap(field))]
  const { privacy, role, agentId, session } = sources.reduce((mostPrivate, memory) =>
    privacyRank(memory) < privacyRank(mostPrivate) ? memory : mostPrivate,
  )
  return newMemory(
    {
      id,
      content: summarizeExtractively(texts, maxChars),
      privacy,
      role,
      kind: 'consolidated',
      source: 'manual',
      // A public memory belongs to no agent or session.
      ...(privacy === 'public' ? {} : { agentId, session }),
      lessons: union((memory) => memory.lessons),
      tags: tags ? sanitize([...new Set(tags)]) : union((memory) => memory.tags),
      metadata: sanitize(metadata ?? {}),
      consolidatedFrom: sources.map((memory) => memory.id),
      files: union((memory) => memory.files).slice(0, 40),
      importance: Math.max(...sources.map((memory) => memory.importance)),
      trust: sources.some((memory) => memory.trust === 'outside') ? 'outside' : 'tools',
      created: new Date(now).toISOString(),
    },
    DEFAULT_POLICY.strength.initial,
  )
}

/** 0 is the most private level. */
const privacyRank = (memory: Memory): number => PRIVACY_LEVELS.indexOf(memory.privacy)

/** The most important sentences of a text without secrets, at most 400 characters; empty for a text without words. */
export const summarizeText = (text: string): string => summarizeExtractively([sanitize(text)], SUMMARY_CHARS_MAX)

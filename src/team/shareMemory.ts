// What of a machine's memories is shared, and how a memory is compared with the team's version of it.
import type { Knowledge } from '../model/knowledge.ts'
import { type Memory, type MemoryKind, PERSONAL_TAG } from '../model/memory.ts'
import { hashHex } from '../text/hash.ts'
import { removeHidden } from '../text/sanitizeText.ts'
import { type ReadMode, readIfValid } from './fieldReaders.ts'
import { readSharedFields } from './sharedFields.ts'
import type { Counts, SharedFields, TeamEntry } from './teamRow.ts'

export interface SharePolicy {
  readonly kinds: readonly MemoryKind[]
  /** Shares agent-only memories too. */
  readonly agentOnly: boolean
  /** Shares what a person said about themselves, which holds in every project: for one person with several machines. */
  readonly personal: boolean
}

/** Raised with each change of what is shared: then every machine compares all of its memories once more. */
export const SHARE_RULES = 2

/**
 * Whether the policy lets it leave the machine. Private memories, working memories, imported ones and words of a person
 * that may not be a rule never do. Archived ones do so only if they were shared before: `isShared`.
 */
export function canShare(memory: Memory, policy: SharePolicy, isShared: boolean): boolean {
  const { privacy, retention, kind, status, knowledge, originProject, entrySource, source, team } = memory
  if (privacy === 'private' || retention === 'working' || originProject !== undefined || source === 'import')
    return false
  // git carries the entries of a repository, and a branch that does not have one deletes nothing for others.
  if (entrySource !== undefined) return false
  if (privacy === 'agent-only' && !policy.agentOnly) return false
  // The words of a teammate, after this machine has left: they are not its own to share.
  if (team?.isTheirs && !isShared) return false
  if (!policy.kinds.includes(kind) || isUncertain(knowledge) || !(status === 'active' || isShared)) return false
  return policy.personal || !isAboutPerson(memory)
}

/** What a person says of themselves or of somebody else, whatever rule it is the reason for: it is not for a team. */
function isAboutPerson({ knowledge, tags, content, lessons, learnings, team }: Memory): boolean {
  if (knowledge?.scope === 'person' || tags.includes(PERSONAL_TAG)) return true
  if (team?.isTheirs || knowledge?.author === 'rule' || knowledge?.author === 'teammate') return false
  const { line, quote, reason } = knowledge ?? {}
  const texts = [content, ...lessons, ...Object.values(learnings), line, quote, reason]
  return texts.some((text) => text !== undefined && ABOUT_PERSON.test(toSmallLetters(text)))
}

/** As a reader sees it, whatever its case and width. `I` and `EU` mean something else in small letters. */
const toSmallLetters = (text: string): string =>
  removeHidden(text)
    .normalize('NFKC')
    .replace(/(?!(?:I|EU)(?!\p{L}))\p{Lu}+/gu, (letters) => letters.toLowerCase())

/** I, my, his and so on as words: not in names such as `my-app`, `npm i` or I/O. */
const ABOUT_PERSON = new RegExp(
  String.raw`(?<![\p{L}\p{N}_.\x60/-])(?:I(?!/)|(?<!\bp?npm )i(?= \p{L}|['’])|m(?:e|y|yself|ine)|s?he|` +
    String.raw`h(?:is|im(?:self)?|er(?:s|self)?)|ich|mein\p{L}*|mi(?:ch|r|s|o|a)?|j(?:e(?= )|['’])|` +
    String.raw`m(?:on|a|es|oi)|yo|eu|m(?:eu|inha))(?![\p{L}\p{N}_]|[./-]\p{L})|[私俺僕彼我]|自分|` +
    'わたく?し|あたし|ぼく|おれ|(?<![ァ-ヺー])(?:ワタク?シ|アタシ|ボク|オレ)(?![ァ-ヺー])|(?:나|저)는|(?:내|제)가',
  'u',
)

/** Typed as if it were a rule, and the model that read the session took it for none. */
const isUncertain = (knowledge: Knowledge | undefined): boolean =>
  knowledge?.author === 'person' && knowledge.state === 'proposed' && knowledge.asked !== true

/** Removes secrets from a text, the same way each time. */
export type CleanText = NonNullable<ReadMode['cleanText']>

/**
 * The shared part of one's own memory, within the limits and clean, or without `cleanText` as it is; undefined if it
 * has a value that none may have.
 */
export const readOwnFields = (memory: Memory, cleanText?: CleanText): SharedFields | undefined =>
  readIfValid(readSharedFields, memory, { clips: cleanText !== undefined, cleanText })

/**
 * Two texts with the same hash say the same. What differs between machines that have learned the same does not count:
 * times, importance, and how often exactly a way has worked.
 */
export function hashFields(fields: SharedFields | undefined): string {
  if (fields === undefined) return ''
  const { importance: _importance, updated: _updated, created: _created, knowledge, ...rest } = fields
  const ways = knowledge?.ways?.map(({ last: _last, sessions, ...way }) => ({ ...way, isProven: sessions > 1 }))
  return hashHex(JSON.stringify({ ...rest, knowledge: knowledge && { ...knowledge, ways } }))
}

/** A memory never changes: another version is another object. One exchange asks several times for each. */
const hashes = new WeakMap<Memory, string>()

/** Memories that are as a row of the hub has them. */
const received = new WeakSet<Memory>()

/** Notes that a new memory is as its row has it, so that it is not compared. */
export const markReceived = (memory: Memory): void => void received.add(memory)

/** Whether nothing of a memory is new to the team: it was received, and the hub still has what was received. */
export const isAsReceived = (memory: Memory, entry: TeamEntry | undefined): boolean =>
  entry !== undefined && entry.seen !== '' && !entry.own && received.has(memory)

/** The hash of a memory as it is here. A text that is longer than others may have is compared as it would be sent. */
export function hashMemory(memory: Memory, cleanText: CleanText): string {
  const hash = hashes.get(memory) ?? hashFields(readOwnFields(memory) ?? readOwnFields(memory, cleanText))
  hashes.set(memory, hash)
  return hash
}

/** A memory's counts as they are shared. */
export const countsOf = ({ knowledge, ...memory }: Memory): Counts => ({
  uses: memory.accessCount,
  candidates: memory.candidateCount,
  impact: memory.impactScore,
  meetings: memory.meetings,
  sessions: memory.sessionCount,
  met: knowledge?.record.met,
  shown: knowledge?.record.shown,
  obeyed: knowledge?.record.obeyed,
  broken: knowledge?.record.broken,
})

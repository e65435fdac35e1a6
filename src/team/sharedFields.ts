// The fields of a memory that are shared: which, how long, and how they are cleaned. The same readers take them from
// one's own memory and from a row of the hub, so what one machine sends the others read unchanged.
import {
  FRAGMENT_CHARS_MAX,
  FRAGMENTS_MAX,
  KNOWLEDGE_CHARS_MAX,
  KNOWLEDGE_SCOPES,
  KNOWLEDGE_STATES,
  KNOWLEDGE_TYPES,
  type KnownWay,
  TRIGGER_MOMENTS,
  TRIGGERS_MAX,
  type Trigger,
} from '../model/knowledge.ts'
import {
  CONTENT_TYPES,
  MEMORY_KINDS,
  MEMORY_SCOPES,
  MEMORY_SOURCES,
  OUTCOMES,
  PROVENANCES,
  TRUST_LEVELS,
} from '../model/memory.ts'
import { AMOUNT_MAX } from '../model/strength.ts'
import { keepByText } from '../text/pattern.ts'
import { foldLetters } from '../text/sanitizeText.ts'
import {
  isoTimeText,
  list,
  name,
  number,
  object,
  oneOf,
  optional,
  prose,
  type Reader,
  record,
  whole,
} from './fieldReaders.ts'
import type { SharedFields, SharedKnowledge } from './teamRow.ts'

/** Whether an entry is proposed or standing follows from the sessions of all. */
const state: Reader<SharedKnowledge['state']> = (value, mode) =>
  oneOf(KNOWLEDGE_STATES)(value, mode) === 'retired' ? 'retired' : 'standing'

/** Ways of a failure, the best first; a machine counts fewer. */
export const WAYS_MAX = 8

/** Triggers of earlier versions have longer and more fragments; without one of them a trigger would mean more. */
const fragments = list(name(5 * FRAGMENT_CHARS_MAX), 4 * FRAGMENTS_MAX)

const triggers = list(
  object<Trigger>({
    at: oneOf(TRIGGER_MOMENTS),
    tool: optional(name(400)),
    has: optional(fragments),
    unless: optional(fragments),
    signature: optional(name(600)),
  }),
  TRIGGERS_MAX,
)

const way = object<KnownWay>({
  way: prose(KNOWLEDGE_CHARS_MAX),
  line: prose(KNOWLEDGE_CHARS_MAX),
  when: triggers,
  sessions: whole(AMOUNT_MAX),
  sessionsMin: oneOf([1, 2] as const),
  last: isoTimeText,
})

const readSharedKnowledge = object<SharedKnowledge>({
  type: oneOf(KNOWLEDGE_TYPES),
  scope: oneOf(KNOWLEDGE_SCOPES),
  state,
  line: prose(KNOWLEDGE_CHARS_MAX),
  quote: optional(prose(800)),
  asked: optional(oneOf([true] as const)),
  reason: optional(prose(800)),
  when: triggers,
  expected: optional(number(0, 1)),
  ways: optional(list(way, WAYS_MAX)),
})

const names = (max: number) => list(name(300), max)

/** The shared part of a memory, or of what another machine sent as such. Throws InvalidField. */
export const readSharedFields: Reader<SharedFields> = (value, { clips, cleanText }) =>
  // A memory has the same sentence in several fields, and to search it for secrets takes long.
  readFields(value, { clips, cleanText: cleanText && keepByText(cleanText) })

const readFields = object<SharedFields>({
  kind: oneOf(MEMORY_KINDS),
  content: prose(8_000),
  lessons: list(prose(1_000), 20),
  tags: list(prose(100), 50),
  files: names(50),
  commandShape: optional(name(400)),
  errorSignature: optional(name(600)),
  branch: optional(name(200)),
  outcome: oneOf(OUTCOMES),
  scope: oneOf(MEMORY_SCOPES),
  scopeDomain: optional(name(200)),
  role: name(200),
  trust: oneOf(TRUST_LEVELS),
  provenance: optional(oneOf(PROVENANCES)),
  contentType: oneOf(CONTENT_TYPES),
  source: oneOf(MEMORY_SOURCES),
  created: isoTimeText,
  updated: isoTimeText,
  expires: optional(isoTimeText),
  learnings: record(prose(1_000), 20, 200),
  searchOnly: optional(oneOf([true] as const)),
  privacy: oneOf(['agent-only', 'public'] as const),
  retention: oneOf(['long_term', 'short_term'] as const),
  importance: number(0, 1),
  knowledge: optional(readSharedKnowledge),
})

/** All but letters, digits, spaces and . _ ' -: a name stands in the notes of others, and must be no sentence. */
const NOT_IN_NAMES = /[^\p{L}\p{M}\p{N} ._'-]+/gu
const NAME_CHARS_MAX = 40

/** A role is no name, and neither is a sentence: `said by you` would be the words of the person who reads it. */
const ROLES = new RegExp(
  '^(?:(?:the|your|our) )?(?:you(?:rself)?|me|myself|i|person|user|human|owner|admin|developer|system|assistant|' +
    'claude(?: code)?|anthropic|memctl)$|^(?:あなた|本人|ユーザー?|人間|システム|私)$',
)
const NAME_WORDS_MAX = 4

/**
 * The name that the team is shown, without other signs: `someone` if nothing is left, `teammate you` for a role. The
 * hub knows which role has the name `Aki`, and takes `Aki!` for another name: so this is `teammate Aki`.
 */
export const personName: Reader<string> = (value, mode) => {
  const words = firstChars(prose(80)(value, mode).replace(NOT_IN_NAMES, '')).split(/\s+/)
  if (words[0] === '') return 'someone'
  const plain = words
    .join(' ')
    .replace(/[ ._'-]+/g, ' ')
    .trim()
  const isWhole = words.join(' ') === value
  const isName = isWhole && !ROLES.test(foldLetters(plain)) && !ROLES.test(plain) && words.length <= NAME_WORDS_MAX
  return firstChars((isName ? words : ['teammate', ...words.slice(0, NAME_WORDS_MAX - 1)]).join(' '))
}

const firstChars = (text: string): string => [...text].slice(0, NAME_CHARS_MAX).join('').trim()

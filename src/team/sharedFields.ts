// The fields of a memory that are shared: which, how long, and how they are cleaned. The same readers take them from
// one's own memory and from an operation of another machine, so what one machine sends the others read unchanged.
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
import type { SharedCounts, SharedFields } from './operation.ts'
import {
  type AnyFields,
  readLegacyFact,
  readLegacyLesson,
  readLegacyStatement,
  readSharedKnowledge,
  upgradeSharedFields,
} from './sharedKnowledge.ts'

const count = whole(AMOUNT_MAX)
const names = (max: number) => list(name(300), max)

/** The shared part of a memory, or of what another machine sent as such. Throws InvalidField. */
export const readSharedFields: Reader<SharedFields> = (value, mode) => upgradeSharedFields(readAnyFields(value, mode))

const readAnyFields = object<AnyFields>({
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
  lesson: readLegacyLesson,
  fact: readLegacyFact,
  statement: readLegacyStatement,
})

export const readSharedCounts: Reader<SharedCounts> = object<SharedCounts>({
  uses: count,
  candidates: count,
  impact: number(0, AMOUNT_MAX),
  meetings: count,
  sessions: count,
  met: optional(count),
  shown: optional(count),
  obeyed: optional(count),
  broken: optional(count),
})

/** Letters, digits, spaces and . _ ' -: a name stands in the notes of others, so it has no room for a sentence's signs. */
const NOT_IN_NAMES = /[^\p{L}\p{M}\p{N} ._'-]+/gu
const NAME_CHARS_MAX = 40

/** A role is no name, and neither is a sentence: `said by you` would be the words of the person who reads it. */
const ROLES = new RegExp(
  '^(?:(?:the|your|our) )?(?:you(?:rself)?|me|myself|i|person|user|human|owner|admin|developer|system|assistant|' +
    'claude(?: code)?|anthropic|memctl)$|^(?:あなた|本人|ユーザー?|人間|システム|私)$',
)
const NAME_WORDS_MAX = 4

/** The name that the team is shown, without other signs: `someone` if nothing is left, `teammate you` for a role. */
export const personName: Reader<string> = (value, mode) => {
  const words = firstChars(prose(80)(value, mode).replace(NOT_IN_NAMES, '')).split(/\s+/)
  const plain = words
    .join(' ')
    .replace(/[ ._'-]+/g, ' ')
    .trim()
  const isName = !ROLES.test(foldLetters(plain)) && !ROLES.test(plain) && words.length <= NAME_WORDS_MAX
  return firstChars((isName ? words : ['teammate', ...words.slice(0, NAME_WORDS_MAX - 1)]).join(' ')) || 'someone'
}

const firstChars = (text: string): string => [...text].slice(0, NAME_CHARS_MAX).join('').trim()

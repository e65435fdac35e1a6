// The developer lexicon: groups of English and Japanese words with nearly the same meaning, as data in this folder.
//
//   delete remove get_rid | cleanup prune | 削除 消す
//   └── same meaning ──┘    └─ looser ─┘   └ same, Japanese ┘
//
// One group per line; `_` joins the words of a phrase. A word may be in several groups.

import { extractTerms, stemOf } from '../terms/extractTerms.ts'
import { ACTIONS, SYSTEMS } from './actionsAndSystems.ts'
import { FAILURES, PROJECT_WORDS } from './failuresAndProjects.ts'

/** The words and phrases of a group, and how much each means the same as the group, 0 to 1. */
export type SynonymGroup = ReturnType<typeof parseWords>

const LOOSE_WEIGHT = 0.5

/** All groups, parsed once per process. */
export function listSynonymGroups(): readonly SynonymGroup[] {
  groups ??= [ACTIONS, FAILURES, SYSTEMS, PROJECT_WORDS].flatMap(parseGroups)
  return groups
}

let groups: readonly SynonymGroup[] | undefined

/** English words of a group that a Japanese word is named with: its head and one more. */
const TRANSLATIONS_MAX = 2

/** The English words for a Japanese one; of an English word its abbreviations, and what it abbreviates: `database`. */
export function listOtherForms(word: string): readonly string[] {
  if (JAPANESE.test(word)) {
    const own = listSynonymGroups().filter((group) => group.some((each) => each.word === word && each.weight === 1))
    return own.flatMap((group) =>
      group.flatMap((each) => (/^[a-z]+$/.test(each.word) ? each.word : [])).slice(0, TRANSLATIONS_MAX),
    )
  }
  const own = stemOf(word)
  return listSynonymGroups().flatMap((group) => {
    const names = group.map((each) => each.word).filter((name) => name[0] === word[0])
    const same = names.filter((name) => stemOf(name) === own)
    return names.filter((name) => same.some((known) => abbreviates(known, name) || abbreviates(name, known)))
  })
}

/** How long an abbreviation is at most, as a share of the word: `start` is none of `startup`. */
const ABBREVIATION_SHARE = 0.6

/** Whether a word of a group is short for another one of it: its beginning (`deps`), or consonants in their order. */
const abbreviates = (short: string, long: string): boolean =>
  short.length <= ABBREVIATION_SHARE * long.length &&
  (long.startsWith(short.replace(/s$/, '')) ||
    (/^.[^aeiou]+$/.test(short) && new RegExp(`^${[...short].join('.*')}`).test(long)))

/** The groups of a text in the format above. */
const parseGroups = (text: string): SynonymGroup[] =>
  text
    .trim()
    .split('\n')
    .map((line) => {
      const [same = '', looser = '', japanese = ''] = line.split(' | ')
      return [...parseWords(same, 1), ...parseWords(japanese, 1), ...parseWords(looser, LOOSE_WEIGHT)]
    })

const parseWords = (text: string, weight: number) =>
  text.split(' ').map((word) => ({ word: word.replaceAll('_', ' '), weight }))

// A word of a lexicon or of an embedder's vocabulary in terms of the index: the keys under which a query finds its
// expansions (text/terms/extractTerms.ts), and the terms of a memory that has the word. Only the worker loads this.

/** `matches`: a memory has the word if it has all terms of one of these lists. */
export interface WordTerms {
  readonly keys: readonly string[]
  readonly matches: readonly (readonly string[])[]
}

// 1 the kanji at the start   2 the hiragana after it   3 the rest
const KANJI_WORD = /^([\u3005\u3400-\u9fff]+)([\u3041-\u3096]*)(.*)$/
const KATAKANA_WORD = /^[\u30a1-\u30fa\u30fc]{2,}$/
const JAPANESE = /[\u3005\u3041-\u30ff\u3400-\u9fff]/
const KANJI = /[\u3005\u3400-\u9fff]/

/** The first kana after the kanji of a verb of one kanji and one kana, in all its forms: 消す, 消した, 消せば. */
const VERB_FORMS: Readonly<Record<string, string>> = {
  う: 'うわいえおっ',
  く: 'くかきけこい',
  ぐ: 'ぐがぎげごい',
  す: 'すさしせそ',
  つ: 'つたちてとっ',
  ぬ: 'ぬなにねのん',
  ぶ: 'ぶばびべぼん',
  む: 'むまみめもん',
  る: 'るらりれろっ',
  い: 'いくかけさ',
}

/** Particles of English verbs are stop words of the index, but part of a key. So is that of a pull request. */
const PARTICLES = /^(up|down|off|out|in|on|back|away|over|rid|request)$/

/** The terms of a word or phrase, in lower case or Japanese. Both lists are empty for a stop word. */
export const termsOfWord = (word: string): WordTerms =>
  JAPANESE.test(word) ? termsOfJapanese(word) : termsOfEnglish(word)

function termsOfEnglish(word: string): WordTerms {
  const parts = word.split(' ')
  const [first = '', second = ''] = parts
  if (parts.length === 1) {
    // An identifier gives the whole first, then its parts.
    const [term] = extractTerms(word)
    return term === undefined ? { keys: [], matches: [] } : { keys: [term], matches: [[term]] }
  }
  const terms = parts.flatMap(extractTerms)
  return {
    keys: parts.length === 2 && PARTICLES.test(second) ? [`${stemOf(first)} ${second}`] : [],
    // One term of a phrase means something else.
    matches: terms.length > 1 ? [terms] : [],
  }
}

function termsOfJapanese(word: string): WordTerms {
  const keys = keysOfJapanese(word)
  const matches = (keys.length > 0 ? keys : [word]).map(pairsOf)
  return { keys, matches: matches.filter((terms) => terms.length > 0) }
}

function keysOfJapanese(word: string): string[] {
  if (KATAKANA_WORD.test(word)) return [word]
  const [, kanji = '', kana = '', rest = ''] = KANJI_WORD.exec(word) ?? []
  if (kanji === '') return []
  if (kana === '') return rest === '' ? [kanji] : []
  const last = kanji.slice(-1)
  // A verb of two kanji with kana between them: 取り消す.
  if (kana.length === 1 && KANJI.test(rest.charAt(0))) return [last + kana + rest.charAt(0)]
  if (rest !== '') return []
  if (kanji.length > 1) return kana.length <= 2 ? [kanji] : []
  if (kana.length > 1) return [last + kana.charAt(0)]
  return [...(VERB_FORMS[kana] ?? kana)].map((form) => last + form)
}

/** The characters in pairs, as they are indexed; a single character as it is. */
function pairsOf(word: string): string[] {
  const terms = extractTerms(word)
  return word.length === 1 ? terms : terms.filter((term) => term.length === 2)
}

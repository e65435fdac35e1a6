// The developer lexicon: groups of English and Japanese words with nearly the same meaning, as data in this folder.
//
//   delete remove get_rid | cleanup prune | 削除 消す
//   └── same meaning ──┘    └─ looser ─┘   └ same, Japanese ┘
//
// One group per line; `_` joins the words of a phrase. A word may be in several groups.
import { ACTIONS } from './actions.ts'
import { FAILURES } from './failures.ts'
import { PROJECT_WORDS } from './projectWords.ts'
import { SYSTEMS } from './systems.ts'

/** A word or phrase of a group, and how much it means the same as the group, 0 to 1. */
export interface LexiconWord {
  readonly word: string
  readonly weight: number
}

export type SynonymGroup = readonly LexiconWord[]

const LOOSE_WEIGHT = 0.5

/** All groups, parsed once per process. */
export function listSynonymGroups(): readonly SynonymGroup[] {
  groups ??= [ACTIONS, FAILURES, SYSTEMS, PROJECT_WORDS].flatMap(parseGroups)
  return groups
}

let groups: readonly SynonymGroup[] | undefined

/** The groups of a text in the format above. */
function parseGroups(text: string): SynonymGroup[] {
  return text
    .trim()
    .split('\n')
    .map((line) => {
      const [same = '', looser = '', japanese = ''] = line.split(' | ')
      return [...parseWords(same, 1), ...parseWords(japanese, 1), ...parseWords(looser, LOOSE_WEIGHT)]
    })
}

const parseWords = (text: string, weight: number): LexiconWord[] =>
  text.split(' ').map((word) => ({ word: word.replaceAll('_', ' '), weight }))

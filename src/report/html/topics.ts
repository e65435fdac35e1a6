// An index of what is known, as at the end of a book: the words that several entries share, each with these entries.
import { isUnmet, type ReportData } from '../../broker/queries/reportData.ts'
import type { Memory } from '../../model/memory.ts'
import { listSynonymGroups } from '../../text/lexicon/lexicon.ts'
import { extractTerms, stemOf } from '../../text/terms/extractTerms.ts'
import { formatDay, renderEmpty } from './figure.ts'
import { type Html, html, memoryLinker } from './html.ts'

interface Topic {
  /** The form of the word that is most frequent, as it is written in the entries. */
  readonly word: string
  readonly memories: readonly Memory[]
}

/** Topics of an index; the words with most entries stay. */
const TOPICS_MAX = 80
/** Entries from which a word is a topic: enough that the index is shorter than the list. */
const ENTRIES_MIN = 3
/** A word in a larger share of the entries says nothing about them. */
const SHARE_MAX = 0.12
/** A word that begins this share of the lines that have it is what to do ("Use …"), not what it is about. */
const VERB_SHARE = 0.4
/** A word that fewer of its entries have in code, in the name of a file or as a name is a word of any sentence. */
const NAMED_SHARE = 0.3

interface Word {
  readonly forms: Map<string, number>
  lineStarts: number
  readonly memories: Set<Memory>
  /** Those that have it in code, in the name of a file or as a name. */
  readonly named: Set<Memory>
}

const WORD = /[A-Za-z][\w-]{2,}|[\u30a0-\u30ff]{2,}|[\u4e00-\u9fff]{2,}/g
const CODE_SPAN = /`([^`]*)`/g

/** The topics in the order of the alphabet: words of code and of names of files, and Japanese words. */
export function listTopics(memories: readonly Memory[]): Topic[] {
  const words = new Map<string, Word>()
  for (const memory of memories) {
    const line = memory.knowledge?.line ?? ''
    const names = new Set(extractTerms(namesIn(line, memory.files)).map(stemOf))
    for (const { 0: form, index } of line.matchAll(WORD)) {
      const term = topicOf(form)
      if (term === '') continue
      const word = words.get(term) ?? { forms: new Map(), lineStarts: 0, memories: new Set(), named: new Set() }
      word.forms.set(form, (word.forms.get(form) ?? 0) + 1)
      word.memories.add(memory)
      // A capital or a digit inside a sentence is of a name: Linear, e2e.
      if (names.has(term) || !/^[a-z]/i.test(form) || (index > 0 && /[A-Z\d]/.test(form))) word.named.add(memory)
      if (index === 0) word.lineStarts++
      words.set(term, word)
    }
  }
  return [...words.values()]
    .filter(({ memories: { size }, lineStarts }) => size >= ENTRIES_MIN && lineStarts < VERB_SHARE * size)
    .filter(({ memories: { size }, named }) => named.size >= NAMED_SHARE * size)
    .filter(({ memories: { size } }) => size <= Math.max(ENTRIES_MIN, SHARE_MAX * memories.length))
    .sort((a, b) => b.memories.size - a.memories.size)
    .slice(0, TOPICS_MAX)
    .map(({ forms, memories: about }) => ({ word: mostFrequent(forms), memories: [...about] }))
    .sort((a, b) => a.word.localeCompare(b.word, 'en'))
}

/** What forms of a word share: the stem of `deployments` is `deploy`, and that of `deploy` is `deploi`. */
const topicOf = (form: string): string =>
  /^[a-z]/i.test(form) ? stemOf(extractTerms(form)[0] ?? '') : (listLoans().get(form) ?? form)

/** The stem of what a Japanese word translates: デプロイ is deploy. */
function listLoans(): ReadonlyMap<string, string> {
  loans ??= new Map(
    listSynonymGroups().flatMap((group): [string, string][] => {
      const japanese = group.find(({ word, weight }) => weight === 1 && !/^[a-z]/i.test(word))
      return japanese && group[0] ? [[japanese.word, stemOf(group[0].word)]] : []
    }),
  )
  return loans
}

let loans: ReadonlyMap<string, string> | undefined

const namesIn = (line: string, files: readonly string[]): string =>
  [...[...line.matchAll(CODE_SPAN)].map((span) => span[1]), ...files].join(' ')

const mostFrequent = (forms: ReadonlyMap<string, number>): string =>
  [...forms].reduce((best, form) => (form[1] > best[1] ? form : best))[0]

export function renderTopics(data: ReportData): Html {
  const { said, learned, superseded, retired } = data.knowledge
  const topics = listTopics([...said, ...learned.filter((memory) => !isUnmet(memory)), ...superseded, ...retired])
  if (topics.length === 0) return renderEmpty('Words that several entries share are listed here, with these entries.')
  const link = memoryLinker(data)
  return html`<p>What people said, and what was learned, by the words that several entries share. The search of the
browser finds any other word.</p>
<div class="topics">${topics.map(
    ({ word, memories }) => html`<details><summary>${word} <span class="count">${memories.length}</span></summary>
<ul>${memories.map(
      ({ id, created, knowledge }) =>
        html`<li>${link(id, 180)} <span class="gone">${formatDay(created)}</span> <span class="gone">${
          knowledge?.type ?? ''
        }</span></li>`,
    )}</ul></details>
`,
  )}</div>`
}

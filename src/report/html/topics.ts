// What texts are about. An index of what is known, as at the end of a book: areas of work and files, each with the
// entries and the sessions about it. And entries about the same subject.
import { isUnmet, listEntries, type ReportData } from '../../broker/queries/reportData.ts'
import type { MemoryId } from '../../model/id.ts'
import type { Memory } from '../../model/memory.ts'
import { compareValues, groupBy } from '../../model/sorting.ts'
import { baseName, findFilePaths } from '../../text/filePaths.ts'
import { formatCount } from '../formatNumber.ts'
import { formatDay, renderEmpty } from './figure.ts'
import { commaList, type Html, html, inlineText, memoryLinker } from './html.ts'

interface Topic {
  /** An area, or the path of a file or folder. */
  readonly word: string
  readonly memories: readonly Memory[]
  /** Summaries of the sessions that name the word first, or edited the file; the latest first. */
  readonly sessions: readonly Memory[]
}

/** What every project has work on, and the words that name it. */
const AREAS: readonly (readonly [name: string, words: RegExp])[] = [
  ['build', /\b(?:re)?build|\bbuilt\b|compil|bundl|ビルド/i],
  ['CI', /\bCI\b|\bworkflows?\b|\bpipelines?\b/],
  ['commits and pull requests', /\b(?:commit(?!tee|ment)|rebas|squash|push|pull request|PRs?\b)|コミット|プッシュ/i],
  ['dependencies', /\b(?:dependenc|lock ?file|upgrad)|依存/i],
  ['deploy', /deploy|デプロイ/i],
  ['docs', /\b(?:docs?|documentation|readme|markdown)\b|\.mdx?\b|ドキュメント|文書/i],
  ['lint and types', /(?<!\b(?:[cfg]|sp))lint|\btype[- ]?check|\btsc\b|フォーマット/i],
  ['releases', /releas|changelog|\bpublish|リリース/i],
  ['security', /\bsecur|advisor(?:y|ies)\b(?! lock)|vulnerab|\bsecrets?\b|脆弱/i],
  ['tests', /\b(?:tests?|testing|tested|specs?|e2e)\b|_test\b|テスト/i],
]

const headlineOf = ({ content }: Memory): string => content.split('\n')[0] ?? ''

/** The areas of work, also those without entries. */
export const listTopics = (memories: readonly Memory[], summaries: readonly Memory[] = []): Topic[] =>
  AREAS.map(([word, words]) => ({
    word,
    memories: memories.filter(({ knowledge }) => words.test(knowledge?.line ?? '')),
    sessions: summaries.filter((summary) => words.test(headlineOf(summary))),
  }))

/** A folder that a text mentions, with its slash. */
const FOLDER = /(?<![\w@./~+\\-])(?:[\w@.+-]+\/)+(?!\w)/g
/** Files and folders of the index; those that most entries name stay. */
const FILES_MAX = 150
/** Sessions that edited a file that no entry names, from which it is in the index. */
const EDITS_MIN = 3

/** The files and folders that entries name, and files that several sessions edited, in the order of their paths. */
export function listFiles(memories: readonly Memory[], summaries: readonly Memory[]): Topic[] {
  const known = groupBy(new Set(summaries.flatMap(({ editedFiles = [] }) => editedFiles)), baseName)
  const groupByPath = (items: readonly Memory[], pathsOf: (memory: Memory) => readonly string[]) => {
    const places = items.flatMap((memory) => {
      const paths = new Set(pathsOf(memory).map((name) => wholePath(name, known)))
      return [...paths].map((path) => ({ path, memory }))
    })
    const groups = groupBy(places, ({ path }) => path)
    return new Map([...groups].map(([path, list]) => [path, list.map(({ memory }) => memory)]))
  }
  const named = groupByPath(memories, namesOf)
  const edited = groupByPath(summaries, ({ editedFiles = [] }) => editedFiles)
  const often = [...edited].flatMap(([path, sessions]) => (sessions.length >= EDITS_MIN ? path : []))
  return [...new Set([...named.keys(), ...often])]
    .map((word) => ({ word, memories: named.get(word) ?? [], sessions: edited.get(word) ?? [] }))
    .sort((a, b) => b.memories.length - a.memories.length || b.sessions.length - a.sessions.length)
    .slice(0, FILES_MAX)
    .sort((a, b) => compareValues(a.word, b.word))
}

/** The files and folders in an entry's line and in what its triggers look for, without ends of names: `_test.go`. */
function namesOf({ knowledge }: Memory): string[] {
  const text = [knowledge?.line, ...(knowledge?.when ?? []).flatMap(({ has = [] }) => has)].join(' ')
  return [...findFilePaths(text), ...(text.match(FOLDER) ?? [])].filter((name) => /^\.?[A-Za-z\d]/.test(name))
}

/** The one edited file with this end, if there is one: sessions and entries write shorter paths, too. */
function wholePath(name: string, edited: ReadonlyMap<string, readonly string[]>): string {
  const same = edited.get(baseName(name)) ?? []
  if (!name.includes('/') && same.includes(name)) return name
  const ends = same.filter((path) => path.endsWith(`/${name}`))
  const longest = ends.reduce((best, path) => (path.length > best.length ? path : best), name)
  return ends.every((path) => longest.endsWith(path)) ? longest : name
}

/** An area is named by memctl, a word and a file by the store. */
const nameOf = (word: string): Html =>
  AREAS.some(([area]) => area === word) ? html`<span>${word}</span>` : inlineText(word, 100)

/** Sessions that are listed for a word or a file; earlier ones are counted. */
const SESSIONS_MAX = 4

export function renderTopics(data: ReportData): Html {
  const entries = listEntries(data.knowledge)
  const [topics, files] = [listTopics(entries, data.summaries), listFiles(entries, data.summaries)]
  const isKnown = ({ memories, sessions }: Topic): boolean => memories.length + sessions.length > 0
  const unknown = topics.filter((topic) => !isKnown(topic)).map(({ word }) => nameOf(word))
  if (entries.length + data.summaries.length === 0)
    return renderEmpty('Areas of work and files are listed here, with the entries and sessions about them.')
  const link = memoryLinker(data)
  const renderItem = ({ id, created, knowledge }: Memory): Html =>
    html`<li>${link(id, 180)} <span class="gone">${formatDay(created)}</span> <span class="gone">${
      knowledge?.type ?? 'session'
    }</span></li>`
  const ended = new Set([...data.knowledge.superseded, ...data.knowledge.retired])
  const renderTopic = ({ word, memories, sessions }: Topic): Html => {
    const over = memories.filter((memory) => ended.has(memory))
    const holding = memories.filter((memory) => !ended.has(memory))
    const parts = [
      { count: formatCount(holding.length, 'holds', 'hold'), all: holding },
      { count: formatCount(over.length, 'holds no longer', 'hold no longer'), all: over },
      { count: formatCount(sessions.length, 'session'), all: sessions },
    ]
    const left = sessions.length - SESSIONS_MAX
    const listed = parts.filter(({ all }) => all.length > 0)
    const counts = listed.map(({ count }, i) => html`${i > 0 && ' · '}<span class="count">${count}</span>`)
    return html`<details><summary>${nameOf(word)} ${counts}</summary>
${listed.map(
  ({ count, all }) => html`<p class="counted">${count}</p>
<ul>${(all === sessions ? all.slice(0, SESSIONS_MAX) : all).map(renderItem)}${
    all === sessions && left > 0 && html`<li>${formatCount(left, 'earlier session')}</li>`
  }</ul>`,
)}</details>
`
  }
  return html`<p>What people said, and what was learned, by areas of work, with the latest sessions about them. The
search of the browser finds any other word.</p>
<div class="topics">${topics.filter(isKnown).map(renderTopic)}</div>
${unknown.length > 0 && html`<p>Nothing is known of: <span>${commaList(unknown)}</span></p>`}
<h3>By file and folder</h3>
<p>The entries that name it, and the latest sessions that edited it.</p>
<div class="topics">${files.map(renderTopic)}</div>`
}

/** For an entry, a line for each other one about its subject: when that was said, and whether it is later. */
export function alikeRenderer(data: ReportData): (memory: Memory) => Html[] {
  const { said, learned } = data.knowledge
  const link = memoryLinker(data)
  const subjectOf = ({ id }: Memory): MemoryId => data.subjects.get(id) ?? id
  const groups = groupBy([...said, ...learned.filter((memory) => !isUnmet(memory))], subjectOf)
  const listOthers = (memory: Memory): readonly Memory[] =>
    (groups.get(subjectOf(memory)) ?? []).filter(({ id }) => id !== memory.id)
  return (memory) =>
    listOthers(memory).map((other) => {
      const when = other.created > memory.created ? 'later, on' : 'earlier, on'
      return html`<span class="before">${when} ${formatDay(other.created)}: ${link(other.id, 180)}</span>`
    })
}

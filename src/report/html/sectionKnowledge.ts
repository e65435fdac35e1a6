// What the project knows: facts, and what people said, with what it superseded.
import type { ReportData } from '../../broker/queries/reportData.ts'
import type { FactEntry } from '../../broker/queries/factList.ts'
import type { FactTopic } from '../../model/fact.ts'
import type { MemoryId } from '../../model/id.ts'
import type { Memory } from '../../model/memory.ts'
import { findSuccessor } from '../../model/statement.ts'
import { renderEmpty, renderTable } from './figure.ts'
import { countOf, formatDay, formatInteger } from './formatFigures.ts'
import { type Html, html } from './html.ts'
import { type LinkMemory, memoryLinker } from './memoryLink.ts'
import { inlineText } from './storeText.ts'

/** Rows of a list; the rest is counted. */
const ROWS_MAX = 40

const TOPIC_NAMES: Readonly<Record<FactTopic, string>> = {
  command: 'command',
  path: 'path',
  tool: 'missing tool or flag',
  rule: 'rule of a linter',
  order: 'order of steps',
  rejection: 'rejected by the person',
  routine: 'standing command',
}

export function renderFacts(data: ReportData): Html {
  const { facts } = data
  const current = facts.filter(({ fact }) => fact.state !== 'retired')
  const retired = facts.length - current.length
  if (facts.length === 0) {
    return renderEmpty('What keeps failing or is always done in this project is collected here after a few sessions.')
  }
  const standing = current.filter(({ fact }) => fact.state === 'standing').length
  const link = memoryLinker(data)
  return html`<p>${countOf(standing, 'standing fact')} (seen in two sessions or more),
${formatInteger(current.length - standing)} proposed (seen in one), ${formatInteger(retired)} retired (no longer true).
The worthiest come first: those expected to avoid the most failed calls.</p>
${renderTable({
  caption: 'Project facts',
  heads: ['fact', 'about', 'state', 'sessions', 'failed calls', 'last met'],
  rows: current.slice(0, ROWS_MAX).map((entry) => factRow(entry, link)),
  numeric: [3, 4],
})}
${current.length > ROWS_MAX && html`<p class="rest">${countOf(current.length - ROWS_MAX, 'more fact')}: <code>memctl facts</code>.</p>`}`
}

const factRow = ({ memory, fact }: FactEntry, link: LinkMemory): (Html | string)[] => [
  link(memory.id, 180),
  TOPIC_NAMES[fact.topic],
  fact.state,
  formatInteger(memory.sessionCount),
  formatInteger(fact.failures),
  formatDay(fact.lastMet),
]

export function renderStatements(data: ReportData): Html {
  const { statements } = data
  if (statements.length === 0) {
    return renderEmpty('Preferences, rules and decisions that a person states in a prompt are listed here.')
  }
  const standing = statements.filter((memory) => findSuccessor(memory) === undefined && (memory.statement?.strength ?? 0) >= 2)
  const superseded = statements.filter((memory) => findSuccessor(memory) !== undefined)
  const link = memoryLinker(data)
  const older = groupBySuccessor(superseded)
  return html`<p>${countOf(standing.length, 'standing statement')}; ${countOf(superseded.length, 'statement was', 'statements were')}
superseded by a later one.</p>
${renderTable({
  caption: 'Standing statements, the latest first',
  heads: ['statement', 'type', 'holds for', 'said', 'instead of'],
  rows: standing.sort(byCreated).slice(0, ROWS_MAX).map((memory) => statementRow(memory, link, older)),
})}
${standing.length > ROWS_MAX && html`<p class="rest">${countOf(standing.length - ROWS_MAX, 'more statement')}: <code>memctl list --kind preference</code>.</p>`}
${superseded.length > 0 && renderSuperseded(superseded, link)}`
}

const byCreated = (a: Memory, b: Memory): number => (a.created > b.created ? -1 : 1)

const SCOPE_NAMES = { person: 'every project', project: 'this project', branch: 'a branch', file: 'a file' } as const

function statementRow(memory: Memory, link: LinkMemory, older: ReadonlyMap<string, Memory[]>): (Html | string)[] {
  const { statement } = memory
  const before = older.get(memory.id) ?? []
  return [
    link(memory.id, 180),
    statement?.type ?? memory.kind,
    statement ? SCOPE_NAMES[statement.scope] : '',
    formatDay(memory.created),
    before.length === 0 ? '–' : html`${before.map(({ id, content }) => html`<s>${inlineText(content, 90)}</s>${id === before.at(-1)?.id ? '' : ' '}`)}`,
  ]
}

function groupBySuccessor(superseded: readonly Memory[]): ReadonlyMap<string, Memory[]> {
  const groups = new Map<string, Memory[]>()
  for (const memory of superseded) {
    const successor = findSuccessor(memory)
    if (successor !== undefined) groups.set(successor, [...(groups.get(successor) ?? []), memory])
  }
  return groups
}

const renderSuperseded = (superseded: readonly Memory[], link: LinkMemory): Html =>
  html`<details><summary>What was superseded, and by what</summary>${renderTable({
    caption: 'Superseded statements, the latest first',
    heads: ['no longer', 'since then', 'first said'],
    rows: [...superseded]
      .sort(byCreated)
      .slice(0, ROWS_MAX)
      .map((memory) => [link(memory.id), link(findSuccessor(memory) as MemoryId), formatDay(memory.created)]),
  })}</details>`

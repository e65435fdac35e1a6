// What the project knows: facts, and what people said, with what it superseded.

import type { FactEntry } from '../../broker/queries/factList.ts'
import { NAMED_MAX, type ReportData } from '../../broker/queries/reportData.ts'
import type { FactTopic } from '../../model/fact.ts'
import type { MemoryId } from '../../model/id.ts'
import type { Memory } from '../../model/memory.ts'
import { findSuccessor } from '../../model/statement.ts'
import { renderEmpty, renderLongTable, renderTable } from './figure.ts'
import { countOf, formatDay, formatInteger } from './formatFigures.ts'
import { type Html, html } from './html.ts'
import { type LinkMemory, memoryLinker } from './memoryLink.ts'
import { inlineText } from './storeText.ts'

/** Rows of a list; the rest is counted. */
const ROWS_MAX = NAMED_MAX

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
${renderLongTable({
  caption: 'Project facts',
  heads: ['fact', 'about', 'state', 'sessions', 'failed calls', 'last met'],
  rows: current.slice(0, ROWS_MAX).map((entry) => factRow(entry, link)),
  numeric: [3, 4],
})}
${renderRest(countOf(current.length - ROWS_MAX, 'more fact'), 'memctl facts', current.length > ROWS_MAX)}`
}

/** What a list leaves out, and the command that prints it. */
const renderRest = (rest: string, command: string, isLeft: boolean): Html | false =>
  isLeft && html`<p class="rest">${rest}: <code>${command}</code>.</p>`

const factRow = ({ memory, fact }: FactEntry, link: LinkMemory): (Html | string)[] => [
  link(memory.id, 180),
  TOPIC_NAMES[fact.topic],
  fact.state,
  formatInteger(memory.sessionCount),
  formatInteger(fact.failures),
  formatDay(fact.lastMet),
]

export function renderStatements(data: ReportData): Html {
  const { standing, superseded } = data
  if (standing.length + superseded.length === 0) {
    return renderEmpty('Preferences, rules and decisions that a person states in a prompt are listed here.')
  }
  const link = memoryLinker(data)
  const older = groupBySuccessor(superseded)
  const were = countOf(superseded.length, 'statement was', 'statements were')
  return html`<p>${countOf(standing.length, 'standing statement')}; ${were} superseded by a later one.</p>
${renderLongTable({
  caption: 'Standing statements, the latest first',
  heads: ['statement', 'type', 'holds for', 'said'],
  rows: standing.slice(0, ROWS_MAX).map((memory) => statementRow(memory, link, older)),
})}
${renderRest(
  countOf(standing.length - ROWS_MAX, 'more statement'),
  'memctl list --kind preference',
  standing.length > ROWS_MAX,
)}
${superseded.length > 0 && renderSuperseded(superseded, link)}`
}

const SCOPE_NAMES = { person: 'every project', project: 'this project', branch: 'a branch', file: 'a file' } as const

function statementRow(memory: Memory, link: LinkMemory, older: ReadonlyMap<string, Memory[]>): (Html | string)[] {
  const { statement } = memory
  const before = older.get(memory.id) ?? []
  return [
    html`${link(memory.id, 180)}${before.map(
      ({ content }) => html`<span class="before">instead of: <s>${inlineText(content, 90)}</s></span>`,
    )}`,
    statement?.type ?? memory.kind,
    statement ? SCOPE_NAMES[statement.scope] : '',
    formatDay(memory.created),
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
    rows: superseded
      .slice(0, ROWS_MAX)
      .map((memory) => [link(memory.id), link(findSuccessor(memory) as MemoryId), formatDay(memory.created)]),
  })}</details>`

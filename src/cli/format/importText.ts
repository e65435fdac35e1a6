// What an import has found and stored, for a person: one line of counts, then what is worth knowing.
import type { ExportedMemories, ExportPlan } from '../../broker/transfer/exportFile.ts'
import type { ImportPlan } from '../../broker/transfer/planImport.ts'
import { shortId } from '../../model/id.ts'
import type { Memory } from '../../model/memory.ts'
import { memoryProvenance } from '../../model/provenance.ts'
import { removeControls, sanitizeForTerminal } from '../../report/fitText.ts'
import { formatCount } from '../../report/formatNumber.ts'
import { firstLine } from '../../text/excerpt.ts'
import type { Terminal } from '../context/cliContext.ts'

type ImportExample = ReturnType<typeof toExample>

/** The result of an import as JSON has it. */
export interface ImportReport {
  readonly source: string
  readonly location: string
  readonly dryRun: boolean
  /** null if nothing was stored. */
  readonly import: string | null
  readonly total: number
  readonly added: number
  readonly changed: number
  readonly archived: number
  readonly unchanged: number
  readonly empty: number
  readonly superseded: number
  readonly examples: readonly ImportExample[]
  readonly faults: readonly { readonly file: string; readonly what: string; readonly hint: string }[]
  readonly notes: readonly string[]
}

const EXAMPLES_MAX = 5
const LINES_MAX = 20

/** What was planned; of the items only their number counts. */
type SummarizedPlan = Omit<ImportPlan, 'source'> & {
  readonly source: Omit<ImportPlan['source'], 'items'> & { readonly items: readonly unknown[] }
}

export function summarizeImport(plan: SummarizedPlan, id: string | undefined, dryRun: boolean): ImportReport {
  const { source, added, changed, gone, unchanged, empty, superseding } = plan
  return {
    source: source.name,
    location: source.location,
    dryRun,
    import: id ?? null,
    total: source.items.length,
    added: added.length,
    changed: changed.length,
    archived: gone.length,
    unchanged,
    empty,
    superseded: superseding.length,
    examples: [...added, ...changed].slice(0, EXAMPLES_MAX).map(toExample),
    faults: source.faults,
    notes: source.notes,
  }
}

interface ExportImport {
  readonly file: string
  readonly id: string | undefined
  readonly dryRun: boolean
}

export const summarizeExportImport = (
  { policy, ...plan }: ExportPlan,
  { project, at, list }: ExportedMemories,
  { file, id, dryRun }: ExportImport,
): ImportReport => {
  const notes = [`Exported from ${project.name} on ${at.slice(0, 10)}.`, ...(POLICY_NOTES[policy] ?? [])]
  const source = { name: 'memctl', location: file, items: list, faults: [], notes } as const
  return summarizeImport({ ...plan, source, gone: [], superseding: [], empty: 0 }, id, dryRun)
}

const POLICY_NOTES: { readonly [Policy in ExportPlan['policy']]?: readonly string[] } = {
  taken: ['What was learned there is used here, until evidence from here says otherwise.'],
  kept: ['Its learned numbers are left out: this project has memories, or numbers of its own.'],
  'other-base': ['Its learned numbers are left out: they belong to another policy than the one configured here.'],
}

const toExample = (memory: Memory) => ({
  id: memory.id,
  kind: memory.kind,
  created: memory.created,
  provenance: memoryProvenance(memory),
  shownUnasked: memory.searchOnly !== true,
  content: memory.content,
})

export function formatImport(report: ImportReport, { palette }: Terminal): string[] {
  const { source, location, dryRun, total, added, changed, archived, unchanged, empty, superseded } = report
  const counts = [
    `${added} ${dryRun ? 'would be new' : 'new'}`,
    ...(changed > 0 ? [`${changed} changed`] : []),
    ...(unchanged > 0 ? [`${unchanged} as before`] : []),
    ...(archived > 0 ? [`${archived} not there any more, archived`] : []),
    ...(superseded > 0 ? [`${superseded} earlier superseded`] : []),
    ...(empty > 0 ? [`${empty} without any text that may be stored`] : []),
  ]
  const from = palette.dim(sanitizeForTerminal(location))
  return [
    `${palette.bold(source)} ${from}: ${formatCount(total, 'item')}: ${counts.join(', ')}.`,
    ...report.notes.map(removeControls),
    ...report.examples.map(({ id, created, provenance, shownUnasked, content }) => {
      const use = shownUnasked ? provenance : `${provenance}, only for search`
      return `  ${shortId(id)}  ${created.slice(0, 10)}  ${use}  ${excerpt(content)}`
    }),
    ...(added + changed > report.examples.length ? [`  and ${added + changed - report.examples.length} more`] : []),
    ...report.faults
      .slice(0, LINES_MAX)
      .map(({ file, what, hint }) => `Not read: ${sanitizeForTerminal(file)}: ${what}. ${hint}`),
    ...(report.faults.length > LINES_MAX ? [`and ${report.faults.length - LINES_MAX} more files were not read`] : []),
    ...(dryRun ? ['Nothing was stored. Run it without --dry-run to import.'] : []),
    ...(report.import && source !== 'memctl' ? [`Imported. To undo it: \`memctl import undo ${source}\`.`] : []),
  ]
}

const excerpt = (text: string): string => sanitizeForTerminal(firstLine(text, 100))

interface UndoPreview {
  readonly total: number
  readonly memories: readonly Pick<Memory, 'id' | 'kind' | 'created' | 'content'>[]
}

export const formatUndo = ({ total, memories }: UndoPreview): string[] => [
  `${formatCount(total, 'memory', 'memories')} came from there:`,
  ...memories
    .slice(0, LINES_MAX)
    .map(({ id, kind, created, content }) => `  ${shortId(id)}  ${created.slice(0, 10)}  ${kind}  ${excerpt(content)}`),
  ...(total > LINES_MAX ? [`  and ${total - LINES_MAX} more`] : []),
]

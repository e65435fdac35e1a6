// Carrying what one project has learned to another: a file for a person to look at, and its way back in. Never by itself.
import { stringify } from 'yaml'
import { isExclusionRule } from '../../model/exclusion.ts'
import { MemoryError } from '../../model/memoryError.ts'
import { validateValues } from '../../model/policyValidator.ts'
import type { Store } from '../open/openStore.ts'
import { readYaml } from '../open/yamlSource.ts'
import type { PolicyChange } from '../projection/projection.ts'
import {
  buildManualPolicyChange,
  commitPolicyEvent,
  isSameLearned,
  loadCurrentProjection,
  type PolicyCommandResult,
} from './policyCommands.ts'

/** A file of learned numbers. */
interface PolicyExport {
  readonly memctl: 'learned policy'
  readonly format: 1
  /** The project's name, for people. */
  readonly from: string
  /** The policy the numbers were learned over. */
  readonly over: string
  readonly version: number
  readonly evidence: Readonly<Record<string, unknown>>
  readonly values: PolicyChange['values']
  /** Those that name a tool or a kind of memory; absent where there are none. */
  readonly exclusions?: PolicyChange['exclusions']
}

/**
 * What this project has learned, as the text of a file. Numbers and counts: nothing of what was said or done is in it. Rules about a
 * command or a folder stay here, for they name what only this project has.
 */
export function exportPolicy(store: Store, now: number): { readonly exported: PolicyExport; readonly text: string } {
  const { base, learned, history } = loadCurrentProjection(store, now)
  const last = history.findLast((one) => one.version === learned.version && Object.keys(one.evidence).length > 0)
  const general = (learned.exclusions ?? []).filter(({ by }) => by === 'tool' || by === 'kind')
  const exported: PolicyExport = {
    ...{ memctl: 'learned policy', format: 1, from: store.project.name, over: base.name },
    ...{ version: learned.version, evidence: last?.evidence ?? {}, values: learned.values },
    ...(general.length > 0 && { exclusions: general }),
  }
  return {
    exported,
    text: `# What memctl has learned in a project; \`memctl policy import\` takes it.\n${stringify(exported)}`,
  }
}

/** A file of learned numbers to import. */
export interface ImportSource {
  readonly text: string
  /** Its name, for errors. */
  readonly file: string
  /** Milliseconds since 1970. */
  readonly now: number
  /** Only check it. */
  readonly dryRun?: boolean | undefined
}

/**
 * Takes the numbers of such a file on a person's word; from here on this project's own evidence decides whether they stay.
 * Throws POLICY_INVALID naming file, line, value and what is allowed. With `dryRun` it is only checked.
 */
export function importPolicy(
  store: Store,
  source: ImportSource,
): PolicyCommandResult & { readonly imported: PolicyExport } {
  const { text, file, now, dryRun = false } = source
  const imported = parseExport(text, file)
  const projection = loadCurrentProjection(store, now)
  const { from, over, version } = imported
  if (over !== projection.base.name) {
    throw new MemoryError(
      'INPUT_INVALID',
      `${file} was learned over the policy ${over}, and here ${projection.base.name} serves`,
      {
        hint: `Choose ${over} in config.yaml (\`policy: ${over}\`) first.`,
      },
    )
  }
  const as = { version: projection.learned.version, frozen: projection.frozen, changed: false, imported }
  if (dryRun || isSameLearned(imported, projection.learned)) return as
  const evidence = { ...imported.evidence, from, fromVersion: version }
  const event = buildManualPolicyChange(
    projection,
    { learned: imported, reason: `imported from ${from}`, evidence },
    now,
  )
  return { ...commitPolicyEvent(store, event, now), imported }
}

function parseExport(text: string, file: string): PolicyExport {
  const source = readYaml(text)
  const broken = source.errors[0]
  if (broken) throw invalid(`${file}, line ${broken.line}: ${broken.what}`, 'Correct the line.')
  const { value } = source
  const { memctl, format, values, exclusions, from, over, version, evidence } = (
    isTree(value) ? value : {}
  ) as Partial<PolicyExport>
  if (memctl !== 'learned policy' || !isTree(values))
    throw invalid(
      `${file} is no learned policy`,
      'Give a file that `memctl policy export` has written; a whole policy is chosen in config.yaml.',
    )
  if (format !== 1) throw invalid(`${file} is of format ${format}`, 'Update memctl: a later version wrote it.')
  for (const { path, what, hint } of validateValues(values))
    throw invalid(`${what} in ${file}, line ${source.lineAt(['values', path])}`, `${hint}, or remove the line.`)
  const off = Array.isArray(exclusions) ? exclusions.findIndex((one) => !isExclusionRule(one)) : exclusions ? 0 : -1
  if (off !== -1)
    throw invalid(
      `exclusions.${off} in ${file}, line ${source.lineAt(['exclusions', String(off)])}, is no rule`,
      'Remove it, or export it again.',
    )
  return {
    ...{
      memctl,
      format,
      values: values as PolicyExport['values'],
      ...(exclusions && { exclusions }),
      from: String(from ?? 'unknown'),
      over: String(over ?? 'default'),
    },
    ...{ version: Number(version) || 0, evidence: isTree(evidence) ? evidence : {} },
  }
}

const invalid = (what: string, hint: string): MemoryError => new MemoryError('POLICY_INVALID', what, { hint })

const isTree = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

// Exports what one project has learned as a file that a person can read, and imports it in another project.
import { stringify } from 'yaml'
import { MemoryError } from '../../model/memoryError.ts'
import { validateValues } from '../../model/policyValidator.ts'
import type { Store } from '../open/openStore.ts'
import { isYamlMapping, readYaml } from '../open/yamlSource.ts'
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
  /** The policy over which the numbers were learned. */
  readonly over: string
  readonly version: number
  readonly evidence: Readonly<Record<string, unknown>>
  readonly values: PolicyChange['values']
}

/**
 * What this project has learned, as the text of a file. It has only numbers and counts, no content. Exclusions
 * are left out: only this project has their memories. Throws STORE_BUSY.
 */
export function exportPolicy(store: Store, now: number): { readonly exported: PolicyExport; readonly text: string } {
  const { base, learned, history } = loadCurrentProjection(store, now)
  const last = history.findLast(
    ({ version, evidence }) => version === learned.version && Object.keys(evidence).length > 0,
  )
  const exported: PolicyExport = {
    memctl: 'learned policy',
    format: 1,
    from: store.project.name,
    over: base.name,
    version: learned.version,
    evidence: last?.evidence ?? {},
    values: learned.values,
  }
  const comment = '# What memctl has learned in a project. `memctl policy import` imports it.'
  return { exported, text: `${comment}\n${stringify(exported)}` }
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
 * Imports the numbers of a file. From then on this project's own evidence decides whether they stay. Throws STORE_BUSY,
 * POLICY_INVALID with file, line, value and what is allowed, and INPUT_INVALID if another policy is configured here.
 */
export function importPolicy(
  store: Store,
  { text, file, now, dryRun = false }: ImportSource,
): PolicyCommandResult & { readonly imported: PolicyExport } {
  const imported = parseExport(text, file)
  const projection = loadCurrentProjection(store, now)
  const { from, over, version } = imported
  if (over !== projection.base.name) {
    const what = `${file} was learned over the policy ${over}, but ${projection.base.name} is configured here`
    throw new MemoryError('INPUT_INVALID', what, {
      hint: `Configure ${over} in config.yaml (\`policy: ${over}\`) first.`,
    })
  }
  if (dryRun || isSameLearned(imported, projection.learned))
    return { version: projection.learned.version, frozen: projection.frozen, changed: false, imported }
  const evidence = { ...imported.evidence, from, fromVersion: version }
  const change = { learned: imported, reason: `imported from ${from}`, evidence }
  return { ...commitPolicyEvent(store, buildManualPolicyChange(projection, change, now), now), imported }
}

function parseExport(text: string, file: string): PolicyExport {
  const source = readYaml(text)
  const syntaxError = source.errors[0]
  if (syntaxError) throw invalid(`${file}, line ${syntaxError.line}: ${syntaxError.what}`, 'Correct the line.')
  const fields: Partial<PolicyExport> = isYamlMapping(source.value) ? source.value : {}
  const { memctl, format, values, from, over, version, evidence } = fields
  if (memctl !== 'learned policy' || !isYamlMapping(values))
    throw invalid(
      `${file} is not a learned policy`,
      'Use a file that `memctl policy export` has written; configure an entire policy in config.yaml.',
    )
  if (format !== 1) throw invalid(`${file} has format ${format}`, 'Update memctl: a later version wrote it.')
  for (const { path, what, hint } of validateValues(values))
    throw invalid(`${what} in ${file}, line ${source.lineAt(['values', path])}`, `${hint}, or remove the line.`)
  return {
    memctl,
    format,
    from: String(from ?? 'unknown'),
    over: String(over ?? 'default'),
    version: Number(version) || 0,
    evidence: isYamlMapping(evidence) ? evidence : {},
    values: values as PolicyExport['values'],
  }
}

const invalid = (what: string, hint: string): MemoryError => new MemoryError('POLICY_INVALID', what, { hint })

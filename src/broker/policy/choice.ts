// Which policy a person has chosen: `policy:` in the project's .memctl/project.yaml, else in config.yaml of memctl's home. A name
// of a shipped policy, or a file beside it. What is chosen becomes an event, so that a rebuild knows since when it holds.
import path from 'node:path'
import { MemoryError } from '../../model/errors.ts'
import type { Policy } from '../../model/policy.ts'
import { baseOf, type PolicyBase, SHIPPED_BASE } from '../../model/policyBase.ts'
import { readJson } from '../../store/jsonRead.ts'
import { commitEvents } from '../commit/commitEvents.ts'
import { systemEvent } from '../commit/systemEvent.ts'
import { configFile } from '../hookConfig.ts'
import { readYaml } from '../open/yamlSource.ts'
import type { Store } from '../store.ts'
import { projectConfigFile } from './chosen.ts'
import type { PolicyFile } from './file.ts'
import { SHIPPED } from './served.ts'
import { POLICY_NAMES, policyIn, shippedPolicy } from './shelf.ts'

interface PolicyChoice {
  readonly policy: Policy
  /** The file that says so; undefined where none does and the shipped one serves. */
  readonly from: string | undefined
}

/** What is chosen for this store. Throws CONFIG_INVALID and POLICY_INVALID naming file, line and what is allowed. */
export function policyChosen({ files, home, project }: Store): PolicyChoice {
  if (home === undefined) return { policy: SHIPPED, from: undefined } // A store of its own belongs to nobody.
  for (const from of [projectConfigFile(project.root), configFile(home)]) {
    const chosen = chosenBy(files.read(from)?.toString('utf8'), from)
    if (chosen === undefined) continue
    const shipped = shippedPolicy(chosen.name)
    if (shipped) return { policy: shipped, from }
    if (!/\.ya?ml$/.test(chosen.name)) throw unknown(chosen.name, from, chosen.line)
    return { policy: policyIn(files, path.resolve(path.dirname(from), chosen.name)), from }
  }
  return { policy: SHIPPED, from: undefined }
}

/** Puts a changed choice into the log, to hold from there on. Says whether there was one. */
export function takePolicyChoice(store: Store, now: number): boolean {
  const base = baseOf(policyChosen(store).policy, SHIPPED)
  if (same(base, servingBase(store))) return false
  commitEvents(store, [systemEvent({ kind: 'policy.chosen', ...base }, { now, key: [JSON.stringify(base)] })])
  return true
}

function servingBase({ files, layout }: Store): PolicyBase {
  try {
    return readJson<PolicyFile>(files, layout.policy)?.base ?? SHIPPED_BASE
  } catch {
    return SHIPPED_BASE // Damaged: told once more, which changes nothing where it held already.
  }
}

const same = (a: PolicyBase, b: PolicyBase): boolean =>
  JSON.stringify([a.name, a.values]) === JSON.stringify([b.name, b.values])

function chosenBy(
  text: string | undefined,
  file: string,
): { readonly name: string; readonly line: number } | undefined {
  if (text === undefined) return undefined
  const source = readYaml(text)
  if (source.errors.length > 0) return undefined // `memctl doctor` and the reader of the whole file report them.
  const { value } = source
  const name = typeof value === 'object' && value !== null ? (value as { policy?: unknown }).policy : undefined
  if (name === undefined || name === null) return undefined
  const line = source.lineAt(['policy'])
  if (typeof name !== 'string') throw unknown(JSON.stringify(name), file, line)
  return { name, line }
}

const unknown = (name: string, file: string, line: number): MemoryError =>
  new MemoryError('CONFIG_INVALID', `policy is ${name} in ${file}, line ${line}`, {
    mend: `Use one of ${POLICY_NAMES.join(', ')}, or a file that ends in .yaml; or remove the line for the default.`,
  })

// Which policy a person has chosen: `policy:` in the project's .memctl/project.yaml, else in config.yaml of memctl's home. A name
// of a shipped policy, or a file beside it. What is chosen becomes an event, so that a rebuild knows since when it holds.
import path from 'node:path'
import { MemoryError } from '../../model/memoryError.ts'
import { DEFAULT_POLICY_PATCH, diffPolicy, type Policy, type PolicyPatch } from '../../model/policy.ts'
import { readJson } from '../../store/disk/readJson.ts'
import { commitEvents } from '../commit/commitEvents.ts'
import { systemEvent } from '../commit/systemEvent.ts'
import { configFile } from '../open/hookConfig.ts'
import type { Store } from '../open/openStore.ts'
import { readYaml } from '../open/yamlSource.ts'
import type { PolicyFile } from '../policy/activePolicy.ts'
import { DEFAULT_POLICY } from '../policy/activePolicy.ts'
import { projectConfigFile } from '../policy/hasPolicyConfig.ts'
import { BUILTIN_POLICY_NAMES, findBuiltinPolicy, loadPolicyFile } from '../policy/policyRegistry.ts'

interface ConfiguredPolicy {
  readonly policy: Policy
  /** The file that says so; undefined where none does and the shipped one serves. */
  readonly sourceFile: string | undefined
}

/** What is chosen for this store. Throws CONFIG_INVALID and POLICY_INVALID naming file, line and what is allowed. */
export function resolveConfiguredPolicy({ files, home, project }: Store): ConfiguredPolicy {
  if (home === undefined) return { policy: DEFAULT_POLICY, sourceFile: undefined } // A store of its own belongs to nobody.
  for (const from of [projectConfigFile(project.root), configFile(home)]) {
    const chosen = chosenBy(files.read(from)?.toString('utf8'), from)
    if (chosen === undefined) continue
    const shipped = findBuiltinPolicy(chosen.name)
    if (shipped) return { policy: shipped, sourceFile: from }
    if (!/\.ya?ml$/.test(chosen.name)) throw unknown(chosen.name, from, chosen.line)
    return { policy: loadPolicyFile(files, path.resolve(path.dirname(from), chosen.name)), sourceFile: from }
  }
  return { policy: DEFAULT_POLICY, sourceFile: undefined }
}

/** Puts a changed choice into the log, to hold from there on. Says whether there was one. */
export function commitPolicyChoice(store: Store, now: number): boolean {
  const base = diffPolicy(resolveConfiguredPolicy(store).policy, DEFAULT_POLICY)
  if (same(base, servingBase(store))) return false
  commitEvents(store, [systemEvent({ kind: 'policy.chosen', ...base }, { now, key: [JSON.stringify(base)] })])
  return true
}

function servingBase({ files, layout }: Store): PolicyPatch {
  try {
    return readJson<PolicyFile>(files, layout.policy)?.base ?? DEFAULT_POLICY_PATCH
  } catch {
    return DEFAULT_POLICY_PATCH // Damaged: told once more, which changes nothing where it held already.
  }
}

const same = (a: PolicyPatch, b: PolicyPatch): boolean =>
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
    hint: `Use one of ${BUILTIN_POLICY_NAMES.join(', ')}, or a file that ends in .yaml; or remove the line for the default.`,
  })

// The configured policy: `policy:` in the project's .memctl/project.yaml, else in config.yaml of memctl's home. It is
// the name of a builtin policy or a file. A change becomes an event, so that a rebuild applies it from the same time
// on.
import path from 'node:path'
import { MemoryError } from '../../model/memoryError.ts'
import { DEFAULT_POLICY_PATCH, diffPolicy, type Policy, type PolicyPatch } from '../../model/policy.ts'
import { readJson } from '../../store/disk/readJson.ts'
import { commitEvents } from '../commit/commitEvents.ts'
import { systemEvent } from '../commit/systemEvent.ts'
import { configFile } from '../open/hookConfig.ts'
import type { Store } from '../open/openStore.ts'
import { isYamlMapping, readYaml } from '../open/yamlSource.ts'
import type { PolicyFile } from '../policy/activePolicy.ts'
import { DEFAULT_POLICY } from '../policy/activePolicy.ts'
import { projectConfigFile } from '../policy/hasPolicyConfig.ts'
import { BUILTIN_POLICY_NAMES, findBuiltinPolicy, loadPolicyFile } from '../policy/policyRegistry.ts'

interface ConfiguredPolicy {
  readonly policy: Policy
  /** The file that configures it; undefined for the default policy. */
  readonly sourceFile: string | undefined
}

/** The policy of this store. Throws CONFIG_INVALID and POLICY_INVALID with file, line and what is allowed. */
export function resolveConfiguredPolicy({ files, home, project }: Store): ConfiguredPolicy {
  // A store outside of any home has no user config.
  const sources = home === undefined ? [] : [projectConfigFile(project.root), configFile(home)]
  for (const sourceFile of sources) {
    const configured = parsePolicyName(files.read(sourceFile)?.toString('utf8'), sourceFile)
    if (configured === undefined) continue
    const builtin = findBuiltinPolicy(configured.name)
    if (builtin) return { policy: builtin, sourceFile }
    if (!/\.ya?ml$/.test(configured.name)) throw unknownPolicyError(configured.name, sourceFile, configured.line)
    return { policy: loadPolicyFile(files, path.resolve(path.dirname(sourceFile), configured.name)), sourceFile }
  }
  return { policy: DEFAULT_POLICY, sourceFile: undefined }
}

/** Commits an event if the configured policy has changed. Returns whether it has. */
export const commitPolicyChoice = (store: Store, now: number): boolean =>
  commitPolicy(store, resolveConfiguredPolicy(store).policy, now)

/** Commits an event if this is another policy than the configured one. Returns whether it is. */
export function commitPolicy(store: Store, policy: Policy, now: number): boolean {
  const base = diffPolicy(policy, DEFAULT_POLICY)
  if (isSamePatch(base, readActiveBase(store))) return false
  commitEvents(store, [systemEvent({ kind: 'policy.chosen', ...base }, { now, key: [JSON.stringify(base)] })])
  return true
}

function readActiveBase({ files, layout }: Store): PolicyPatch {
  try {
    return readJson<PolicyFile>(files, layout.policy)?.base ?? DEFAULT_POLICY_PATCH
  } catch {
    return DEFAULT_POLICY_PATCH // Corrupt: a second event for the same policy has no effect.
  }
}

const isSamePatch = (a: PolicyPatch, b: PolicyPatch): boolean =>
  JSON.stringify([a.name, a.values]) === JSON.stringify([b.name, b.values])

function parsePolicyName(
  text: string | undefined,
  file: string,
): { readonly name: string; readonly line: number } | undefined {
  if (text === undefined) return undefined
  const source = readYaml(text)
  if (source.errors.length > 0) return undefined // `memctl doctor` and readConfig report them.
  const { value } = source
  const name = isYamlMapping(value) ? value['policy'] : undefined
  if (name === undefined || name === null) return undefined
  const line = source.lineAt(['policy'])
  if (typeof name !== 'string') throw unknownPolicyError(JSON.stringify(name), file, line)
  return { name, line }
}

const unknownPolicyError = (name: string, file: string, line: number): MemoryError =>
  new MemoryError('CONFIG_INVALID', `policy is ${name} in ${file}, line ${line}`, {
    hint: `Use ${BUILTIN_POLICY_NAMES.join(', ')} or a file that ends in .yaml, or remove the line to use the default.`,
  })

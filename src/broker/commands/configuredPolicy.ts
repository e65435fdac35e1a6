// The configured policy: `policy:` in config.yaml of memctl's home, the name of a builtin policy or a file. `policy:`
// in a trusted project's .memctl/project.yaml can only make it stricter. A change becomes an event, so that a rebuild
// applies it from the same time on.
import path from 'node:path'
import { MemoryError } from '../../model/memoryError.ts'
import { DEFAULT_POLICY_PATCH, diffPolicy, type Policy, type PolicyPatch } from '../../model/policy.ts'
import { tightenPolicy } from '../../model/strictness.ts'
import { readJson } from '../../store/disk/readJson.ts'
import { toSystemPath } from '../../store/disk/systemPath.ts'
import { type FileFault, isFileFault, readUntrusted } from '../../store/disk/untrustedFiles.ts'
import { isProjectTrusted, PROJECT_CONFIG_BYTES_MAX } from '../../store/project/contentTrust.ts'
import { commitEvents } from '../commit/commitEvents.ts'
import { systemEvent } from '../commit/systemEvent.ts'
import { configFile } from '../open/hookConfig.ts'
import type { Store } from '../open/openStore.ts'
import { isYamlMapping, readYaml } from '../open/yamlSource.ts'
import type { PolicyFile } from '../policy/activePolicy.ts'
import { DEFAULT_POLICY } from '../policy/activePolicy.ts'
import { projectConfigFile } from '../policy/hasPolicyConfig.ts'
import { parsePolicyOrThrow } from '../policy/parsePolicy.ts'
import { BUILTIN_POLICY_NAMES, findBuiltinPolicy, loadPolicyFile } from '../policy/policyRegistry.ts'

interface ConfiguredPolicy {
  readonly policy: Policy
  /** The file that configures it; undefined for the default policy. */
  readonly sourceFile: string | undefined
  /** What is wrong with the policy of the repository, which is then not used. */
  readonly fault?: FileFault | undefined
  /** Values of the repository's policy that are not used, because they are not stricter than the person's. */
  readonly ignored?: readonly string[]
}

/** A policy file of a repository, in bytes. */
const POLICY_BYTES_MAX = 262_144

/**
 * The policy of this store: that of the person, made stricter by that of a repository that the person trusts. Throws
 * CONFIG_INVALID and POLICY_INVALID for the person's, with file, line and what is allowed; a repository's is reported.
 */
export function resolveConfiguredPolicy(store: Store): ConfiguredPolicy {
  const person = resolvePersonPolicy(store)
  if (store.home === undefined || store.files.size(projectConfigFile(store.project.root)) === undefined) return person
  if (!isProjectTrusted(store)) return person
  const file = projectConfigFile(store.project.root)
  try {
    const other = resolveProjectPolicy(store, file)
    if (other === undefined) return person
    const { policy, taken, ignored } = tightenPolicy(person.policy, other, DEFAULT_POLICY)
    return { policy, sourceFile: Object.keys(taken).length > 0 ? file : person.sourceFile, ignored }
  } catch (error) {
    if (!(error instanceof MemoryError)) throw error
    return { ...person, fault: { file, what: error.message, hint: error.hint } }
  }
}

function resolvePersonPolicy({ files, home }: Store): ConfiguredPolicy {
  // A store outside of any home has no user config.
  const sourceFile = home === undefined ? undefined : configFile(home)
  const text = sourceFile === undefined ? undefined : files.read(sourceFile)?.toString('utf8')
  const configured = sourceFile === undefined ? undefined : parsePolicyName(text, sourceFile)
  if (sourceFile === undefined || configured === undefined) return { policy: DEFAULT_POLICY, sourceFile: undefined }
  const load = (): Policy => loadPolicyFile(files, path.resolve(path.dirname(sourceFile), configured.name))
  return { policy: findNamedPolicy(configured, sourceFile) ?? load(), sourceFile }
}

/** The policy that a project.yaml names; undefined if it names none. The file must be inside the project. */
function resolveProjectPolicy({ project: { root } }: Store, sourceFile: string): Policy | undefined {
  const text = readProjectText(root, sourceFile, PROJECT_CONFIG_BYTES_MAX) ?? ''
  const [error] = readYaml(text).errors
  if (error) {
    throw new MemoryError('CONFIG_INVALID', `${sourceFile}, line ${error.line}: ${error.what}`, {
      hint: 'Correct the line.',
    })
  }
  const configured = parsePolicyName(text, sourceFile)
  if (configured === undefined) return undefined
  const file = toSystemPath(path.resolve(path.dirname(sourceFile), configured.name))
  const named = findNamedPolicy(configured, sourceFile)
  if (named) return named
  if (file.startsWith(`${root}/`))
    return parsePolicyOrThrow(readProjectText(root, file, POLICY_BYTES_MAX) ?? '', file, findBuiltinPolicy)
  const where = `policy is ${configured.name} in ${sourceFile}, line ${configured.line}`
  throw new MemoryError('CONFIG_INVALID', `${where}, which is outside of the project`, {
    hint: 'Put the policy file into the project.',
  })
}

function readProjectText(root: string, file: string, bytesMax: number): string | undefined {
  const read = readUntrusted(root, file, bytesMax)
  if (isFileFault(read)) throw new MemoryError('CONFIG_INVALID', `${file}: ${read.what}`, { hint: read.hint })
  return read?.toString('utf8')
}

/** The builtin policy of that name; undefined if it is the name of a file. Throws CONFIG_INVALID for other names. */
function findNamedPolicy({ name, line }: PolicyName, sourceFile: string): Policy | undefined {
  const builtin = findBuiltinPolicy(name)
  if (!builtin && !/\.ya?ml$/.test(name)) throw unknownPolicyError(name, sourceFile, line)
  return builtin
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

interface PolicyName {
  readonly name: string
  readonly line: number
}

function parsePolicyName(text: string | undefined, file: string): PolicyName | undefined {
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

// Policies of a person: the configured one, and the commands freeze, unfreeze and reset. Each change is an
// event, so that a rebuild applies it from the same time on.
import path from 'node:path'
import type { EventOf } from '../../model/event.ts'
import { MemoryError } from '../../model/memoryError.ts'
import { DEFAULT_POLICY_PATCH, diffPolicy, type Policy, type PolicyPatch } from '../../model/policy.ts'
import { findPolicySpec, tightenPolicy } from '../../model/policySchema.ts'
import { objectOf } from '../../model/unknownJson.ts'
import { toSystemPath } from '../../store/disk/paths.ts'
import { readJsonIfIntact } from '../../store/disk/readJson.ts'
import { type FileFault, isFileFault, readUntrusted } from '../../store/disk/untrustedFiles.ts'
import { isProjectTrusted, PROJECT_CONFIG_BYTES_MAX } from '../../store/project/contentTrust.ts'
import { commitEvents, systemEvent } from '../commit/commitEvents.ts'
import { runMaintenanceOrThrow } from '../maintenance/maintenance.ts'
import { readYaml } from '../open/configFile.ts'
import { configFile, readConfigText } from '../open/hookConfig.ts'
import type { Store } from '../open/openStore.ts'
import { DEFAULT_POLICY, type PolicyFile, projectConfigFile } from '../policy/activePolicy.ts'
import {
  BUILTIN_POLICY_NAMES,
  findBuiltinPolicy,
  loadPolicyWithIssues,
  parsePolicy,
  policyOrThrow,
} from '../policy/policyFiles.ts'
import type { Projection } from '../projection/projection.ts'
import { loadProjection } from '../projection/projectionFiles.ts'

// The configured policy: `policy:` in config.yaml of memctl's home, the name of a builtin policy or a file. `policy:`
// in a trusted project's .memctl/project.yaml can only make it stricter.

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
    const sourceFile = Object.keys(taken).length > 0 ? file : person.sourceFile
    return { ...person, policy, sourceFile, ignored }
  } catch (error) {
    if (!(error instanceof MemoryError)) throw error
    return { ...person, fault: { file, what: error.message, hint: error.hint } }
  }
}

function resolvePersonPolicy({ files, home }: Store): ConfiguredPolicy {
  // A store outside of any home has no user config.
  if (home === undefined) return { policy: DEFAULT_POLICY, sourceFile: undefined }
  const sourceFile = configFile(home)
  const configured = parsePolicyName(readConfigText(files, home), sourceFile)
  if (configured === undefined) return { policy: DEFAULT_POLICY, sourceFile: undefined }
  const named = findNamedPolicy(configured, sourceFile)
  if (named) return { policy: named, sourceFile }
  const file = path.resolve(path.dirname(sourceFile), configured.name)
  return { policy: policyOrThrow(loadPolicyWithIssues(files, file), file), sourceFile }
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
    return policyOrThrow(parsePolicy(readProjectText(root, file, POLICY_BYTES_MAX) ?? ''), file)
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
  const { name, values } = readActiveBase(store)
  if (JSON.stringify([base.name, base.values]) === JSON.stringify([name, values])) return false
  commitEvents(store, [systemEvent({ kind: 'policy.chosen', ...base }, { now, key: [JSON.stringify(base)] })])
  return true
}

function readActiveBase({ files, layout }: Store): PolicyPatch {
  // Corrupt: a second event for the same policy has no effect.
  const { name, values } = readJsonIfIntact<PolicyFile>(files, layout.policy)?.base ?? DEFAULT_POLICY_PATCH
  // Without numbers of earlier versions: that they are gone is no other choice, and drops nothing that was learned.
  return { name, values: Object.fromEntries(Object.entries(values).filter(([at]) => findPolicySpec(at))) }
}

type PolicyName = NonNullable<ReturnType<typeof parsePolicyName>>

function parsePolicyName(text: string | undefined, file: string) {
  if (text === undefined) return undefined
  const source = readYaml(text)
  if (source.errors.length > 0) return undefined // `memctl doctor` and readConfig report them.
  const { policy: name } = objectOf(source.value)
  if (name === undefined || name === null) return undefined
  const line = source.lineAt(['policy'])
  if (typeof name !== 'string') throw unknownPolicyError(JSON.stringify(name), file, line)
  return { name, line }
}

const unknownPolicyError = (name: string, file: string, line: number): MemoryError =>
  new MemoryError('CONFIG_INVALID', `policy is ${name} in ${file}, line ${line}`, {
    hint: `Use ${BUILTIN_POLICY_NAMES.join(', ')} or a file that ends in .yaml, or remove the line to use the default.`,
  })

/** Stops or resumes changes by learning. Evidence is collected in both cases. Throws STORE_BUSY. */
export function setPolicyFrozen(store: Store, frozen: boolean, now: number): PolicyCommandResult {
  if (loadCurrentProjection(store, now).frozen === frozen) return readResult(store, false)
  const event = systemEvent({ kind: 'policy.frozen', frozen }, { now, key: [String(frozen)] })
  return commitPolicyEvent(store, event, now)
}

/** Discards what was learned. The evidence stays, so the same may be learned again. Throws STORE_BUSY. */
export function resetPolicy(store: Store, now: number): PolicyCommandResult {
  const { learned } = loadCurrentProjection(store, now)
  if (Object.keys(learned.values).length + (learned.exclusions?.length ?? 0) === 0) return readResult(store, false)
  const version = learned.version + 1
  const body = { kind: 'policy.changed', version, values: {}, reason: 'reset', evidence: {}, by: 'person' } as const
  return commitPolicyEvent(store, systemEvent(body, { now, key: [String(version), 'reset'] }), now)
}

function commitPolicyEvent(store: Store, event: EventOf<'policy.changed' | 'policy.frozen'>, now: number) {
  commitEvents(store, [event])
  runMaintenanceOrThrow(store, now)
  return readResult(store, true)
}

function loadCurrentProjection(store: Store, now: number): Projection {
  runMaintenanceOrThrow(store, now)
  return loadProjection(store).projection
}

export type PolicyCommandResult = Readonly<ReturnType<typeof readResult>>

/** The learned policy after a command; not `changed` if there was nothing to change. */
function readResult(store: Store, changed: boolean) {
  const { learned, frozen } = loadProjection(store).projection
  return { version: learned.version, frozen, changed }
}

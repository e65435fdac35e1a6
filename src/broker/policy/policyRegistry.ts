// The builtin policies by name, and policies from the user's files.
import cycle from '../../../policies/cycle-classic.yaml'
import strict from '../../../policies/privacy-strict.yaml'
import quiet from '../../../policies/quiet.yaml'
import strength from '../../../policies/strength-classic.yaml'
import { MemoryError } from '../../model/memoryError.ts'
import type { Policy } from '../../model/policy.ts'
import type { Files } from '../../store/disk/files.ts'
import { inspectUntrusted, isFileFault } from '../../store/disk/untrustedFiles.ts'
import { DEFAULT_POLICY } from './activePolicy.ts'
import { type ParsedPolicy, parsePolicy, parsePolicyOrThrow } from './parsePolicy.ts'

const BUILTIN_POLICIES: ReadonlyMap<string, Policy> = new Map(
  ([DEFAULT_POLICY, cycle, strength, quiet, strict] as Policy[]).map((policy) => [policy.name, withoutNever(policy)]),
)

export const BUILTIN_POLICY_NAMES: readonly string[] = [...BUILTIN_POLICIES.keys()]

export const findBuiltinPolicy = (name: string): Policy | undefined => BUILTIN_POLICIES.get(name)

/** The validated policy of a file. Throws NOT_FOUND, and POLICY_INVALID with file, line, value and what is allowed. */
export const loadPolicyFile = (files: Files, file: string): Policy =>
  parsePolicyOrThrow(readText(files, file), file, findBuiltinPolicy)

/** The policy of a file with all its issues. Throws NOT_FOUND. */
export const loadPolicyWithIssues = (files: Files, file: string): ParsedPolicy =>
  parsePolicy(readText(files, file), findBuiltinPolicy)

function readText(files: Files, file: string): string {
  const found = inspectUntrusted(undefined, file)
  if (isFileFault(found)) throw new MemoryError('INPUT_INVALID', `${file}: ${found.what}`, { hint: found.hint })
  const text = files.read(file)?.toString('utf8')
  if (text !== undefined) return text
  throw new MemoryError('NOT_FOUND', `There is no policy file ${file}`, {
    hint: `Use an existing file, or one of ${BUILTIN_POLICY_NAMES.join(', ')}.`,
  })
}

/** `never`, allowed only for days of privacy release, is null in a policy. */
function withoutNever(policy: Policy): Policy {
  const { privateToAgentOnly, agentOnlyToPublic } = policy.privacy.releaseDays as Readonly<Record<string, unknown>>
  const days = (value: unknown): number | null => (typeof value === 'number' ? value : null)
  return {
    ...policy,
    privacy: {
      releaseDays: { privateToAgentOnly: days(privateToAgentOnly), agentOnlyToPublic: days(agentOnlyToPublic) },
    },
  }
}

// The shipped policies by name, and a person's own from a file.

import cycle from '../../../policies/cycle-classic.yaml'
import strict from '../../../policies/privacy-strict.yaml'
import quiet from '../../../policies/quiet.yaml'
import strength from '../../../policies/strength-classic.yaml'
import { MemoryError } from '../../model/memoryError.ts'
import type { Policy } from '../../model/policy.ts'
import type { Files } from '../../store/disk/files.ts'
import { DEFAULT_POLICY } from './activePolicy.ts'
import { type ParsedPolicy, parsePolicy, parsePolicyOrThrow } from './parsePolicy.ts'

const NAMED: ReadonlyMap<string, Policy> = new Map(
  [DEFAULT_POLICY, cycle, strength, quiet, strict].map((policy) => [
    (policy as Policy).name,
    withoutNever(policy as Policy),
  ]),
)

export const BUILTIN_POLICY_NAMES: readonly string[] = [...NAMED.keys()]

export const findBuiltinPolicy = (name: string): Policy | undefined => NAMED.get(name)

/** The policy of a file, checked. Throws NOT_FOUND, and POLICY_INVALID naming file, line, value and what is allowed. */
export const loadPolicyFile = (files: Files, file: string): Policy =>
  parsePolicyOrThrow(textIn(files, file), file, findBuiltinPolicy)

/** The same with every fault instead of an error. */
export const loadPolicyWithIssues = (files: Files, file: string): ParsedPolicy =>
  parsePolicy(textIn(files, file), findBuiltinPolicy)

function textIn(files: Files, file: string): string {
  const text = files.read(file)?.toString('utf8')
  if (text !== undefined) return text
  throw new MemoryError('NOT_FOUND', `There is no policy file ${file}`, {
    hint: `Give a file that is there, or one of ${BUILTIN_POLICY_NAMES.join(', ')}.`,
  })
}

/** The word `never`, which only days of release may be, is null in a policy. */
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

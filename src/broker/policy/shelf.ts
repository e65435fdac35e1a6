// The shipped policies by name, and a person's own from a file.

import cycle from '../../../policies/cycle-classic.yaml'
import strict from '../../../policies/privacy-strict.yaml'
import quiet from '../../../policies/quiet.yaml'
import strength from '../../../policies/strength-classic.yaml'
import { MemoryError } from '../../model/errors.ts'
import type { Policy } from '../../model/policy.ts'
import type { Files } from '../../store/files.ts'
import { SHIPPED } from './served.ts'
import { policyFrom, type ReadPolicy, readPolicy } from './text.ts'

const NAMED: ReadonlyMap<string, Policy> = new Map(
  [SHIPPED, cycle, strength, quiet, strict].map((policy) => [(policy as Policy).name, withoutNever(policy as Policy)]),
)

export const POLICY_NAMES: readonly string[] = [...NAMED.keys()]

export const shippedPolicy = (name: string): Policy | undefined => NAMED.get(name)

/** The policy of a file, checked. Throws NOT_FOUND, and POLICY_INVALID naming file, line, value and what is allowed. */
export const policyIn = (files: Files, file: string): Policy => policyFrom(textIn(files, file), file, shippedPolicy)

/** The same with every fault instead of an error. */
export const policyWithFaults = (files: Files, file: string): ReadPolicy =>
  readPolicy(textIn(files, file), shippedPolicy)

function textIn(files: Files, file: string): string {
  const text = files.read(file)?.toString('utf8')
  if (text !== undefined) return text
  throw new MemoryError('NOT_FOUND', `There is no policy file ${file}`, {
    mend: `Give a file that is there, or one of ${POLICY_NAMES.join(', ')}.`,
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

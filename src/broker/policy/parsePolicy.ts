// A policy's YAML read and checked: every fault with its file, line, value and what is allowed there.
import { MemoryError } from '../../model/memoryError.ts'
import type { Policy } from '../../model/policy.ts'
import { findContradictions, type PolicyProblem, validateFile } from '../../model/policyValidator.ts'
import { readYaml } from '../open/yamlSource.ts'

/** A fault with its line; the path is empty for the file as a whole. */
interface PolicyIssue extends PolicyProblem {
  readonly line: number
}

export interface ParsedPolicy {
  readonly policy: Policy
  readonly issues: readonly PolicyIssue[]
}

type Tree = Record<string, unknown>

/** Numbers of earlier versions. A file that still has one is read as if it had not. */
const RETIRED: readonly string[] = ['recall.warnAt']

const NAME = /^[a-z0-9][a-z0-9-]{0,63}$/

/**
 * The policy a file's text comes to, and all that is wrong with it. What is left out is as in the policy it `extends`; with
 * faults it is that policy.
 */
export function parsePolicy(text: string, extended: (name: string) => Policy | undefined): ParsedPolicy {
  const source = readYaml(text)
  const base = extended('default')!
  if (source.errors.length > 0) {
    const faults = source.errors.map((error) => ({ ...error, path: '', hint: 'Correct the YAML of this line' }))
    return { policy: base, issues: faults }
  }
  const { value } = source
  if (!isTree(value)) {
    const hint = 'Write `name: value` lines; `memctl policy export --whole` shows a policy'
    return { policy: base, issues: [{ line: 1, path: '', what: 'it is not a mapping of names to values', hint }] }
  }
  const inOrder = (found: readonly PolicyProblem[]): PolicyIssue[] =>
    found.map((fault) => ({ ...fault, line: source.lineAt(fault.path.split('.')) })).sort((a, b) => a.line - b.line)
  const print = (path: string, given: unknown): string =>
    source.textAt(path.split('.')) ?? JSON.stringify(given) ?? String(given)
  for (const path of RETIRED) removeAt(value, path)
  const { name, extends: from, ...parts } = value
  const start = from === undefined ? base : typeof from === 'string' ? extended(from) : undefined
  const faults = validateFile(parts, print)
  if (!start) {
    const what = `extends is ${print('extends', from)}`
    faults.unshift({ path: 'extends', what, hint: 'Name a shipped policy, such as default' })
  }
  if (typeof name !== 'string' || !NAME.test(name)) {
    const what = `name is ${print('name', name)}`
    faults.unshift({ path: 'name', what, hint: 'Give it a name of small letters, digits and hyphens' })
  }
  if (faults.length > 0) return { policy: start ?? base, issues: inOrder(faults) }
  const policy = { ...merge(start ?? base, parts), name } as unknown as Policy
  return { policy, issues: inOrder(findContradictions(policy)) }
}

function removeAt(tree: Tree, path: string): void {
  const [name = '', ...below] = path.split('.')
  const inner = tree[name]
  if (below.length === 0) delete tree[name]
  else if (isTree(inner)) removeAt(inner, below.join('.'))
}

/** The policy with the valid values of a file in their places. */
function merge(base: object, parts: Tree): Tree {
  const merged: Tree = { ...base }
  for (const [name, value] of Object.entries(parts)) {
    if (isTree(value)) merged[name] = merge(merged[name] as object, value)
    else merged[name] = value === 'never' ? null : value
  }
  return merged
}

/** The policy of this file. Throws POLICY_INVALID naming file, line, value and what is allowed, for the first of its faults. */
export function parsePolicyOrThrow(text: string, file: string, extended: (name: string) => Policy | undefined): Policy {
  const { policy, issues } = parsePolicy(text, extended)
  const first = issues[0]
  if (!first) return policy
  const more = issues.length > 1 ? ` (and ${issues.length - 1} more: memctl policy validate ${file})` : ''
  throw new MemoryError('POLICY_INVALID', `${first.what} in ${file}, line ${first.line}${more}`, {
    hint: hintOf(first),
  })
}

/** The hint as a sentence; a number may always be left out. */
export const hintOf = ({ path, hint }: PolicyIssue): string =>
  path === '' || path === 'name' ? `${hint}.` : `${hint}, or remove the line.`

const isTree = (value: unknown): value is Tree => typeof value === 'object' && value !== null && !Array.isArray(value)

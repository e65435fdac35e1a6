// Policies in files: the builtin ones by name, and YAML that is parsed and validated. Every
// issue has its line, the value, and what is allowed.
import cycle from '../../../policies/cycle-classic.yaml'
import strict from '../../../policies/privacy-strict.yaml'
import quiet from '../../../policies/quiet.yaml'
import strength from '../../../policies/strength-classic.yaml'
import { MemoryError } from '../../model/memoryError.ts'
import type { Policy } from '../../model/policy.ts'
import { findContradictions, type PolicyProblem, validateFile } from '../../model/policySchema.ts'
import { isObject } from '../../model/unknownJson.ts'
import type { Files } from '../../store/disk/files.ts'
import { inspectUntrusted, isFileFault } from '../../store/disk/untrustedFiles.ts'
import { readYaml } from '../open/configFile.ts'
import { DEFAULT_POLICY } from './activePolicy.ts'

/** A problem with its line; the path is empty for the entire file. */
export interface PolicyIssue extends PolicyProblem {
  readonly line: number
}

interface ParsedPolicy {
  readonly policy: Policy
  readonly issues: readonly PolicyIssue[]
}

type Tree = Record<string, unknown>

const NAME = /^[a-z0-9][a-z0-9-]{0,63}$/

/**
 * The policy of a file's text, and everything that is wrong with the text. Values left out are those of the policy that
 * it `extends`; if there are issues, the result is that policy unchanged.
 */
export function parsePolicy(text: string): ParsedPolicy {
  const source = readYaml(text)
  if (source.errors.length > 0) {
    const issues = source.errors.map((error) => ({ ...error, path: '', hint: 'Correct the YAML of this line' }))
    return { policy: DEFAULT_POLICY, issues }
  }
  const { value } = source
  if (!isObject(value)) {
    const hint = 'Write `name: value` lines; `memctl policy show --all` lists the numbers'
    const issue = { line: 1, path: '', what: 'it is not a mapping of names to values', hint }
    return { policy: DEFAULT_POLICY, issues: [issue] }
  }
  const withLines = (problems: readonly PolicyProblem[]): PolicyIssue[] =>
    problems
      .map((problem) => ({ ...problem, line: source.lineAt(problem.path.split('.')) }))
      .sort((a, b) => a.line - b.line)
  const print = (path: string, parsed: unknown): string =>
    source.textAt(path.split('.')) ?? JSON.stringify(parsed) ?? String(parsed)
  const { name, extends: baseName = 'default', ...parts } = value
  const base = typeof baseName === 'string' ? findBuiltinPolicy(baseName) : undefined
  const problems = validateFile(parts, print)
  if (!base) {
    const what = `extends is ${print('extends', baseName)}`
    problems.unshift({ path: 'extends', what, hint: 'Use the name of a builtin policy, such as default' })
  }
  if (typeof name !== 'string' || !NAME.test(name)) {
    const what = `name is ${print('name', name)}`
    problems.unshift({ path: 'name', what, hint: 'Use lowercase letters, digits and hyphens' })
  }
  if (problems.length > 0) return { policy: base ?? DEFAULT_POLICY, issues: withLines(problems) }
  const policy = { ...merge(base ?? DEFAULT_POLICY, parts), name } as unknown as Policy
  return { policy, issues: withLines(findContradictions(policy)) }
}

function merge(base: object, parts: Readonly<Tree>): Tree {
  const merged: Tree = { ...base }
  for (const [name, value] of Object.entries(parts)) {
    if (isObject(value)) merged[name] = merge(merged[name] as object, value)
    else merged[name] = value === 'never' ? null : value
  }
  return merged
}

/** The policy of this file. Throws POLICY_INVALID with file, line, value and what is allowed, for the first issue. */
export function policyOrThrow({ policy, issues }: ParsedPolicy, file: string): Policy {
  const first = issues[0]
  if (!first) return policy
  const more = issues.length > 1 ? ` (and ${issues.length - 1} more: memctl policy validate ${file})` : ''
  throw new MemoryError('POLICY_INVALID', `${first.what} in ${file}, line ${first.line}${more}`, {
    hint: hintOf(first),
  })
}

/** The hint as a sentence; any line but the name may be left out. */
export const hintOf = ({ path, hint }: PolicyIssue): string =>
  path === '' || path === 'name' ? `${hint}.` : `${hint}, or remove the line.`

/** Each file has only its differences from the default policy. */
const BUILTIN_POLICIES: ReadonlyMap<string, Policy> = new Map(
  [DEFAULT_POLICY, cycle, strength, quiet, strict].map((file) => {
    const { extends: _, ...parts } = file as unknown as Tree
    const policy = merge(DEFAULT_POLICY, parts) as unknown as Policy
    return [policy.name, policy]
  }),
)

export const BUILTIN_POLICY_NAMES: readonly string[] = [...BUILTIN_POLICIES.keys()]

export const findBuiltinPolicy = (name: string): Policy | undefined => BUILTIN_POLICIES.get(name)

/** The policy of a file with all its issues. Throws NOT_FOUND. */
export function loadPolicyWithIssues(files: Files, file: string): ParsedPolicy {
  const found = inspectUntrusted(undefined, file)
  if (isFileFault(found)) throw new MemoryError('INPUT_INVALID', `${file}: ${found.what}`, { hint: found.hint })
  const text = files.read(file)?.toString('utf8')
  if (text !== undefined) return parsePolicy(text)
  throw new MemoryError('NOT_FOUND', `There is no policy file ${file}`, {
    hint: `Use an existing file, or one of ${BUILTIN_POLICY_NAMES.join(', ')}.`,
  })
}

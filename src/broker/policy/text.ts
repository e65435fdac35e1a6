// A policy's YAML read and checked: every fault with its file, line, value and what is allowed there.
import { isNode, isScalar, LineCounter, parseDocument } from 'yaml'
import { MemoryError } from '../../model/errors.ts'
import type { Policy } from '../../model/policy.ts'
import { contradictionsIn } from '../../model/policyFaults.ts'
import {
  describedAt,
  isNames,
  isQuantity,
  isWithin,
  NUMBERS,
  type Quantity,
  rangeText,
} from '../../model/policyNumbers.ts'

export interface TextFault {
  readonly line: number
  /** Dotted, empty for the file as a whole. */
  readonly path: string
  readonly what: string
  readonly mend: string
}

export interface ReadPolicy {
  readonly policy: Policy
  readonly faults: readonly TextFault[]
}

type Tree = Record<string, unknown>

/** Numbers of earlier versions. A file that still has one is read as if it had not. */
const RETIRED: ReadonlySet<string> = new Set(['recall.warnAt'])

const NAME = /^[a-z0-9][a-z0-9-]{0,63}$/

/** The policy a file's text comes to, numbers left out being those of the policy it `extends`, and all that is wrong with it. */
export function readPolicy(text: string, extended: (name: string) => Policy | undefined): ReadPolicy {
  const lines = new LineCounter()
  const document = parseDocument(text, { lineCounter: lines, prettyErrors: false })
  const base = extended('default')!
  const broken = document.errors.map((error) => ({
    ...{ line: lines.linePos(error.pos[0]).line, path: '', what: error.message.split('\n')[0]! },
    mend: 'Mend the YAML of this line',
  }))
  if (broken.length > 0) return { policy: base, faults: broken }
  const value: unknown = document.toJS()
  if (!isTree(value)) {
    const mend = 'Write `name: value` lines; `memctl policy export --whole` shows a policy'
    return { policy: base, faults: [{ line: 1, path: '', what: 'it is no mapping of names to values', mend }] }
  }
  const faults: TextFault[] = []
  const fault = (path: string, what: string, mend: string): void => {
    const names = path.split('.')
    const node = document.getIn(path === '' ? [] : names.map(asKey), true)
    const at = isNode(node) ? node.range?.[0] : undefined
    faults.push({ line: at === undefined ? 1 : lines.linePos(at).line, path, what, mend })
  }
  const said = (path: string, given: unknown): string => {
    const node = document.getIn(path.split('.').map(asKey), true)
    return isScalar(node) ? String(node.source ?? node.value) : JSON.stringify(given)
  }
  const { name, extends: from, ...parts } = value
  if (typeof name !== 'string' || !NAME.test(name))
    fault('name', `name is ${said('name', name)}`, 'Give it a name of small letters, digits and hyphens')
  const start = from === undefined ? base : typeof from === 'string' ? extended(from) : undefined
  if (!start) fault('extends', `extends is ${said('extends', from)}`, 'Name a shipped policy, such as default')
  const policy = { ...structuredClone(start ?? base), ...(typeof name === 'string' && { name }) } as unknown as Tree
  fill(policy, parts, NUMBERS, '')
  if (faults.length === 0)
    for (const { path, what, mend } of contradictionsIn(policy as unknown as Policy)) fault(path, what, mend)
  return { policy: policy as unknown as Policy, faults }

  function fill(into: Tree, given: Tree, described: object, above: string): void {
    for (const [key, one] of Object.entries(given)) {
      const path = above === '' ? key : `${above}.${key}`
      if (RETIRED.has(path)) continue
      const about = Object.hasOwn(described, key) ? describedAt(path) : undefined
      if (about === undefined) {
        fault(path, `${path} is not known`, `There is ${Object.keys(described).join(', ')}: correct the name`)
      } else if (isQuantity(about)) fillNumber(into, key, path, one, about)
      else if (isNames(about)) {
        const all = Array.isArray(one) && one.every((word) => about.names.includes(word as string))
        if (all) into[key] = one
        else fault(path, `${path} is ${said(path, one)}`, `Use a list of ${about.names.join(', ')}`)
      } else if (isTree(one)) fill(into[key] as Tree, one, about as object, path)
      else fault(path, `${path} is ${said(path, one)}`, `Give ${Object.keys(about as object).join(', ')} below it`)
    }
  }

  function fillNumber(into: Tree, key: string, path: string, given: unknown, quantity: Quantity): void {
    const use = `Use ${quantity.whole ? 'a whole number' : 'a number'} from ${rangeText(quantity).replace(', whole', '')}`
    if (!Array.isArray(into[key])) {
      const number = given === 'never' ? null : given
      if (given !== null && isWithin(number, quantity)) into[key] = number
      else fault(path, `${path} is ${said(path, given)}`, use)
      return
    }
    if (!Array.isArray(given) || given.length === 0) {
      fault(path, `${path} is ${said(path, given)}`, `${use} each, in a list`)
      return
    }
    const off = given.findIndex((one) => !isWithin(one, quantity))
    if (off === -1) into[key] = given
    else fault(`${path}.${off}`, `${path}.${off} is ${said(`${path}.${off}`, given[off])}`, use)
  }
}

/** The policy of this file. Throws POLICY_INVALID naming file, line, value and what is allowed, for the first of its faults. */
export function policyFrom(text: string, file: string, extended: (name: string) => Policy | undefined): Policy {
  const { policy, faults } = readPolicy(text, extended)
  const first = faults[0]
  if (!first) return policy
  const more = faults.length > 1 ? ` (and ${faults.length - 1} more: memctl policy validate ${file})` : ''
  throw new MemoryError('POLICY_INVALID', `${first.what} in ${file}, line ${first.line}${more}`, {
    mend: mendOf(first),
  })
}

/** The mend as a sentence; a number may always be left out. */
export const mendOf = ({ path, mend }: TextFault): string =>
  path === '' || path === 'name' ? `${mend}.` : `${mend}, or remove the line.`

const asKey = (name: string): string | number => (/^\d+$/.test(name) ? Number(name) : name)

const isTree = (value: unknown): value is Tree => typeof value === 'object' && value !== null && !Array.isArray(value)

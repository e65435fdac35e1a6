// The builtin policies: they are valid, their comments agree with the table of numbers, and the classics with their
// sources.
import fs from 'node:fs'
import path from 'node:path'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { type Node, parse, parseDocument } from 'yaml'
import { DEFAULT_POLICY } from '../../src/broker/policy/activePolicy.ts'
import {
  BUILTIN_POLICY_NAMES,
  findBuiltinPolicy,
  parsePolicy,
  policyOrThrow,
} from '../../src/broker/policy/policyFiles.ts'
import { IMPORTANCE_WEIGHTS } from '../../src/model/importance.ts'
import { applyPolicyPatch, diffPolicy, type Policy } from '../../src/model/policy.ts'
import { findPolicySpec, isNumberSpec, validatePolicy, validateValues } from '../../src/model/policySchema.ts'
import { selectRankingModel } from '../../src/model/rankingScore.ts'
import { RECALL_MOMENTS } from '../../src/model/recallQuery.ts'
import { flattenPolicy } from './flattenPolicy.ts'

const FOLDER = path.resolve(import.meta.dirname, '../../policies')
const textOf = (name: string): string => fs.readFileSync(path.join(FOLDER, `${name}.yaml`), 'utf8')
const FILES = fs.readdirSync(FOLDER).filter((name) => name.endsWith('.yaml'))
const POLICIES = FILES.map((name) => name.replace('.yaml', ''))
const PATHS = [...flattenPolicy(DEFAULT_POLICY).keys()]
const NUMBERS = PATHS.flatMap((at) => {
  const spec = findPolicySpec(at)
  return isNumberSpec(spec) ? [[at, spec] as const] : []
})

/** The policy with this value at a path, as a file of its own. */
const yamlWith = (at: string, value: unknown): string => {
  const names = at.split('.')
  const inner = names.reduceRight<unknown>((below, name) => ({ [name]: below }), value)
  return `name: mine\n${JSON.stringify(inner).slice(1, -1)}\n`.replace(/^"([a-z]+)":/m, '$1: ')
}
const issuesWith = (at: string, value: unknown) => parsePolicy(yamlWith(at, value)).issues

test('policies: there are five, and each file is called as its policy', () => {
  expect(POLICIES.sort()).toEqual(['cycle-classic', 'default', 'privacy-strict', 'quiet', 'strength-classic'])
  expect([...BUILTIN_POLICY_NAMES].sort()).toEqual(POLICIES)
  for (const name of POLICIES) expect(parse(textOf(name)).name).toBe(name)
})

test.each(POLICIES)('policies: %s is valid, and the builtin policy is that of its file', (name) => {
  const policy = policyOrThrow(parsePolicy(textOf(name)), name)
  expect(validatePolicy(policy)).toEqual([])
  expect(policy).toEqual(findBuiltinPolicy(name))
  expect([...flattenPolicy(policy).values()]).not.toContain(undefined)
})

test('policies: a file has only its differences from the default', () => {
  for (const name of POLICIES.filter((other) => other !== 'default')) {
    const { name: _name, extends: base, ...written } = parse(textOf(name))
    expect(base).toBe('default')
    const differences = Object.keys(diffPolicy(findBuiltinPolicy(name)!, DEFAULT_POLICY).values)
    expect(listPaths(written).sort()).toEqual(differences.sort())
  }
})

const listPaths = (tree: Record<string, unknown>, prefix = ''): string[] =>
  Object.entries(tree).flatMap(([name, value]) =>
    typeof value === 'object' && !Array.isArray(value)
      ? listPaths(value as Record<string, unknown>, `${prefix}${name}.`)
      : [prefix + name],
  )

test('policies: every number of the default has its meaning, unit and range beside it', () => {
  const document = parseDocument(textOf('default'))
  for (const [at, { min, max, whole, never }] of NUMBERS) {
    const { comment } = document.getIn(at.split('.'), true) as Node
    const [, meaning, unit, range] = /^ (.+); (\w+), (.+)$/.exec(comment ?? '') ?? []
    expect([meaning, unit], at).not.toContain(undefined)
    expect(range, at).toBe(`${min} to ${max}${whole ? ', whole' : ''}${never ? ', or never' : ''}`)
  }
})

describe('ranges', () => {
  test.each(NUMBERS)('policies: %s has the same range in its comment and its validation', (at, quantity) => {
    const list = Array.isArray(flattenPolicy(DEFAULT_POLICY).get(at))
    const as = (value: number): unknown => (list ? [value] : value)
    const step = quantity.whole ? 1 : 0.0001
    for (const beyond of [quantity.min - step, quantity.max + step]) {
      expect(issuesWith(at, as(beyond)), String(beyond)).not.toEqual([])
      expect(validateValues({ [at]: as(beyond) })).toHaveLength(1)
    }
    for (const within of [quantity.min, quantity.max]) {
      expect(validateValues({ [at]: as(within) })).toEqual([])
      // A number may contradict others; that is another issue than its range.
      for (const issue of issuesWith(at, as(within))) expect(issue.hint).not.toMatch(/^Use a (?:whole )?number/)
    }
  })

  test('policies: a value is accepted only if it is a number in its range', () => {
    const anything = fc.oneof(
      fc.double({ noNaN: true }),
      fc.integer(),
      fc.string(),
      fc.boolean(),
      fc.constant(null),
      fc.constant([]),
    )
    fc.assert(
      fc.property(fc.constantFrom(...NUMBERS), anything, ([at, quantity], value) => {
        const { policy, issues } = parsePolicy(yamlWith(at, value))
        const fits =
          (typeof value === 'number' &&
            value >= quantity.min &&
            value <= quantity.max &&
            (!quantity.whole || Number.isInteger(value))) ||
          (value === 'never' && quantity.never === true)
        if (!fits || Array.isArray(flattenPolicy(DEFAULT_POLICY).get(at))) expect(issues.length).toBeGreaterThan(0)
        else if (issues.length === 0) {
          // YAML's 0 has no sign.
          expect(flattenPolicy(policy).get(at)).toBe(typeof value === 'number' ? value + 0 : null)
        }
      }),
    )
  })
})

describe('an issue', () => {
  test('policies: an error names file, line, value and what is allowed', () => {
    const text = 'name: mine\nrecall:\n  moments:\n    prompt:\n      topK: -3\n'
    expect(() => policyOrThrow(parsePolicy(text), 'policies/mine.yaml')).toThrow(
      expect.objectContaining({
        code: 'POLICY_INVALID',
        message: 'recall.moments.prompt.topK is -3 in policies/mine.yaml, line 5',
        hint: 'Use a whole number from 1 to 50, or remove the line.',
      }),
    )
  })

  test.each([
    ['name: mine\nrecal: 3\n', 2, 'recal is not known'],
    ['name: mine\nrecall:\n  moments:\n    promt:\n      topK: 1\n', 4, 'recall.moments.promt is not known'],
    ['name: mine\nrecall:\n  formula: best\n', 3, 'recall.formula is best'],
    ['name: mine\ntiers: 7\n', 2, 'tiers is 7'],
    ['name: mine\ntiers:\n  hotDays: 40\n', 2, 'tiers.warmDays'],
    ['name: mine\nstrength:\n  levelUses: [0, 5, 5, 30, 60, 100]\n', 3, 'strength.levelUses is [0,5,5,30,60,100]'],
    ['name: mine\nstrength:\n  dailyRetention: [0.95,\n    1.2]\n', 4, 'strength.dailyRetention.1 is 1.2'],
    ['name: mine\nstrength:\n  dailyRetention: [0.9]\n', 3, 'has 1 numbers for 6 levels'],
    ['name: mine\nrecall:\n  moments:\n    call:\n      kinds: [lesson, gossip]\n', 5, 'recall.moments.call.kinds'],
    ['name: mine\nprivacy:\n  releaseDays:\n    agentOnlyToPublic: sometimes\n', 4, 'agentOnlyToPublic is sometimes'],
    ['name: Mine!\n', 1, 'name is Mine!'],
    ['name: mine\nextends: nobody\n', 2, 'extends is nobody'],
    ['name: mine\nname: mine\n', 2, 'unique'],
    ['- 1\n', 1, 'not a mapping'],
    ['', 1, 'not a mapping'],
    ['name: mine\n  x: [', 1, ''],
  ])('policies: %j is an issue with its line', (text, line, what) => {
    const [issue] = parsePolicy(text).issues
    expect(issue?.what).toContain(what)
    expect(issue?.line).toBe(line)
    expect(issue?.hint).not.toBe('')
  })

  test('policies: a file may contain only what it changes of the default or another builtin policy', () => {
    const mine = policyOrThrow(parsePolicy('name: mine\nrecall:\n  withholdShare: 0\n'), 'mine.yaml')
    expect(mine).toEqual({ ...DEFAULT_POLICY, name: 'mine', recall: { ...DEFAULT_POLICY.recall, withholdShare: 0 } })
    const strict = policyOrThrow(parsePolicy('name: mine\nextends: privacy-strict\n'), 'mine.yaml')
    expect(strict).toEqual({ ...findBuiltinPolicy('privacy-strict')!, name: 'mine' })
  })
})

test('policies: the default policy with the differences of a policy is that policy', () => {
  for (const name of POLICIES) {
    const policy = findBuiltinPolicy(name)!
    expect(applyPolicyPatch(DEFAULT_POLICY, diffPolicy(policy, DEFAULT_POLICY))).toEqual(policy)
    expect(JSON.parse(JSON.stringify(diffPolicy(policy, DEFAULT_POLICY)))).toEqual(diffPolicy(policy, DEFAULT_POLICY))
  }
  expect(diffPolicy(DEFAULT_POLICY, DEFAULT_POLICY)).toEqual({ name: 'default', values: {} })
})

/** The weights that are not 0, at every moment the same. */
function weightsOf({ recall }: Policy): unknown {
  const models = RECALL_MOMENTS.map((moment) => selectRankingModel(recall, moment).weights)
  for (const weights of models) expect(weights).toEqual(models[0])
  return Object.fromEntries(Object.entries(models[0]!).filter(([, weight]) => weight !== 0))
}

test('policies: cycle-classic has the numbers of the self-improving-cycle spec: .4 importance, .3 recency, .2 role, .1 outcome, and its importance', () => {
  const policy = findBuiltinPolicy('cycle-classic')!
  const { recall, tiers } = policy
  expect(weightsOf(policy)).toEqual({ importance: 0.4, recency: 0.3, role: 0.2, outcome: 0.1 })
  expect(Object.values(selectRankingModel(recall, 'call').boosts).every((boost) => boost > 0)).toBe(true)
  expect(IMPORTANCE_WEIGHTS).toEqual({
    outcome: 0.25,
    reuse: 0.2,
    crossImpact: 0.2,
    novelty: 0.15,
    userSignal: 0.15,
    costSaved: 0.05,
  })
  expect([tiers.hotDays, tiers.warmDays]).toEqual([7, 30])
})

test('policies: strength-classic has the numbers of the agent-memory spec: .5 similarity, .3 strength, .2 recency, and its table', () => {
  const policy = findBuiltinPolicy('strength-classic')!
  const { recall, strength, tiers } = policy
  expect(weightsOf(policy)).toEqual({ words: 0.5, strength: 0.3, recency: 0.2 })
  expect(Object.values(selectRankingModel(recall, 'call').boosts)).toEqual([0, 0, 0])
  expect(recall.candidatesMax).toBe(50)
  for (const [name, moment] of Object.entries(recall.moments)) {
    expect([moment.topK, moment.relevanceMin], name).toEqual([10, name === 'start' ? 0 : 0.3])
  }
  expect(strength).toEqual({
    initial: 1,
    initialEducation: 0.5,
    incrementOnUse: 0.1,
    perspectiveIncrement: 0.15,
    archiveAt: 0.1,
    reactivated: 0.5,
    impactRatio: 0.2,
    impact: { userPositive: 2, taskSuccess: 1.5, preventedError: 2 },
    tasksPerDay: 10,
    levelUses: [0, 5, 15, 30, 60, 100],
    dailyRetention: [0.95, 0.97, 0.98, 0.99, 0.995, 0.998],
  })
  expect(tiers.experiencesMax).toBe(5000)
})

test('policies: quiet never shows more than the default, and privacy-strict never releases', () => {
  const quiet = findBuiltinPolicy('quiet')!.recall.moments
  for (const [name, moment] of Object.entries(DEFAULT_POLICY.recall.moments)) {
    const quieter = quiet[name as keyof typeof quiet]
    expect(quieter.topK).toBeLessThanOrEqual(moment.topK)
    expect(quieter.scoreMin).toBeGreaterThanOrEqual(moment.scoreMin)
    expect(quieter.relevanceMin).toBeGreaterThanOrEqual(moment.relevanceMin)
    expect(quieter.budgetTokens).toBeLessThanOrEqual(moment.budgetTokens)
    expect(moment.kinds).toEqual(expect.arrayContaining([...quieter.kinds]))
  }
  expect(findBuiltinPolicy('privacy-strict')!.privacy.releaseDays).toEqual({
    privateToAgentOnly: null,
    agentOnlyToPublic: null,
  })
})

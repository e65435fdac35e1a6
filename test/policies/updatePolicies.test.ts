// Rewrites the builtin policies and their schema after a number was added: set UPDATE_POLICIES=1. A number that a file
// does not have gets the value of the default policy.
import fs from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { parse } from 'yaml'
import { buildPolicyJsonSchema } from '../../src/broker/policy/policyFiles.ts'
import type { Policy } from '../../src/model/policy.ts'
import { formatPolicyYaml, POLICY_SCHEMA_FILE } from './policyYaml.ts'

const FOLDER = path.resolve(import.meta.dirname, '../../policies')

const isTree = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const withDefaults = (value: unknown, defaults: unknown): unknown =>
  isTree(defaults)
    ? Object.fromEntries(
        Object.entries(defaults).map(([name, other]) => [
          name,
          withDefaults(isTree(value) ? value[name] : undefined, other),
        ]),
      )
    : value === undefined
      ? defaults
      : value

test.runIf(process.env['UPDATE_POLICIES'])('policies: each file has every number', () => {
  const defaults: unknown = parse(fs.readFileSync(path.join(FOLDER, 'default.yaml'), 'utf8'))
  for (const file of fs.readdirSync(FOLDER).filter((name) => name.endsWith('.yaml'))) {
    const text = fs.readFileSync(path.join(FOLDER, file), 'utf8')
    const lines = text.split('\n')
    const head = lines
      .slice(
        1,
        lines.findIndex((line) => line.startsWith('name:')),
      )
      .map((line) => line.slice(2))
    const policy = withDefaults(parse(text), defaults) as Policy
    fs.writeFileSync(path.join(FOLDER, file), formatPolicyYaml(policy, head))
    expect(policy.name).toBe(file.replace('.yaml', ''))
  }
  fs.writeFileSync(path.join(FOLDER, POLICY_SCHEMA_FILE), `${JSON.stringify(buildPolicyJsonSchema(), null, 2)}\n`)
})

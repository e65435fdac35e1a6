// `distill:` in config.yaml: off by default, a short form, and one clear line for each mistake.
import fs from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { readDistillConfig } from '../../../src/broker/distill/distillConfig.ts'
import { openStore } from '../../../src/broker/open/openStore.ts'
import { createTestProject } from '../../tempFolders.ts'

const DEFAULTS = { perDay: 20, tokensPerDay: 300_000, timeoutSeconds: 90, digestTokens: 4_500 }

function configOf(text: string) {
  const { project, home } = createTestProject()
  fs.mkdirSync(home)
  fs.writeFileSync(path.join(home, 'config.yaml'), text)
  return readDistillConfig(openStore(project, { MEMCTL_HOME: home }))
}

test('distill: no model is configured by default', () => {
  const { project, home } = createTestProject()
  expect(readDistillConfig(openStore(project, { MEMCTL_HOME: home }))).toBeUndefined()
  expect(configOf('warnings: inject\n')).toBeUndefined()
  expect(configOf('distill: false\n')).toBeUndefined()
})

test('distill: the short form has the defaults, the long form replaces them', () => {
  expect(configOf('distill: claude\n')).toEqual({ by: 'claude', ...DEFAULTS })
  expect(configOf('distill: { by: openai, model: small, perDay: 3, keyEnv: MY_KEY }\n')).toEqual({
    by: 'openai',
    model: 'small',
    keyEnv: 'MY_KEY',
    ...DEFAULTS,
    perDay: 3,
  })
})

test.each([
  ['distill: gemini', 'distill.by is "gemini" in', 'line 1', 'Use one of claude, anthropic, openai'],
  ['distill: [claude]', 'distill is ["claude"] in', 'line 1', 'Use one of claude'],
  ['# a\ndistill:\n  by: claude\n  perDay: many', 'distill.perDay is "many" in', 'line 4', 'number from 0 to 10000'],
  ['distill: { by: claude, timeoutSeconds: 600 }', 'distill.timeoutSeconds is 600 in', 'line 1', 'from 1 to 120'],
  ['distill: { by: claude, model: "" }', 'distill.model is "" in', 'line 1', 'Use a text'],
  ['distill:\n  by: claude\n  moddel: x', 'distill.moddel in', 'line 3', 'Use by, model, command, endpoint'],
])('distill: %j is CONFIG_INVALID, with its line', (text, what, line, hint) => {
  expect(() => configOf(`${text}\n`)).toThrow(
    expect.objectContaining({
      code: 'CONFIG_INVALID',
      message: expect.stringMatching(new RegExp(`^${what.replace(/[[\]]/g, '\\$&')}[^]*${line}( is unknown)?$`)),
      hint: expect.stringContaining(hint),
    }),
  )
})

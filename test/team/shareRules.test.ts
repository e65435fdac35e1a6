// An exchange compares only memories that have changed since the last one. If what is shared changes, all have to be
// compared once more: SHARE_RULES says so.
import { createHash } from 'node:crypto'
import fs from 'node:fs'
import { expect, test } from 'vitest'
import { SHARE_RULES } from '../../src/team/shareMemory.ts'

/** The code that decides what is shared, as it was when SHARE_RULES had its number. */
const DECIDED_BY = { rules: 2, code: '92243bf65bef882b' }

test('team: a change of what is shared raises SHARE_RULES', () => {
  const texts = ['shareMemory', 'sharedFields'].map((name) => fs.readFileSync(`src/team/${name}.ts`, 'utf8'))
  const code = texts.join('\n').replace(/\/\*[\s\S]*?\*\/|\/\/.*|\s+/g, '')
  const hash = createHash('sha256').update(code).digest('hex').slice(0, 16)
  const advice = 'If another memory or field is shared now, raise SHARE_RULES. Then write both numbers here.'
  expect({ rules: SHARE_RULES, code: hash }, advice).toEqual(DECIDED_BY)
})

// The cost of redaction, counted in pattern attempts. In its own file, because counting slows every pattern of the
// process.
import { describe, expect, test } from 'vitest'
import { redact, redactEnvFile } from '../../../src/record/redact/redact.ts'
import { redactThoroughly } from '../../../src/record/redact/secondPass.ts'
import { removePrivateParts } from '../../../src/record/sanitizePayload.ts'

describe('record: the work of redaction', () => {
  const hostile: Readonly<Record<string, string>> = {
    prefixes: 'sk-',
    'prefixes and placeholders': `sk-${'ant'}-xxxxxxxxxxxxxxxxxxxx-`,
    'web tokens': 'eyJ',
    names: 'password=',
    'names in quotes': 'token="',
    'names and commas': 'secret=a,',
    addresses: '://a:',
    'one long address': ':',
    'key beginnings': `-----BEGIN ${'RSA PRIVATE'} KEY-----\n`,
    'key endings': `-----END ${'RSA PRIVATE'} KEY-----\n`,
    cookies: 'cookie: a=b; ',
    options: ' mysql -p',
    templates: 'password=${',
    marks: '[redacted:password=',
    dots: 'M.abcdef.',
    letters: 'a',
    spaces: ' ',
    quotes: '"',
    'env lines': 'A="\n',
    'short names': 'pin=1 pass: ',
    sentences: 'my password for ',
    'japanese sentences': 'パスワードを ',
    commands: 'echo -n ',
    'cookie options': 'curl -b ',
    escapes: '\\\\\\n',
    'percent codes': '%3a',
    colours: '\u001b[1m',
    columns: 'password | ',
    'token beginnings': 'patA1b2c3d4',
    'private tags': '<private a="',
  }
  for (const [name, part] of Object.entries(hostile)) {
    test(`record: work on hostile ${name} grows with the text and not faster`, () => {
      const steps = (length: number): number => {
        const input = part.repeat(Math.ceil(length / part.length)).slice(0, length)
        const exec = RegExp.prototype.exec
        let count = 0
        RegExp.prototype.exec = function counted(text) {
          count += 1
          return exec.call(this, text)
        }
        try {
          redact(input)
        } finally {
          RegExp.prototype.exec = exec
        }
        return count
      }
      // Eight times the text is eight times the work, or sixteen where its end made a second pass; never sixty-four.
      expect(steps(40_000)).toBeLessThan(steps(5_000) * 20 + 500)
      // One megabyte terminates: no quantifier backtracks without bound.
      const large = part.repeat(Math.ceil(1_000_000 / part.length))
      expect(typeof redact(large)).toBe('string')
      expect(typeof redactThoroughly(large.slice(0, 100_000))).toBe('string')
      expect(typeof redactEnvFile(large)).toBe('string')
      expect(typeof removePrivateParts(large)).toBe('string')
    }, 120_000)
  }
})

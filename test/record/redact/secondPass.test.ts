// The second pass: what the worker removes from events that hooks have stored.
import { describe, expect, test } from 'vitest'
import { FORMATS } from '../../../bench/secrets/measure.ts'
import { createRandom, drawKey, drawPassword, drawPaymentNumber } from '../../../bench/secrets/random.ts'
import { redactStoredEvent, redactThoroughly } from '../../../src/record/redact/secondPass.ts'
import { encodeLogLine } from '../../../src/store/log/logLine.ts'
import { recordedAs } from '../../testData.ts'
import { INNOCENTS } from './nonSecrets.ts'

const random = createRandom(3)
const password = drawPassword(random)
const key = drawKey(random)
const card = drawPaymentNumber(random, '4', 16)

describe('second pass', () => {
  const texts: Readonly<Record<string, readonly [text: string, secret: string]>> = {
    'a command that sets a value': [`aws configure set aws_secret_access_key ${key}`, key],
    'a password for sudo': [`echo '${password}' | sudo -S reboot`, password],
    'a column of a table': [`| user | password |\n|---|---|\n| bob | ${password} |\n`, password],
    'a column of a file': [`user,api_key,city\nbob,${key},Rome\n`, key],
    'a card number': [
      `paid with ${card.replace(/(.{4})(?=.)/g, '$1 ')} today`,
      `${card.slice(0, 4)} ${card.slice(4, 8)}`,
    ],
    'an assignment behind colours': [`\u001b[1mAPI_TOKEN\u001b[0m=\u001b[32m${key}\u001b[0m`, key],
    'an assignment in base64': [`data: ${Buffer.from(`API_TOKEN=${key}`).toString('base64')} end`, 'data: QVBJ'],
    'a percent-encoded assignment': [`body=password%3D${key}%26x%3D1`, key],
    'JSON in JSON in JSON': [JSON.stringify(JSON.stringify(JSON.stringify({ api_token: key }))), key],
    'a Secret of Kubernetes': [
      `kind: Secret\ndata:\n  conf: ${Buffer.from(key).toString('base64')}\n`,
      'conf: [A-Za-z0-9]',
    ],
    'a script that fills in a form': [`await page.fill('#password', '${password}')`, password],
  }
  for (const [name, [text, secret]] of Object.entries(texts)) {
    test(`second pass: ${name} is redacted`, () => {
      expect(redactThoroughly(text)).not.toContain(secret)
      expect(redactThoroughly(text)).toMatch(/\[redacted:|\*{4}/)
    })
  }

  for (const [name, text] of Object.entries(INNOCENTS)) {
    test(`second pass: ${name} without secrets stays as it is`, () => expect(redactThoroughly(text)).toBe(text))
  }

  test('second pass: numbers and lists that look like cards and tables stay', () => {
    const unlike = [
      'U+4E00 4E01 5115 5180 5291 5293 52F5 52FE',
      `order ${card.slice(0, 15)}${(Number(card[15]) + 1) % 10} of 2026`,
      `sha ${card}abcdef and v1.${card}`,
      "  'password', 'passwd',\n  'repository', 'username',\n",
      'import {\n  PrivateKey,\n  PublicKey,\n} from "keys"\n',
    ]
    for (const text of unlike) expect(redactThoroughly(text)).toBe(text)
  })

  test('second pass: an event never gets longer, and a second time changes nothing', () => {
    for (const [i, format] of FORMATS.entries()) {
      const event = recordedAs(format.make(createRandom(i + 7)).payload)
      if (event === undefined) throw new Error(`${format.name} is not recorded`)
      const clean = redactStoredEvent(event)
      expect(encodeLogLine(clean).length, format.name).toBeLessThanOrEqual(encodeLogLine(event).length)
      expect(redactStoredEvent(clean), format.name).toEqual(clean)
      expect(redactStoredEvent(redactStoredEvent(clean))).toBe(redactStoredEvent(clean))
    }
  })

  test('second pass: an event without secrets is returned as it is, with its ids', () => {
    const event = recordedAs({ session_id: 's-1', hook_event_name: 'UserPromptSubmit', prompt: 'テストを直して。' })
    if (event === undefined) throw new Error('not recorded')
    expect(redactStoredEvent(event)).toBe(event)
  })
})

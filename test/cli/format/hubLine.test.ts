// The line about the hub says as what the project is shared and what is wrong, and always what to do next.
import fs from 'node:fs'
import path from 'node:path'
import { afterEach, expect, test } from 'vitest'
import type { HubStatus } from '../../../src/broker/team/hubStatus.ts'
import { describeHub, formatHubFault, formatHubLine } from '../../../src/cli/commands/status.ts'
import { setTexts, translate } from '../../../src/report/translation.ts'
import { testMemoryId } from '../../testData.ts'
import { REPOSITORY } from '../testContext.ts'

afterEach(() => setTexts(undefined))

const NOW = Date.parse('2026-03-02T10:00:00.000Z')
const status = (given: Partial<HubStatus> = {}): HubStatus => ({
  url: 'postgresql://me@db/team',
  name: '佐藤',
  project: 'github.com/me/shop',
  waiting: 0,
  lastSync: '2026-03-02T09:55:00.000Z',
  fault: null,
  lost: [],
  reviews: 0,
  newKinds: [],
  ...given,
})
const fault = { code: 'DATABASE_UNREACHABLE', message: 'nothing listens on db:5432', hint: 'Check the host.' }

test.each<[Partial<HubStatus>, string]>([
  [{}, 'github.com/me/shop as 佐藤, synced 5 min ago, nothing waits'],
  [
    { lost: [{ memory: testMemoryId(1), text: 'x', by: 'Ben', at: '' }] },
    'github.com/me/shop as 佐藤, synced 5 min ago, nothing waits, 1 text of yours replaced: `memctl hub sync`',
  ],
  [{ waiting: 1 }, 'github.com/me/shop as 佐藤, synced 5 min ago, 1 change waits'],
  [{ waiting: 2 }, 'github.com/me/shop as 佐藤, synced 5 min ago, 2 changes wait'],
  [{ lastSync: null }, 'github.com/me/shop as 佐藤, not synced yet: `memctl hub sync`'],
  [{ lastSync: null, fault }, 'github.com/me/shop as 佐藤, not synced yet'],
  [{ project: null }, 'connected as 佐藤; this project shares nothing: `memctl hub join`'],
  [{ project: null, waiting: 3 }, 'left, 3 changes wait to be taken back: `memctl hub sync`'],
  [{ url: null }, 'github.com/me/shop as 佐藤, but no hub is configured: `memctl hub connect URL`'],
  [{ url: null, project: null, fault }, 'not used, because its configuration is wrong'],
])('hub line: %j', (given, line) => expect(formatHubLine(status(given), NOW)).toBe(line))

test('hub line: an error has its code and what to do', () => {
  expect(formatHubFault(status())).toBe('')
  expect(formatHubFault(status({ fault }))).toBe('DATABASE_UNREACHABLE: nothing listens on db:5432. Check the host.')
  expect(describeHub(status({ fault }), NOW)).toMatch(/nothing waits\. DATABASE_UNREACHABLE: nothing listens on/)
  expect(describeHub(undefined, NOW)).toBeUndefined()
})

test('japanese: the line about the hub is in the order of the language, and its error is translated', () => {
  const groups = JSON.parse(fs.readFileSync(path.join(REPOSITORY, 'src/cli/texts/ja.json'), 'utf8')) as object
  setTexts(Object.assign({}, ...Object.values(groups)))
  const lost = [{ memory: testMemoryId(1), text: 'x', by: 'Ben', at: '' }]
  expect(translate(formatHubLine(status({ reviews: 2, lost }), NOW))).toBe(
    'github.com/me/shop（佐藤）、5 分前に同期、送信待ちなし、置き換えられた自分の文 1 件: `memctl hub sync`、' +
      '承認待ちの文 2 件: `memctl hub review`',
  )
  const message = 'PostgreSQL at db:5432: password authentication failed for user "me"'
  const hint = 'Check the user and the password in the URL, PGPASSWORD or the password file.'
  expect(translate(formatHubFault(status({ fault: { code: 'DATABASE_ACCESS', message, hint } })))).toMatch(
    /^DATABASE_ACCESS: PostgreSQL（db:5432）: .*パスワードを確かめてください。$/,
  )
})

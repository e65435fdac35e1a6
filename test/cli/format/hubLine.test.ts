// The line about the hub says as what the project is shared and what is wrong, and always what to do next.
import { expect, test } from 'vitest'
import type { HubStatus } from '../../../src/broker/team/hubStatus.ts'
import { describeHub, formatHubFault, formatHubLine } from '../../../src/cli/commands/status.ts'
import { testMemoryId } from '../../testData.ts'

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

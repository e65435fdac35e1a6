// A prompt that names an issue gets the work on it, however little else it says.
import { beforeAll, expect, test } from 'vitest'
import { runMaintenance } from '../../../src/broker/maintenance/maintenance.ts'
import { openStore, type Store } from '../../../src/broker/open/openStore.ts'
import { createTestProject } from '../../tempFolders.ts'
import { BEGIN, DAY, exampleSession, runHookPayloads } from '../../testData.ts'

const { project, home } = createTestProject('issues')
const store = (): Store => openStore(project, { MEMCTL_HOME: home })

const WORK = [
  ['#41', 'the header of the CSV export', 'src/header.ts'],
  ['#42', 'the rounding of invoices', 'src/rounding.ts'],
  ['#43', 'the login page in Japanese', 'src/login.ts'],
  ['#44', 'the cache of the price list', 'src/cache.ts'],
] as const

beforeAll(() => {
  for (const [day, [issue, subject, file]] of WORK.entries()) {
    const session = exampleSession(`work-${day}`, BEGIN + day * DAY)
      .starts()
      .asks(`Fix ${issue}: ${subject}`)
      .edits(file)
      .runs('npm test')
      .ends()
    runHookPayloads(store(), session.recorded, project)
    runMaintenance(store(), { now: session.now() })
  }
})

let sessions = 0
function contextFor(prompt: string): string {
  const session = exampleSession(`later-${++sessions}`, BEGIN + (9 + sessions) * DAY)
    .starts()
    .asks(prompt)
  const outputs = runHookPayloads(store(), session.recorded, project)
  return outputs.flatMap(({ event, context }) => (event === 'UserPromptSubmit' ? [context ?? ''] : [])).join('\n')
}

test.each(['go on with #42', 'please continue the work on #42', 'what is still open in #42?', '#42 を続けて'])(
  'broker: %j brings the work on the issue, and nothing else',
  (prompt) => {
    const context = contextFor(prompt)
    expect(context).toContain('rounding')
    expect(context).not.toMatch(/header|login|cache/)
  },
)

test.each(['go on with #45', 'go on', 'option #2 please', 'yes, do #1'])('broker: %j brings nothing', (prompt) => {
  expect(contextFor(prompt)).toBe('')
})

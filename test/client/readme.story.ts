// The README shows what a second session was given. Here the real client runs these sessions, and both READMEs must
// have its text, with other dates.
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { afterEach, expect, test } from 'vitest'
import { REPOSITORY } from './binary.ts'
import { describeEachClient } from './eachClient.ts'
import { findInjectedContexts } from './findInRequests.ts'
import { firstSession, secondSession } from './shop/twoSessions.ts'
import { createShopProject, removeStoryProjects, runMemctl, waitUntilOrganized } from './storyProject.ts'

afterEach(removeStoryProjects)

describeEachClient((claude) => {
  test('story: the READMEs show word for word what the client gives to the model in the second session', async () => {
    const story = createShopProject(claude)
    runMemctl(story, 'init')
    await firstSession(story)
    await waitUntilOrganized(story)
    const { requests } = await secondSession(story)
    // The client's own notes follow after a blank line.
    const [start = ''] = findInjectedContexts(requests, 'SessionStart').map(({ text }) => text.split('\n\n')[0])
    for (const name of ['README.md', 'README.ja.md']) {
      const blocks = readFileSync(path.join(REPOSITORY, name), 'utf8').split(/\n\n+/)
      expect(blocks.map(normalize), name).toContain(normalize(start))
    }
    await waitUntilOrganized(story)
  })
})

/** Without the indent of a code block, and without dates. */
const normalize = (text: string): string =>
  text
    .replaceAll(/^ {4}/gm, '')
    .replaceAll(/\d{4}-\d{2}-\d{2}/g, 'DATE')
    .trim()

// What a cloned repository brings for memctl reaches the model only after the person has trusted it.
import { cpSync } from 'node:fs'
import path from 'node:path'
import { afterEach, expect, test } from 'vitest'
import { describeEachClient } from './eachClient.ts'
import { findInjectedContexts } from './findInRequests.ts'
import type { ClientResult } from './runClient.ts'
import { createShopProject, removeStoryProjects, runMemctl, runSession, waitUntilOrganized } from './storyProject.ts'

const REQUEST = 'memctl project trust'
const BROUGHT = 'Releases of the shop are tagged by hand, after the stock was counted.'
const PROMPT = 'How are releases of the shop tagged, and is the stock counted before?'

afterEach(removeStoryProjects)

describeEachClient((claude) => {
  test('story: entries of a clone are asked for at the start, and used once they are trusted', async () => {
    const author = createShopProject(claude)
    runMemctl(author, 'entry', 'save', 'release-steps', '--content', BROUGHT, '--tags', 'release')
    const story = createShopProject(claude)
    cpSync(path.join(author.project, '.memctl'), path.join(story.project, '.memctl'), { recursive: true })
    runMemctl(story, 'init')

    const asked = await runSession(story, PROMPT, ['I do not know.'])
    // The person is asked, not the model.
    expect(runMemctl(story, 'status')).toContain(REQUEST)
    expect(injectedBy(asked)).not.toContain(REQUEST)
    expect(injectedBy(asked)).not.toContain('tagged by hand')
    await waitUntilOrganized(story)

    runMemctl(story, 'project', 'trust')
    const trusted = await runSession(story, PROMPT, ['By hand.'])
    expect(injectedBy(trusted)).not.toContain(REQUEST)
    expect(injectedBy(trusted)).toContain('tagged by hand')
    await waitUntilOrganized(story)

    runMemctl(story, 'project', 'untrust')
    const untrusted = await runSession(story, PROMPT, ['I do not know.'])
    expect(injectedBy(untrusted)).not.toContain(REQUEST)
    expect(injectedBy(untrusted)).not.toContain('tagged by hand')
    await waitUntilOrganized(story)
  })
})

const injectedBy = ({ requests }: ClientResult): string =>
  `${textOf(requests, 'SessionStart')}\n${textOf(requests, 'UserPromptSubmit')}`

const textOf = (requests: ClientResult['requests'], event: string): string =>
  findInjectedContexts(requests, event)
    .map(({ text }) => text)
    .join('\n')

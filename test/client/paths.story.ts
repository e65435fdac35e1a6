// A path that does not exist, through the real client: the failure brings the files that an earlier session edited
// there. Needs a built memctl and a client; without a client the story is skipped, visibly.
import { afterEach, expect, test } from 'vitest'
import { describeEachClient } from './eachClient.ts'
import { findSightings } from './findInRequests.ts'
import { step, toolsOf } from './shop/session.ts'
import { createShopProject, removeStoryProjects, runMemctl, runSession, waitUntilOrganized } from './storyProject.ts'

const NOTE = '- Earlier sessions edited in `src/tax/`: rates.js.'

afterEach(removeStoryProjects)

describeEachClient((claude) => {
  test('story: a file that is not there brings those that an earlier session wrote in its folder', async () => {
    const story = createShopProject(claude)
    runMemctl(story, 'init')
    const { read, write } = toolsOf(story.project)
    const writing = [step('', write('src/tax/rates.js', 'exports.rate = 0.1\n')), 'The rates have a file.']
    await runSession(story, 'Please put the tax rates into a file of their own.', writing)
    await waitUntilOrganized(story)
    const reading = [step('', read('src/tax/tax.js')), 'It is in rates.js.']
    const { requests } = await runSession(story, 'Where is the tax of an order computed?', reading)
    // After the failed call, and not before.
    expect(findSightings(requests, NOTE).map(({ request }) => request)).toEqual([1])
    await waitUntilOrganized(story)
  })
})

// The slash commands through the real client: what a person types reaches the memory as it is, the answer reaches the
// model, and the next session knows it. The commands come from `init` or from the plugin.
// Needs a built memctl and a client; without a client the stories are skipped, visibly.
import { existsSync } from 'node:fs'
import path from 'node:path'
import { afterEach, expect, test } from 'vitest'
import { REPOSITORY } from './binary.ts'
import { describeEachClient } from './eachClient.ts'
import { findInjectedContexts } from './findInRequests.ts'
import { createEmptyProject, removeStoryProjects, runMemctl, runSession, type StoryProject } from './storyProject.ts'

/** What a shell would change, and what is not English. */
const FIRST = 'Never use `npm` here, it\'s "slow" & $HOME $1'
const SECOND = 'ここでは pnpm を使う'

afterEach(removeStoryProjects)

describeEachClient((claude) => {
  test('story: slash commands installed by init remember and supersede, and uninstall removes them', async () => {
    const story = createEmptyProject(claude)
    runMemctl(story, 'init')
    await expectCommandsToWork(story)
    runMemctl(story, 'uninstall')
    expect(existsSync(path.join(story.project, '.claude/commands'))).toBe(false)
  })

  test('story: the slash commands of the plugin remember and supersede', async () => {
    await expectCommandsToWork(createEmptyProject(claude, ['--plugin-dir', REPOSITORY]))
  })
})

async function expectCommandsToWork(story: StoryProject): Promise<void> {
  const remembered = await runSession(story, `/memctl:remember ${FIRST}`, ['Done.'])
  expect(textOf(remembered.requests)).toContain(`Remembered for this project: ${FIRST}`)
  const [memory, ...others] = JSON.parse(runMemctl(story, 'list', '--kind', 'preference', '--json')).memories
  expect(memory.content).toBe(FIRST)
  // The prompt is recorded like any other, and is not read as a second statement.
  runMemctl(story, 'organize', '--all')
  expect(others).toEqual([])

  const superseded = await runSession(story, `/memctl:supersede ${memory.id.slice(0, 8)} ${SECOND}`, ['Done.'])
  expect(contextAtStart(superseded)).toContain('Never use `npm` here')
  expect(textOf(superseded.requests)).toContain(`Now: ${SECOND}`)
  const wrong = await runSession(story, '/memctl:edit ffffffff text', ['Done.'])
  expect(contextAtStart(wrong)).toContain(SECOND)
  expect(contextAtStart(wrong)).not.toContain('Never use')
  expect(textOf(wrong.requests)).toContain('No memory\'s id begins with "ffffffff"')
}

type Session = Awaited<ReturnType<typeof runSession>>

const contextAtStart = ({ requests }: Session): string =>
  findInjectedContexts(requests, 'SessionStart')
    .map(({ text }) => text)
    .join('\n')

/** All texts of the requests, in one. */
function textOf(requests: Session['requests']): string {
  const texts: string[] = []
  JSON.stringify(requests, (_, value: unknown) => {
    if (typeof value === 'string') texts.push(value)
    return value
  })
  return texts.join('\n')
}

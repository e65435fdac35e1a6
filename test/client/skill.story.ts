// The skill through the real client: the model is told of it in every session, and gets all of it when it loads it.
// Needs a built memctl and a client; without a client the stories are skipped, visibly.
import { existsSync } from 'node:fs'
import path from 'node:path'
import { afterEach, expect, test } from 'vitest'
import { describeEachClient } from './eachClient.ts'
import { step } from './shop/session.ts'
import {
  buildPlugin,
  createEmptyProject,
  removeStoryProjects,
  runMemctl,
  runSession,
  type StoryProject,
} from './storyProject.ts'

afterEach(removeStoryProjects)

describeEachClient((claude) => {
  test('story: the skill installed by init is offered and can be loaded, and uninstall removes it', async () => {
    const story = createEmptyProject(claude)
    runMemctl(story, 'init')
    await expectSkillToLoad(story, 'memctl')
    runMemctl(story, 'uninstall')
    expect(existsSync(path.join(story.project, '.claude/skills'))).toBe(false)
  })

  test('story: the skill of the plugin is offered and can be loaded', async () => {
    await expectSkillToLoad(createEmptyProject(claude, ['--plugin-dir', buildPlugin()]), 'memctl:memctl')
  })
})

async function expectSkillToLoad(empty: StoryProject, name: string): Promise<void> {
  const story = { ...empty, args: [...empty.args, '--allowedTools', 'Skill'] }
  const load = step('', { name: 'Skill', input: { skill: name } })
  const { requests } = await runSession(story, '前回決めたことは？', [load, 'Nothing is known.'])
  const [first, ...later] = requests.map((request) => JSON.stringify(request.body))
  expect(first).toContain(`- ${name}: This project's memory of earlier sessions (memctl)`)
  expect(first).toContain('「前回」')
  expect(first).not.toContain('# The memory of this project')
  const loaded = later.join('\n')
  expect(loaded).toContain('# The memory of this project')
  // The path of the script is filled in.
  expect(loaded).toMatch(/node \\"\/[^"$]*\/slash\.mjs\\" recall/)
}

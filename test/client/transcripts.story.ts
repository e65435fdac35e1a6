// The real client's own transcripts: a new memory learns from them what another one has learned from the hooks.
import { existsSync, mkdirSync, readdirSync } from 'node:fs'
import path from 'node:path'
import { afterEach, expect, test } from 'vitest'
import { describeEachClient } from './eachClient.ts'
import { step, toolsOf } from './shop/session.ts'
import {
  createShopProject,
  removeStoryProjects,
  runMemctl,
  runSession,
  type StoryProject,
  waitUntilOrganized,
} from './storyProject.ts'

afterEach(removeStoryProjects)

interface Listed {
  readonly memories: readonly { readonly kind: string; readonly content: string }[]
}

interface Imported {
  readonly projects: readonly {
    readonly events: number
    readonly sessions: { readonly total: number; readonly new: number; readonly partly: number }
  }[]
}

const LEARNED = ['fact', 'lesson', 'preference', 'decision']

/** Facts, statements and lessons, without times: hooks get that of the call, transcripts that until its result. */
const learnedOf = (story: StoryProject): string[] =>
  (JSON.parse(runMemctl(story, 'list', '--json', '--limit', '1000')) as Listed).memories
    .filter(({ kind }) => LEARNED.includes(kind))
    .map(({ kind, content }) => `${kind}: ${content.replace(/ \([\d.]+ m?s\)/, '')}`)
    .sort()

const importInto = (story: StoryProject): Imported =>
  JSON.parse(runMemctl(story, 'import', 'transcripts', '--json')) as Imported

describeEachClient((claude) => {
  test('story: a memory that imports the transcripts of two sessions knows what the hooks have learned', async () => {
    const story = createShopProject(claude)
    runMemctl(story, 'init')
    const { bash, read, edit, explore } = toolsOf(story.project)
    await runSession(
      story,
      'Please make the tests pass. 今後はコミットメッセージを日本語で書いてください。',
      [
        step('I will run them.', bash('npm test', 'Run the tests')),
        step('', bash('npm run build:prices', 'Build the prices')),
        step('', bash('npm test', 'Run the tests')),
        step('', read('src/cart.js'), explore('Prices', 'Where are the prices?')),
        step('', edit('package.json', '"private": true', '"private":  true')),
        'The tests pass.',
      ],
      {
        routes: [
          { name: 'explore', firstSays: 'Where are the prices?', turns: [step('', bash('ls src', 'List')), 'In src.'] },
        ],
      },
    )
    await waitUntilOrganized(story)
    await runSession(story, 'Never commit without running the tests first.', [
      step('', bash('npm test', 'Run the tests')),
      'I will keep to that.',
    ])
    await waitUntilOrganized(story)

    const memory = path.join(path.dirname(story.memory), 'second-memory')
    mkdirSync(memory)
    const second = { ...story, memory }
    const { projects } = importInto(second)
    expect(projects.map(({ sessions }) => [sessions.total, sessions.new])).toEqual([[2, 2]])
    const learned = learnedOf(story)
    expect(learned.join('\n')).toContain('npm run build:prices')
    expect(learned.join('\n')).toContain('コミットメッセージを日本語')
    expect(learnedOf(second)).toEqual(learned)

    // What is recorded already is not recorded again, neither here nor there.
    expect(importInto(story).projects.map(({ events }) => events)).toEqual([0])
    expect(importInto(second).projects.map(({ events }) => events)).toEqual([0])
    expect(learnedOf(story)).toEqual(learned)
  })

  test('story: init names the import where the client has been used before', async () => {
    const story = createShopProject(claude)
    await runSession(story, 'Look around.', ['Done.'])
    const folder = path.join(story.home, '.claude/projects')
    expect(existsSync(folder) && readdirSync(folder)).toHaveLength(1)
    expect(runMemctl(story, 'init')).toMatch(/1 session before memctl: `memctl import transcripts`/)
  })
})

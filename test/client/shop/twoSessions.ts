// Two sessions in the shop: the first one repairs the tests and is given a preference, the next day they fail again.

import { rmSync } from 'node:fs'
import path from 'node:path'
import type { ClientResult } from '../runClient.ts'
import { runSession, type StoryProject } from '../storyProject.ts'
import { step, toolsOf } from './session.ts'

export const PREFERENCE = 'never add comments to tests'
export const FIX = 'npm run build:prices'
export const FIRST_PROMPT = `Please get npm test to run. Always answer me in short sentences, and ${PREFERENCE}.`
export const SECOND_PROMPT = 'A new morning in the shop: do the tests still run?'

/** Meets the error, tries the wrong thing, fixes it, and is given a preference. */
export function firstSession(story: StoryProject, prompt = FIRST_PROMPT): Promise<ClientResult> {
  const { bash } = toolsOf(story.project)
  return runSession(story, prompt, [
    step('', bash('npm test', 'Run the tests')),
    step('', bash('ls dist', 'Is it built')),
    step('dist/prices.json has to be built.', bash(FIX, 'Build it')),
    step('', bash('npm test', 'Run the tests')),
    'The tests pass: dist/prices.json was not built.',
  ])
}

/** The next day in a clean folder: the same command fails as it did before. */
export function secondSession(story: StoryProject, env: Readonly<Record<string, string>> = {}): Promise<ClientResult> {
  rmSync(path.join(story.project, 'dist'), { recursive: true })
  const { bash } = toolsOf(story.project)
  return runSession(story, SECOND_PROMPT, [step('', bash('npm test', 'Run the tests')), 'They fail.'], { env })
}

// A project keeps its memory in the real client, after its first origin and another name. A copy of it is shown where
// the memory is.
import { execFileSync } from 'node:child_process'
import { cpSync, renameSync, rmSync } from 'node:fs'
import path from 'node:path'
import { afterEach, expect, test } from 'vitest'
import { describeEachClient } from './eachClient.ts'
import { findInjectedContexts } from './findInRequests.ts'
import type { ClientResult } from './runClient.ts'
import { createShopProject, removeStoryProjects, runMemctl, runSession, waitUntilOrganized } from './storyProject.ts'

const PREFERENCE = 'From now on, always print the receipts in green.'
const KNOWN = 'receipts in green'

afterEach(removeStoryProjects)

describeEachClient((claude) => {
  test('story: a project that got an origin and another name has its memory in the next session', async () => {
    const story = createShopProject(claude)
    const git = (...args: readonly string[]): void =>
      void execFileSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@example.org', ...args], { cwd: story.project })
    rmSync(path.join(story.project, '.git'), { recursive: true })
    git('init', '-q')
    git('commit', '-q', '--allow-empty', '-m', 'first')
    runMemctl(story, 'init')
    await runSession(story, PREFERENCE, ['I will remember that.'])
    await waitUntilOrganized(story)

    git('remote', 'add', 'origin', 'https://github.com/me/store')
    const renamed = { ...story, project: path.join(path.dirname(story.project), 'お店 2') }
    renameSync(story.project, renamed.project)
    const next = await runSession(renamed, 'Go on.', ['Done.'])
    expect(startOf(next)).toContain(KNOWN)
    await waitUntilOrganized(renamed)

    const copy = { ...story, project: path.join(path.dirname(story.project), 'copy') }
    cpSync(renamed.project, copy.project, { recursive: true })
    execFileSync('git', ['remote', 'remove', 'origin'], { cwd: copy.project })
    const asked = await runSession(copy, 'Go on.', ['Done.'])
    expect(startOf(asked)).not.toContain(KNOWN)
    // The person is asked, not the model.
    expect(startOf(asked)).not.toContain('memctl project link')
    expect(runMemctl(copy, 'status')).toContain('memctl project link')
    await waitUntilOrganized(copy)
  })
})

const startOf = ({ requests }: ClientResult): string =>
  findInjectedContexts(requests, 'SessionStart')
    .map(({ text }) => text)
    .join('\n')

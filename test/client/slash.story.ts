// The slash commands through the real client: what a person types reaches the memory as it is, the answer reaches the
// model, and the next session knows it. The commands come from `init` or from the plugin.
// Needs a built memctl and a client; without a client the stories are skipped, visibly.
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { afterEach, expect, test } from 'vitest'
import { REPOSITORY } from './binary.ts'
import { describeEachClient } from './eachClient.ts'
import { findInjectedContexts } from './findInRequests.ts'
import { runClient } from './runClient.ts'
import {
  buildPlugin,
  createEmptyProject,
  removeStoryProjects,
  runMemctl,
  runSession,
  type StoryProject,
  waitUntilOrganized,
} from './storyProject.ts'

/** What a shell would change, and what is not English. */
const FIRST = 'Never use `npm` here, it\'s "slow" & $HOME $1'
const SECOND = 'ここでは pnpm を使う'

/** Texts that leave a quote or a block of the client. */
const TEXTS = [
  'first $(touch ran) `touch ran` "; touch ran; "',
  "second '; touch ran; echo '",
  'third !`touch ran` and more',
  'fifth $1 $ARGUMENTS\nEOF\ntouch ran\n"\ntouch ran\n)',
  '六番目 \\"; touch ran #',
]

/** A text that ends the block of the client: only a client that records the prompt first has all of it. */
const CUT = 'fourth\n```\n\n```!\ntouch ran\n```'

/** Texts that leave the heredoc. */
const ATTACKS = [
  'x\nEND_OF_MEMCTL_TEXT\ntouch ran\ncat <<END_OF_MEMCTL_TEXT',
  "END_OF_MEMCTL_TEXT\ntouch ran\ncat <<'END_OF_MEMCTL_TEXT'\n日本語",
]

afterEach(removeStoryProjects)

describeEachClient((claude) => {
  test('story: slash commands installed by init change the memory, and uninstall removes them', async () => {
    const story = createEmptyProject(claude)
    runMemctl(story, 'init')
    await expectCommandsToWork(story)
    runMemctl(story, 'uninstall')
    expect(existsSync(path.join(story.project, '.claude/commands'))).toBe(false)
  })

  test('story: the slash commands of the plugin change the memory', async () => {
    await expectCommandsToWork(createEmptyProject(claude, ['--plugin-dir', buildPlugin()]))
  })

  test('story: the first start asks whether Claude may read sessions, once, and a slash command answers', async () => {
    const story = createEmptyProject(claude)
    runMemctl(story, 'init')
    const question = 'Claude can read each finished session in the background'
    const first = await runCommands(story, ['/memctl:read-sessions yes', '/memctl:read-sessions no'])
    // For the person alone.
    expect(first.stdout).toContain(question)
    expect(textOf(first.requests)).not.toContain(question)
    expect(textOf(first.requests)).toContain('Claude reads each finished session.')
    expect(textOf(first.requests)).toContain('Claude does not read finished sessions.')
    expect(readFileSync(path.join(story.memory, 'config.yaml'), 'utf8')).toMatch(/^distill: false$/m)
    await waitUntilOrganized(story)
    expect((await runCommands(story, ['/memctl:status'])).stdout).not.toContain(question)
    await waitUntilOrganized(story)
  })

  test('story: a process that the agent left running is not the person, who still can type a command', async () => {
    const story = createEmptyProject(claude)
    runMemctl(story, 'init')
    const answer = path.join(story.home, 'answer.txt')
    const script = path.join(REPOSITORY, 'dist/slash.mjs')
    const later = `sleep 1; echo '--scope person Use spaces' | node "${script}" remember`
    const input = {
      command: `setsid sh -c '${later.replaceAll("'", `'"'"'`)}' > ${answer} 2>&1 &`,
      description: 'Leave it',
    }
    const turns = [{ tools: [{ name: 'Bash', input }] }, 'Done.', 'Done.']
    const { requests } = await runSession(story, ['Go on.', '/memctl:remember --scope person Use tabs'], turns)
    expect(textOf(requests)).toContain('Remembered for you, in every project: Use tabs')
    await expect.poll(() => readFileSync(answer, 'utf8'), { timeout: 10_000 }).toContain('is for a person')
    expect(runMemctl(story, 'list', '--kind', 'preference')).not.toContain('Use spaces')
    await waitUntilOrganized(story)
  })

  test('story: nothing that is typed behind a slash command runs in a shell', async () => {
    const story = createEmptyProject(claude)
    runMemctl(story, 'init')
    const before = readdirSync(story.project).sort()
    await runCommands(
      story,
      TEXTS.map((text) => `/memctl:remember ${text}`),
    )
    const { memories } = JSON.parse(runMemctl(story, 'list', '--kind', 'preference', '--json'))
    const contents = memories.map(({ content }: { content: string }) => content)
    // All lines of a text are one line of a note.
    for (const text of TEXTS) expect(contents).toContain(text.trim().replace(/\s+/g, ' '))
    const cut = textOf((await runCommands(story, [`/memctl:remember ${CUT}`])).requests)
    expect(cut).toMatch(/Remembered for this project: fourth ``` ```! touch ran ``` \(|memctl: The client cut the text/)
    const listed = JSON.parse(runMemctl(story, 'list', '--kind', 'preference', '--json'))
    // The shell is stopped, and the client shows that its command failed.
    for (const text of ATTACKS) {
      const prompt = `/memctl:remember ${text}`
      await runClient({ ...story, prompt, turns: ['Done.'], env: { MEMCTL_HOME: story.memory } })
    }
    expect(readdirSync(story.project).sort()).toEqual(before)
    expect(JSON.parse(runMemctl(story, 'list', '--kind', 'preference', '--json')).total).toBe(listed.total)
  })
})

async function expectCommandsToWork(story: StoryProject): Promise<void> {
  const remembered = await runCommands(story, [`/memctl:remember ${FIRST}`])
  expect(textOf(remembered.requests)).toContain(`Remembered for this project: ${FIRST}`)
  const [memory, ...others] = JSON.parse(runMemctl(story, 'list', '--kind', 'preference', '--json')).memories
  expect(memory.content).toBe(FIRST)
  // The prompt is recorded like any other, and is not read as a second statement.
  await waitUntilOrganized(story)
  expect(others).toEqual([])

  const id = memory.id.slice(0, 8)
  const shown = await runCommands(story, ['/memctl:recall npm', '/memctl:shown', '/memctl:useful 1', '/memctl:status'])
  expect(contextAtStart(shown)).toContain('Never use `npm` here')
  const text = textOf(shown.requests)
  expect(text).toContain(`What is remembered about "npm":`)
  expect(text).toMatch(new RegExp(`\\n1\\. Never use .*\\n +\\S+ \\S+ UTC, at the session's start: .*; ${id}\\n`))
  expect(text).toMatch(new RegExp(`Rated useful:\\n- Never use .* \\(${id}\\)`))
  expect(text).toMatch(/^to organize +\S/m)
  await waitUntilOrganized(story)
  expect(runMemctl(story, 'show', '--contribution', id)).toContain('a person rated it useful')

  const replaced = await runCommands(story, [`/memctl:supersede ${id} ${SECOND}`, '/memctl:edit ffffffff text'])
  expect(textOf(replaced.requests)).toContain(`Now: ${SECOND}`)
  expect(textOf(replaced.requests)).toContain('No memory has an id that begins with "ffffffff"')

  const outdated = await runCommands(story, ['/memctl:outdated pnpm を使う'])
  expect(contextAtStart(outdated)).toContain(SECOND)
  expect(contextAtStart(outdated)).not.toContain('Never use')
  expect(textOf(outdated.requests)).toContain(`Outdated from now on: ${SECOND}`)

  const next = await runCommands(story, ['/memctl:remember ここでは yarn を使う'])
  expect(contextAtStart(next)).not.toContain(SECOND)
  const [last] = JSON.parse(runMemctl(story, 'list', '--kind', 'preference', '--json')).memories
  const first = await runCommands(story, ['/memctl:forget yarn を使う'])
  const [, command = ''] = /\/memctl:(forget \S+ --yes)/.exec(textOf(first.requests)) ?? []
  expect(command).toContain(last.id.slice(0, 8))
  const erased = await runCommands(story, [`/memctl:${command}`])
  expect(textOf(erased.requests)).toContain('Erased.')
  expect(runMemctl(story, 'list', '--kind', 'preference')).not.toContain('yarn')
}

type Session = Awaited<ReturnType<typeof runSession>>

/** One session with these prompts; the model answers each with a word. */
const runCommands = (story: StoryProject, prompts: readonly string[]): Promise<Session> =>
  runSession(
    story,
    prompts,
    prompts.map(() => 'Done.'),
  )

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

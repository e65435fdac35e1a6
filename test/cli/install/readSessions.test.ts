// `memctl init` asks whether Claude may read finished sessions: once, and never without a terminal.
import fs from 'node:fs'
import path from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { runCli } from '../../../src/cli/runCli.ts'
import { runSlashCommand } from '../../../src/cli/slashCommands.ts'
import { copyCodeCaches } from '../../codeCaches.ts'
import { newWorld, type World } from '../testContext.ts'

let world: World
beforeEach(() => {
  world = newWorld()
  copyCodeCaches(path.join(world.folder, 'home'))
})
afterEach(() => world.end())

const configFile = (): string => path.join(world.folder, 'home', 'config.yaml')
const config = (): string | undefined =>
  fs.existsSync(configFile()) ? fs.readFileSync(configFile(), 'utf8') : undefined
const linesAbout = (out: string): string[] => out.split('\n').filter((line) => /finished session/.test(line))

test.each([
  ['yes', 'distill: claude\n', 'Claude reads each finished session.'],
  ['no', 'distill: false\n', 'Claude does not read finished sessions.'],
])('cli: init --read-sessions %s writes the answer', async (answer, text, line) => {
  const { status, out } = await world.memctl('init', '--read-sessions', answer)
  expect(status).toBe(0)
  expect(config()).toBe(text)
  expect(linesAbout(out)).toEqual([expect.stringContaining(line)])
  // It was answered: nothing more is said.
  expect(linesAbout((await world.memctl('init')).out)).toEqual([])
  expect(config()).toBe(text)
})

test('cli: without a terminal init decides nothing, and one line has the cost and how to allow it', async () => {
  const { out } = await world.memctl('init')
  expect(linesAbout(out)).toEqual([expect.stringMatching(/3,400 tokens .*`memctl init --read-sessions yes`\.$/)])
  expect(config()).toBeUndefined()
  await world.json('init')
  await world.memctl('init', '--dry-run', '--read-sessions', 'yes')
  expect(config()).toBeUndefined()
})

test.each([
  ['', 'distill: claude\n'],
  ['y', 'distill: claude\n'],
  ['no', 'distill: false\n'],
  [' N ', 'distill: false\n'],
  // The end of the input, such as Ctrl-D.
  [undefined, 'distill: false\n'],
])('cli: on a terminal init asks once, and %j gives %j', async (answer, text) => {
  const questions: string[] = []
  const ask = async (question: string): Promise<string | undefined> => {
    questions.push(question)
    return answer
  }
  const asked = newWorld({}, (words, io) => runCli(words, { ...io, ask }))
  copyCodeCaches(path.join(asked.folder, 'home'))
  try {
    await asked.memctl('init')
    await asked.memctl('init')
    expect(questions).toEqual([expect.stringMatching(/3,400 tokens .*\nMay it\? \[Y\/n\] $/s)])
    expect(fs.readFileSync(path.join(asked.folder, 'home', 'config.yaml'), 'utf8')).toBe(text)
  } finally {
    asked.end()
  }
})

test('cli: /memctl:read-sessions stores the answer, and asks again for another word', async () => {
  const typed = newWorld({}, async ([name, text], io) => {
    await runSlashCommand(name, { text: text ?? '', isCut: false }, io, () => {})
    return 0
  })
  try {
    const file = path.join(typed.folder, 'home', 'config.yaml')
    expect((await typed.memctl('read-sessions', 'maybe')).out).toBe('Say yes or no: /memctl:read-sessions yes\n')
    expect(fs.existsSync(file)).toBe(false)
    expect((await typed.memctl('read-sessions', 'Yes')).out).toContain('Claude reads each finished session.')
    expect(fs.readFileSync(file, 'utf8')).toBe('distill: claude\n')
    expect((await typed.memctl('read-sessions', 'no')).out).toContain('Claude does not read finished sessions.')
    expect(fs.readFileSync(file, 'utf8')).toBe('distill: false\n')
  } finally {
    typed.end()
  }
})

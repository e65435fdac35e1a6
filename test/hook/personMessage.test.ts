// What the person sees of injected notes, through the real hooks: `show` in the person's own config.yaml decides, and a
// file of a project never does. Needs dist/ (`npm test` builds it).
import { spawnSync } from 'node:child_process'
import fs from 'node:fs'
import path from 'node:path'
import { beforeAll, describe, expect, test } from 'vitest'
import { commitPolicyChoice } from '../../src/broker/commands/policyCommands.ts'
import { runMaintenance } from '../../src/broker/maintenance/maintenance.ts'
import { compileConfig, findUnknownConfigNames } from '../../src/broker/open/configFile.ts'
import { configFile, hookConfigFile } from '../../src/broker/open/hookConfig.ts'
import { openStore, type Store } from '../../src/broker/open/openStore.ts'
import { estimateTokens } from '../../src/text/excerpt.ts'
import { clipColumns } from '../../src/text/sanitizeText.ts'
import { copyCodeCaches } from '../codeCaches.ts'
import { createTestProject } from '../tempFolders.ts'
import { BEGIN, exampleSession, runHookPayloads } from '../testData.ts'

const HOOKS = path.resolve(import.meta.dirname, '..', '..', 'dist', 'hooks')
const isBuilt = fs.existsSync(path.join(HOOKS, 'code'))
const ERROR = "Exit code 1\nError: Cannot find module '../dist/prices.json'"
const JAPANESE = '今後はコミットメッセージを日本語で書いてください'

const { project, home } = createTestProject('visible')
let store: Store
let sessions = 0

beforeAll(() => {
  copyCodeCaches(home)
  store = openStore(project, { MEMCTL_HOME: home })
  setWithholdShare(0)
  const first = exampleSession('first', BEGIN)
    .starts()
    .asks(`Get the tests to run, please. Never run \`npm publish\`. ${JAPANESE}。`)
    .fails('npm test', ERROR)
    .runs('npm run build:prices')
    .runs('npm test')
    .ends()
  runHookPayloads(store, first.recorded, project)
  runMaintenance(store, { now: first.now() })
})

function setWithholdShare(share: number): void {
  fs.mkdirSync(home, { recursive: true })
  fs.writeFileSync(path.join(home, 'own.yaml'), `name: own\nrecall:\n  withholdShare: ${share}\n`)
  // In the config, because the worker that a hook has started reads it.
  if (!fs.existsSync(configFile(home))) configure('')
  commitPolicyChoice(store, Date.now())
  while (runMaintenance(store, { now: Date.now() }).busy)
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 50)
}

/** Writes the person's config and compiles it, as every command that writes does. */
function configure(text: string): void {
  fs.writeFileSync(configFile(home), `policy: own.yaml\n${text}`)
  compileConfig(store)
}

interface HookJson {
  readonly systemMessage?: string
  readonly hookSpecificOutput?: { readonly additionalContext?: string }
}

/** What a hook prints in a new session. */
function runScript(script: string, event: string, fields: Record<string, unknown> = {}): HookJson {
  const payload = { session_id: `later-${++sessions}`, hook_event_name: event, cwd: project, ...fields }
  const { status, stdout } = spawnSync(process.execPath, [path.join(HOOKS, `${script}.cjs`)], {
    cwd: project,
    input: `${JSON.stringify(payload)}\n`,
    encoding: 'utf8',
    env: { PATH: process.env['PATH'] ?? '', MEMCTL_HOME: home, CLAUDE_PROJECT_DIR: project },
  })
  expect(status).toBe(0)
  return stdout === '' ? {} : (JSON.parse(stdout) as HookJson)
}

const CALL = { tool_name: 'Bash', tool_input: { command: 'npm test' }, tool_use_id: 'call' }
const start = () => runScript('session-start', 'SessionStart', { source: 'startup' })
const failure = () => runScript('post-tool-use-failure', 'PostToolUseFailure', { ...CALL, error: ERROR })
const call = () => runScript('pre-tool-use', 'PreToolUse', { ...CALL, tool_input: { command: 'npm publish' } })
const contextOf = ({ hookSpecificOutput }: HookJson): string => hookSpecificOutput?.additionalContext ?? ''

describe.skipIf(!isBuilt)(isBuilt ? 'hook: what the person sees' : 'hook: skipped, run `npm run build` first', () => {
  test('hook: brief, the default, is one line with the number of notes and of tokens of the context', () => {
    for (const output of [start(), failure()]) {
      const tokens = estimateTokens(contextOf(output))
      expect(tokens).toBeGreaterThan(0)
      expect(output.systemMessage).toMatch(new RegExp(`^memctl: \\d+ notes?, ${tokens} tokens$`))
    }
  })

  test('hook: brief says nothing at a call, although the model gets its note', () => {
    const output = call()
    expect(contextOf(output)).toContain('npm publish')
    expect(output.systemMessage).toBeUndefined()
  })

  test('hook: full has a line for each note, also at a call, in English and Japanese', () => {
    configure('show: full\n')
    for (const output of [start(), call()]) {
      const [head, ...lines] = output.systemMessage?.split('\n') ?? []
      expect(head).toMatch(/^memctl: \d+ notes?, \d+ tokens$/)
      expect(lines.length).toBe(Number(/\d+/.exec(head ?? '')?.[0]))
      for (const line of lines) expect(contextOf(output)).toContain(line.replace(/…$/, ''))
    }
    expect(start().systemMessage).toContain(`\n- ${JAPANESE}`)
  })

  test('hook: off says nothing, and the model gets its notes', () => {
    configure('show: off\n')
    const output = start()
    expect(output.systemMessage).toBeUndefined()
    expect(contextOf(output)).toContain(JAPANESE)
  })

  test('hook: no file of a project changes what the person sees', () => {
    configure('')
    fs.mkdirSync(path.join(project, '.memctl'), { recursive: true })
    for (const name of ['.memctl/config.yaml', '.memctl/config.json', '.memctl/project.yaml', 'config.json']) {
      fs.writeFileSync(path.join(project, name), name.endsWith('json') ? '{"show":"full"}' : 'show: full\n')
    }
    expect(start().systemMessage).toMatch(/^memctl: \d+ notes?, \d+ tokens$/)
  })

  test('hook: a withheld recall shows nothing, and the end of a turn never does', () => {
    configure('show: full\n')
    setWithholdShare(0.5)
    const outputs = Array.from({ length: 12 }, failure)
    setWithholdShare(0)
    // What a person said is never withheld, a lesson is.
    expect(outputs.some((output) => contextOf(output) === '')).toBe(true)
    for (const output of outputs) expect(output.systemMessage === undefined).toBe(contextOf(output) === '')
    expect(runScript('stop', 'Stop', { last_assistant_message: 'Done.' })).toEqual({})
  })
})

test('config: show has three values, another is an error with its line, and the default needs no config.json', () => {
  configure('show: brief\n')
  expect(fs.existsSync(hookConfigFile(home))).toBe(false)
  expect(() => configure('log: { sync: session }\nshow: loud\n')).toThrowError(/show is loud in .*config\.yaml, line 3/)
  configure('show: off\n')
  expect(findUnknownConfigNames(store.files, home)).toEqual([])
})

test('text: a clipped line keeps whole characters, counts wide ones twice and has no control characters', () => {
  expect(clipColumns('short', 10)).toBe('short')
  expect(clipColumns('日本語のノート', 14)).toBe('日本語のノート')
  expect(clipColumns('日本語のノート', 13)).toBe('日本語のノー…')
  expect(clipColumns(`${'a'.repeat(8)}😀😀`, 10)).toBe('aaaaaaaa…')
  expect(clipColumns('\u001b[31mred\u001b[0m \u202etext\u0007', 20)).toBe('red text')
})

// memctl top on a real terminal: it shows what a session does while it runs, and gives the terminal back.
// Needs a built memctl and tmux; without tmux the story is skipped, visibly.
import { execFileSync, spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { expect, test } from 'vitest'
import { REPOSITORY } from './binary.ts'
import { hasTmux } from './runOnScreen.ts'

const CLI = path.join(REPOSITORY, 'dist/cli.js')
const WAIT_MS = 20_000

const screenTest = hasTmux ? test : test.skip

screenTest.each(['q', 'Ctrl-C', 'signal'])(
  'story: top is refreshed, and the terminal is as before after %s',
  async (end) => {
    const folder = mkdtempSync(path.join(tmpdir(), 'top-'))
    const env = {
      PATH: process.env['PATH'] ?? '',
      HOME: folder,
      MEMCTL_HOME: path.join(folder, 'home'),
      LANG: 'C.UTF-8',
    }
    const tmux = (...words: readonly string[]): string =>
      execFileSync('tmux', ['-u', '-S', path.join(folder, 's'), ...words], {
        env: { ...env, TERM: 'xterm' },
        encoding: 'utf8',
      })
    const screen = (): string => tmux('capture-pane', '-p', '-t', 'top')
    const waitFor = async (text: string): Promise<void> => {
      for (const until = Date.now() + WAIT_MS; !screen().includes(text); await pause(200))
        if (Date.now() > until) throw new Error(`The screen does not show ${text}:\n${screen()}`)
    }
    const record = (event: string, fields: Record<string, unknown>): void => {
      const script = path.join(
        REPOSITORY,
        `dist/hooks/${event === 'SessionStart' ? 'session-start' : 'user-prompt-submit'}.cjs`,
      )
      const payload = { session_id: 'abcd1234-one', cwd: folder, hook_event_name: event, ...fields }
      execFileSync(process.execPath, [script], { cwd: folder, env, input: JSON.stringify(payload) })
    }
    try {
      tmux('-f', '/dev/null', 'new-session', '-d', '-s', 'top', '-x', '80', '-y', '24', '-c', folder, 'sh')
      tmux('send-keys', '-t', 'top', '-l', 'echo BEFORE')
      tmux('send-keys', '-t', 'top', 'Enter')
      tmux(
        'send-keys',
        '-t',
        'top',
        '-l',
        `'${process.execPath}' '${CLI}' top; echo STATUS $? $(stty -a | grep -o -- '-*icanon')`,
      )
      tmux('send-keys', '-t', 'top', 'Enter')
      await waitFor('No session is open.')
      record('SessionStart', { source: 'startup' })
      record('UserPromptSubmit', { prompt: '料金表を直して' })
      await waitFor('料金表を直して')
      tmux('resize-window', '-t', 'top', '-x', '40', '-y', '15')
      await waitFor('q p')
      if (end === 'q') tmux('send-keys', '-t', 'top', 'q')
      else if (end === 'Ctrl-C') tmux('send-keys', '-t', 'top', 'C-c')
      else spawnSync('kill', ['-TERM', findTop(tmux('display-message', '-p', '-t', 'top', '#{pane_pid}').trim())])
      await waitFor(`STATUS ${end === 'signal' ? 143 : 0} icanon`)
      expect(screen()).toContain('BEFORE')
      expect(screen()).not.toContain('料金表')
    } finally {
      spawnSync('tmux', ['-S', path.join(folder, 's'), 'kill-server'])
      rmSync(folder, { recursive: true, force: true, maxRetries: 5 })
    }
  },
)

/** The pid of the command that the shell runs. */
const findTop = (shell: string): string =>
  execFileSync('ps', ['-o', 'pid=', '--ppid', shell], { encoding: 'utf8' }).trim().split('\n')[0]?.trim() ?? ''

const pause = (ms: number): Promise<void> => new Promise((done) => setTimeout(done, ms))

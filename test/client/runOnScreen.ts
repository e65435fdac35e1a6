// Runs the real client interactively in a tmux of its own, types prompts, and reads the screen: what a person sees.
import { execFileSync, spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { DUMMY_KEY, environment } from './runClient.ts'
import { type ApiRequest, startApi, type Turn } from './scriptedApi.ts'
import type { StoryProject } from './storyProject.ts'

export const hasTmux = spawnSync('tmux', ['-V']).status === 0

export interface ScreenRun {
  readonly prompt: string
  readonly turns: readonly Turn[]
  /** The screen is read once it shows this text: of the last answer. */
  readonly until: string
}

export interface ScreenResult {
  /** Every line of the screen at the end. */
  readonly screen: string
  readonly requests: readonly ApiRequest[]
}

const WAIT_MS = 40_000
const POLL_MS = 250

/** One session with one prompt. Throws with the screen if it does not show what it should in time. */
export async function runOnScreen(
  { claude, project, home, memory }: StoryProject,
  { prompt, turns, until }: ScreenRun,
): Promise<ScreenResult> {
  const folder = mkdtempSync(path.join(tmpdir(), 'screen-'))
  const api = await startApi({ turns, routes: [], summary: 'Work so far.', seed: `${prompt}${Date.now()}` })
  prepareHome(home, realpathSync(project))
  const env = { ...environment(home, api.port), TERM: 'xterm-256color', MEMCTL_HOME: memory }
  const tmux = (...words: readonly string[]): string =>
    execFileSync('tmux', ['-S', path.join(folder, 's'), ...words], { env, encoding: 'utf8' })
  const screen = (): string => tmux('capture-pane', '-p', '-t', 'client')
  const waitFor = async (text: string): Promise<void> => {
    for (const end = Date.now() + WAIT_MS; !screen().includes(text); ) {
      if (Date.now() > end) throw new Error(`The screen does not show ${text}:\n${screen()}`)
      await pause(POLL_MS)
    }
  }
  try {
    const size = ['-x', '160', '-y', '60']
    const tools = ['--permission-mode', 'acceptEdits', '--allowedTools', 'Bash']
    tmux('-f', '/dev/null', 'new-session', '-d', '-s', 'client', '-c', project, ...size, claude, ...tools)
    await waitFor('❯')
    await pause(1_500)
    tmux('send-keys', '-t', 'client', '-l', prompt)
    await pause(500)
    tmux('send-keys', '-t', 'client', 'Enter')
    await waitFor(until)
    await pause(2_000)
    const result = { screen: screen(), requests: api.requests }
    for (const key of ['/exit', 'Enter']) {
      tmux('send-keys', '-t', 'client', key)
      await pause(700)
    }
    return result
  } finally {
    spawnSync('tmux', ['-S', path.join(folder, 's'), 'kill-server'])
    await api.close()
    rmSync(folder, { recursive: true, force: true })
  }
}

/** A home in which the client asks nothing before the first prompt. */
function prepareHome(home: string, project: string): void {
  mkdirSync(home, { recursive: true })
  const state = {
    hasCompletedOnboarding: true,
    theme: 'dark',
    numStartups: 5,
    customApiKeyResponses: { approved: [DUMMY_KEY.slice(-20)], rejected: [] },
    projects: { [project]: { hasTrustDialogAccepted: true, hasCompletedProjectOnboarding: true, allowedTools: [] } },
  }
  writeFileSync(path.join(home, '.claude.json'), JSON.stringify(state))
}

const pause = (ms: number): Promise<void> => new Promise((done) => setTimeout(done, ms))

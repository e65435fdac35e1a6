// One machine for tests: folders, git, and sessions through the handlers of the hooks and the steps of the worker.
import { execFileSync } from 'node:child_process'
import fs from 'node:fs'
import path from 'node:path'
import { handlePayload } from '../../../src/broker/handlers/hookHandlers.ts'
import { runMaintenance } from '../../../src/broker/maintenance/maintenance.ts'
import { openJoinedStore, recordPlaces } from '../../../src/broker/maintenance/projectFolders.ts'
import { openStore, type Store } from '../../../src/broker/open/openStore.ts'
import { newFolder } from '../../tempFolders.ts'
import { BEGIN } from '../../testData.ts'

const HOUR = 3_600_000

export interface Machine {
  readonly top: string
  readonly home: string
  readonly env: Readonly<Record<string, string>>
  /** A path in a folder with spaces and Japanese letters. */
  at(...parts: readonly string[]): string
  git(folder: string, ...args: readonly string[]): string
  /** A repository with one commit, and the origin if one is given. */
  repository(name: string, origin?: string): string
  write(file: string, text: string): void
  /** A session in which the person says something that is kept. Returns what the start injected. */
  session(folder: string, says?: string, during?: () => void): string
  /** What a start would inject, after which nothing else happens: neither a worker nor an end. */
  start(folder: string): string
  store(folder: string): Store
  storeNames(): string[]
}

export function newMachine(): Machine {
  const top = newFolder('machine')
  const base = path.join(top, 'my work 仕事')
  const home = path.join(top, 'memory')
  const env = { HOME: top, MEMCTL_HOME: home }
  fs.mkdirSync(base)
  let sessions = 0
  let repositories = 0
  let now = BEGIN
  const at = (...parts: readonly string[]): string => path.join(base, ...parts)
  const git = (folder: string, ...args: readonly string[]): string =>
    execFileSync('git', ['-c', 'init.defaultBranch=main', '-c', 'protocol.file.allow=always', ...args], {
      cwd: folder,
      env: {
        ...{ PATH: process.env['PATH'], HOME: top, GIT_CONFIG_NOSYSTEM: '1' },
        ...{ GIT_AUTHOR_NAME: 'a', GIT_AUTHOR_EMAIL: 'a@example.org' },
        ...{ GIT_COMMITTER_NAME: 'a', GIT_COMMITTER_EMAIL: 'a@example.org' },
      },
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'pipe'],
    })
  const send = (folder: string, name: string, fields: Record<string, unknown> = {}): string => {
    now += 1_000
    const payload = { session_id: `session-${sessions}`, cwd: folder, hook_event_name: name, ...fields }
    const { context = '', message = '' } = handlePayload(openStore(folder, env), payload, now)
    return `${context}\n${message}`
  }
  const start = (folder: string): string => {
    sessions++
    now += HOUR
    return send(folder, 'SessionStart', { source: 'startup' })
  }
  return {
    ...{ top, home, env, at, git, start },
    repository(name, origin) {
      const folder = at(name)
      fs.mkdirSync(folder, { recursive: true })
      git(folder, 'init', '-q')
      git(folder, 'commit', '-q', '--allow-empty', '-m', `first of ${name}, number ${++repositories}`)
      if (origin !== undefined) git(folder, 'remote', 'add', 'origin', origin)
      return folder
    },
    write(file, text) {
      fs.mkdirSync(path.dirname(file), { recursive: true })
      fs.writeFileSync(file, text)
    },
    session(folder, says = 'Go on.', during) {
      const context = start(folder)
      send(folder, 'UserPromptSubmit', { prompt: says })
      during?.()
      send(folder, 'SessionEnd', { reason: 'other' })
      const worked = openJoinedStore(folder, env)
      recordPlaces(worked, folder, now)
      runMaintenance(worked, { now: now + 1, sessions: 'all' })
      return context
    },
    store: (folder) => openStore(folder, env),
    storeNames: () => (fs.existsSync(`${home}/projects`) ? fs.readdirSync(`${home}/projects`).sort() : []),
  }
}

/** Whether this file system stores when a folder was created. Without that, memctl asks in every case. */
export function storesBirthTimes(folder: string): boolean {
  return fs.lstatSync(folder, { bigint: true }).birthtimeNs > 0n
}

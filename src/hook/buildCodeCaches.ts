// Warm: makes the code caches that hooks run from, outside any hook.
//
// Each hook's code runs here for a made-up session, with the process, stdin and stdout of nobody and a store in a scratch
// folder, so that the functions a real run needs are compiled; then V8 is asked for what it has. The session is told twice,
// with organising in between: the second time there are memories to recall.
import fs from 'node:fs'
import path from 'node:path'
import { Script } from 'node:vm'
import { runMaintenance } from '../broker/maintenance/maintenance.ts'
import { openStore } from '../broker/open/openStore.ts'
import { HOOK_REGISTRATIONS } from '../model/hookEvents.ts'
import type { HookPayload } from '../record/hookPayload.ts'
import { realDisk } from '../store/disk/files.ts'
import { codeCacheFile, codeCacheFolder, currentCodeCacheFolder, encodeCodeCache, hasCodeCache } from './codeCache.ts'
import { buildSampleSession } from './sampleSession.ts'

type Environment = Readonly<Record<string, string | undefined>>

/** A hook's code as the build wraps it. */
type HookCode = (require: (name: string) => unknown, folder: string, process: object) => void

/** A cache of this age goes, in days. One still in use is made anew by the next worker. */
const CACHE_DAYS_MAX = 3

/** Makes the caches that are missing for the hooks in a folder, and removes the old ones. Says how many it made. */
export async function buildCodeCaches(hooksFolder: string, env: Environment, now: number): Promise<number> {
  pruneCaches(codeCacheFolder(env), now)
  const missing = codesIn(hooksFolder).filter((code) => !hasCodeCache(realDisk, env, code.name))
  if (missing.length === 0) return 0
  const scratch = `${currentCodeCacheFolder(env)}/scratch.${process.pid}`
  try {
    const compiled = missing.map((code) => ({ ...code, script: scriptOf(hooksFolder, code.name) }))
    await live(compiled, hooksFolder, scratch, now)
    for (const { name, script } of compiled)
      realDisk.replace(codeCacheFile(env, name), encodeCodeCache(script.createCachedData()))
    return missing.length
  } finally {
    fs.rmSync(scratch, { recursive: true, force: true })
  }
}

interface Code {
  /** With the hash of its content: `pre-tool-use-1f3a9c0d`. */
  readonly name: string
  readonly event: string
}

/** All code there is: a runtime brought up to date keeps what a running session may still load. */
function codesIn(hooksFolder: string): readonly Code[] {
  const files = realDisk.list(`${hooksFolder}/code`)
  return HOOK_REGISTRATIONS.flatMap(({ event, script }) => {
    const own = files.filter((file) => file.slice(0, file.lastIndexOf('-')) === script)
    return own.map((file) => ({ name: file.slice(0, file.lastIndexOf('.')), event }))
  })
}

function scriptOf(hooksFolder: string, name: string): Script {
  const filename = `${hooksFolder}/code/${name}.js`
  return new Script(fs.readFileSync(filename, 'utf8'), { filename })
}

/** Runs the made-up session through the scripts, twice. */
async function live(
  codes: readonly { readonly event: string; readonly script: Script }[],
  hooksFolder: string,
  scratch: string,
  now: number,
): Promise<void> {
  const root = `${scratch}/project`
  const env = { MEMCTL_HOME: `${scratch}/home`, CLAUDE_PROJECT_DIR: root }
  fs.mkdirSync(`${root}/.git`, { recursive: true })
  fs.writeFileSync(`${root}/.git/HEAD`, 'ref: refs/heads/main\n')
  const hooks = codes.map(({ event, script }) => ({ event, run: script.runInThisContext() as HookCode }))
  for (const session of ['first', 'second']) {
    for (const told of buildSampleSession(session, root)) {
      for (const { event, run } of hooks) {
        if (event !== told.hook_event_name) continue
        run(requireFor(told), hooksFolder, processIn(env, root))
        await new Promise(setImmediate) // A hook hands over to the worker after it has answered.
      }
    }
    runMaintenance(openStore(root, env), { now, sessions: 'all' })
  }
}

/** Node's modules as the code finds them, but stdin holds this payload, nobody hears stdout, and no worker starts. */
function requireFor(payload: HookPayload): (name: string) => unknown {
  const line = Buffer.from(`${JSON.stringify(payload)}\n`)
  const readSync = (from: number, into: Buffer, ...rest: [number, number, number | null]): number =>
    from === 0 ? line.copy(into) : fs.readSync(from, into, ...rest)
  const writeSync = (to: number, ...rest: [string & NodeJS.ArrayBufferView]): number =>
    to === 1 ? 0 : fs.writeSync(to, ...rest)
  const modules: Readonly<Record<string, unknown>> = {
    'node:fs': Object.assign(Object.create(fs), { readSync, writeSync }),
    'node:path': path,
    'node:child_process': { spawn: () => ({ unref() {} }) },
  }
  return (name) => modules[name]
}

class NoProcess {
  spawn(): number {
    return 0
  }
  unref(): void {}
}

/** A process that has no end of its own. */
const processIn = (env: Environment, root: string): object => ({
  env,
  pid: process.pid,
  version: process.version,
  ppid: process.pid,
  execPath: process.execPath,
  cwd: () => root,
  exit: () => {},
  kill: () => true,
  binding: () => ({ Process: NoProcess, setFlagsFromString: () => {} }),
})

/** Removes caches that are old, whichever Node they were for. */
function pruneCaches(folder: string, now: number): void {
  for (const node of realDisk.list(folder)) {
    for (const name of realDisk.list(`${folder}/${node}`)) {
      const file = `${folder}/${node}/${name}`
      if (fs.statSync(file, { throwIfNoEntry: false })!.mtimeMs < now - CACHE_DAYS_MAX * 86_400_000) {
        fs.rmSync(file, { recursive: true, force: true })
      }
    }
    if (realDisk.list(`${folder}/${node}`).length === 0)
      fs.rmSync(`${folder}/${node}`, { recursive: true, force: true })
  }
}

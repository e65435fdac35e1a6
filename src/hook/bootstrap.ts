// The script that the client starts for an event. It runs the code of the hook, from V8's code cache if there is one.
//
// A short process spends most of its time on compiling code that runs once. With the cache, which also has the lazily
// compiled functions, Stop takes 4 ms less and PreToolUse 5 to 6 (of about 40; a bare Node takes 23). `memctl init` and
// the worker build the caches (buildCodeCaches.ts). Without a valid one the hook does the same and takes longer.
import { readFileSync, writeSync } from 'node:fs'
import { Script } from 'node:vm'
import { runtimeHome } from '../store/project/project.ts'
import { codeCacheFile, decodeCodeCache } from './codeCache.ts'

/** The name of this script, and of the file with its code. The build writes both here. */
declare const SCRIPT: string
declare const CODE: string

const NODE_MAJOR_MIN = 20

const { version } = process
if (Number.parseInt(version.slice(1), 10) >= NODE_MAJOR_MIN) runCode()
// The other hooks of the session are silent. The build would decide `SCRIPT === …` before it has the name.
else if (SCRIPT.startsWith('session-start')) reportOldNode()

function runCode(): void {
  const home = runtimeHome(__dirname)
  if (home) process.env['MEMCTL_HOME'] ||= home
  const filename = `${__dirname}/code/${CODE}.js`
  // Only ASCII, by the build: Node reads it in one native call, and V8 stores it in one byte a character.
  const script = new Script(readFileSync(filename, 'utf8'), { filename, cachedData: cachedData() })
  script.runInThisContext()(require, __dirname, process, SCRIPT)
}

function reportOldNode(): void {
  const systemMessage = `memctl needs Node ${NODE_MAJOR_MIN} or later, and records nothing with ${version}.`
  writeSync(1, JSON.stringify({ systemMessage }))
}

function cachedData(): Buffer | undefined {
  try {
    return decodeCodeCache(readFileSync(codeCacheFile(process.env, SCRIPT, CODE)))
  } catch {
    return undefined // There is no cache, or no folder for it: the code runs without.
  }
}

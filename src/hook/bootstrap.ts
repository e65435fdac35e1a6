// Load: the script the client starts for an event. It reads the hook's code and runs it from V8's code cache, if there is one.
//
// A process of some milliseconds spends most of its time on compiling what it runs once. With the cache, which holds the
// lazily compiled functions too, Stop takes 4 ms less, PreToolUse 5 to 6 (of some 40, beside 23 for a bare Node). The worker
// makes the caches (warm.ts). Without one, or with a damaged or another Node's, the hook does the same and takes longer.
import { readFileSync } from 'node:fs'
import { Script } from 'node:vm'
import { codeCacheFile, decodeCodeCache } from './codeCache.ts'

/** The code's name, told by its content; the build writes it here. */
declare const CODE: string

const filename = `${__dirname}/code/${CODE}.js`
// The build leaves only ASCII in the code: read as UTF-8 in one native call, and kept by V8 in one byte a character.
const script = new Script(readFileSync(filename, 'utf8'), { filename, cachedData: cachedData() })
script.runInThisContext()(require, __dirname, process)

function cachedData(): Buffer | undefined {
  try {
    return decodeCodeCache(readFileSync(codeCacheFile(process.env, CODE)))
  } catch {
    return undefined // None yet, or nowhere to keep one: the code runs without.
  }
}

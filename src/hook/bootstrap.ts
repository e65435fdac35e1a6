// The script that the client starts for an event. It runs the code of the hook, from V8's code cache if there is one.
//
// A short process spends most of its time on compiling code that runs once. With the cache, which also has the lazily
// compiled functions, Stop takes 4 ms less and PreToolUse 5 to 6 (of about 40; a bare Node takes 23). The worker builds
// the caches (buildCodeCaches.ts). Without a valid one the hook does the same and takes longer.
import { readFileSync } from 'node:fs'
import { Script } from 'node:vm'
import { codeCacheFile, decodeCodeCache } from './codeCache.ts'

/** The name of the code, with a hash of its content. The build writes it here. */
declare const CODE: string

const filename = `${__dirname}/code/${CODE}.js`
// The build leaves only ASCII in the code: Node reads it in one native call, and V8 stores it in one byte a character.
const script = new Script(readFileSync(filename, 'utf8'), { filename, cachedData: cachedData() })
script.runInThisContext()(require, __dirname, process)

function cachedData(): Buffer | undefined {
  try {
    return decodeCodeCache(readFileSync(codeCacheFile(process.env, CODE)))
  } catch {
    return undefined // There is no cache, or no folder for it: the code runs without.
  }
}

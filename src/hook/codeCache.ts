// Code caches: what V8 made of a hook's code in an earlier run, so that a hook's process compiles nothing.
//
//   $MEMCTL_HOME/cache/v20.20.2-x64/pre-tool-use-1f3a9c0d.bin      one for each Node and each build of the code
//
//   ┌──────────────┬──────────────┐   V8 checks the version and the flags it was made with, but not its bytes: damaged ones
//   │ cached data  │ the same     │   crash the process. So they are kept twice and used only where both are alike, which
//   └──────────────┴──────────────┘   costs a comparison in native code and no hashing in the interpreter.
import type { Files } from '../store/disk/files.ts'
import { resolveMemctlHome } from '../store/project/project.ts'

type Environment = Readonly<Record<string, string | undefined>>

/** All caches of a home. */
export const codeCacheFolder = (env: Environment): string => `${resolveMemctlHome(env)}/cache`

/** The caches of this Node: another version, or another processor in a home that machines share, has its own. */
export const currentCodeCacheFolder = (env: Environment): string =>
  `${codeCacheFolder(env)}/${process.version}-${process.platform}-${process.arch}`

/** Where the cache of some code lies; `code` is named by its content. */
export const codeCacheFile = (env: Environment, code: string): string => `${currentCodeCacheFolder(env)}/${code}.bin`

/** The file's bytes for some cached data. */
export const encodeCodeCache = (data: Uint8Array): Buffer => Buffer.concat([data, data])

/** The cached data in a file's bytes; undefined where a single byte of them is not as it was written. */
export function decodeCodeCache(bytes: Buffer): Buffer | undefined {
  const half = bytes.length / 2
  const data = bytes.subarray(0, half)
  return half > 0 && data.equals(bytes.subarray(half)) ? data : undefined
}

/** Whether a usable cache is there; V8 itself may still refuse it. */
export function hasCodeCache(files: Pick<Files, 'read'>, env: Environment, code: string): boolean {
  const bytes = files.read(codeCacheFile(env, code))
  return bytes !== undefined && decodeCodeCache(bytes) !== undefined
}

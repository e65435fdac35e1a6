// Code caches: V8's compiled form of a hook's code, so that the process of a hook compiles nothing.
//
//   $MEMCTL_HOME/cache/v20.20.2-linux-x64/pre-tool-use-1f3a9c0d.bin      one for each Node, script and build
//
//   ┌──────────────┬──────────────┐   V8 checks its version and flags, but not the bytes: corrupt bytes crash
//   │ cached data  │ the same     │   the process. So the data is stored twice and used only if both are equal:
//   └──────────────┴──────────────┘   a native comparison is cheaper than a hash in the interpreter.
import { HOOK_REGISTRATIONS } from '../model/hookEvents.ts'
import type { Files } from '../store/disk/files.ts'
import { resolveMemctlHome } from '../store/project/project.ts'

type Environment = Readonly<Record<string, string | undefined>>

/** The folder with the caches of all Nodes. */
export const codeCacheFolder = (env: Environment): string => `${resolveMemctlHome(env)}/cache`

/** The folder of this Node. Another version or processor has its own: machines may share a home. */
export const currentCodeCacheFolder = (env: Environment): string =>
  `${codeCacheFolder(env)}/${process.version}-${process.platform}-${process.arch}`

/** The cache file of what a script runs of its code; `code` is a name with a hash, `record-1f3a9c0d`. */
export const codeCacheFile = (env: Environment, script: string, code: string): string =>
  `${currentCodeCacheFolder(env)}/${script}-${code.slice(code.indexOf('-') + 1)}.bin`

export const encodeCodeCache = (data: Uint8Array): Buffer => Buffer.concat([data, data])

/** The cached data in the bytes of a cache file; undefined if any byte is corrupt. */
export function decodeCodeCache(bytes: Buffer): Buffer | undefined {
  const half = bytes.length / 2
  const data = bytes.subarray(0, half)
  return half > 0 && data.equals(bytes.subarray(half)) ? data : undefined
}

/** Whether there is an intact cache; V8 may still reject it. */
export function hasCodeCache(files: Pick<Files, 'read'>, env: Environment, script: string, code: string): boolean {
  const bytes = files.read(codeCacheFile(env, script, code))
  return bytes !== undefined && decodeCodeCache(bytes) !== undefined
}

/** A script, and the name of the file with its code. */
export type HookCode = Readonly<{ event: string; script: string; code: string }>

/** The code of each script in a folder of hooks, as the build has written it there. */
export const listHookCode = (files: Pick<Files, 'read'>, hooksFolder: string): readonly HookCode[] =>
  HOOK_REGISTRATIONS.flatMap(({ event, script }) => {
    const text = files.read(`${hooksFolder}/${script}.cjs`)?.toString('utf8') ?? ''
    const code = /\bre(?:cord|call)-[\da-f]{12}\b/.exec(text)?.[0]
    return code === undefined ? [] : [{ event, script, code }]
  })

// What a runtime folder in memctl's home contains: by it, doctor finds an incomplete one, and upgrade finds hooks in
// settings that a person has edited.
import fs from 'node:fs'
import path from 'node:path'
import { HOOK_REGISTRATIONS, type HookRegistration } from '../../model/hookEvents.ts'

/** The name of the file in the folder of a version. */
export const CONTENTS = 'contents.json'

interface RuntimeContents {
  /** The size of each file in bytes, by its relative path with slashes. */
  readonly files: Readonly<Record<string, number>>
  /** The hooks that init of this version writes into settings. */
  readonly hooks: readonly HookRegistration[]
}

/** The bytes of the file for these files. */
export function describeContents(files: ReadonlyMap<string, Buffer>): Buffer {
  const sizes = [...files].map(([name, { length }]) => [name.replaceAll('\\', '/'), length] as const)
  const contents: RuntimeContents = { files: Object.fromEntries(sizes), hooks: HOOK_REGISTRATIONS }
  return Buffer.from(`${JSON.stringify(contents)}\n`)
}

/** What the folder of a version should contain; undefined if that is unknown. */
export function readContents(folder: string): RuntimeContents | undefined {
  try {
    const read = JSON.parse(fs.readFileSync(path.join(folder, CONTENTS), 'utf8')) as RuntimeContents
    return typeof read.files === 'object' && read.files !== null && Array.isArray(read.hooks) ? read : undefined
  } catch {
    return undefined // Missing or damaged: the folder counts as it is.
  }
}

/**
 * Files that are missing in the folder of a version or have another size, sorted. If nothing says what it should
 * contain, the first hook of a session must be there.
 */
export function listMissingFiles(folder: string): readonly string[] {
  const sizes = Object.entries(readContents(folder)?.files ?? {})
  if (sizes.length === 0) return sizeOf(path.join(folder, FIRST_HOOK)) === undefined ? [FIRST_HOOK] : []
  return sizes.flatMap(([name, bytes]) => (sizeOf(path.join(folder, name)) === bytes ? [] : [name])).sort()
}

const FIRST_HOOK = 'hooks/session-start.cjs'

function sizeOf(file: string): number | undefined {
  const stat = fs.statSync(file, { throwIfNoEntry: false })
  return stat?.isFile() ? stat.size : undefined
}

// Staleness: what happened to the file a memory is about. A note says so, because its advice may no longer apply.
import type { Memory } from '../model/memory.ts'

/** The state of a file on disk; `written` in milliseconds since 1970. */
type FileStatus = { readonly kind: 'gone' } | { readonly kind: 'there'; readonly written: number }

/** Reads the state of a path inside the repository; undefined if it is unknown, or enough files were read. */
export type FileProbe = (file: string) => FileStatus | undefined

/** For so long after a memory's update the session may still edit its own files, in milliseconds. */
const OWN_WORK_MS = 60 * 60_000

/** A sentence on the file that the memory is about if it was deleted or changed since; else undefined. */
export function describeStaleness(memory: Memory, fileProbe: FileProbe): string | undefined {
  const file = subjectFile(memory)
  const status = file === undefined ? undefined : fileProbe(file)
  if (status?.kind === 'gone') return `(${file} is gone since.)`
  if (status?.kind !== 'there' || status.written <= Date.parse(memory.updated) + OWN_WORK_MS) return undefined
  return `(${file} was changed since, on ${new Date(status.written).toISOString().slice(0, 10)}.)`
}

/**
 * The file that a lesson is about, that a task changed first, or that an entry names. Not a file in a command: it may
 * be in another folder, or the command may create it.
 */
function subjectFile(memory: Memory): string | undefined {
  switch (memory.kind) {
    case 'lesson':
      return memory.commandShape === undefined ? memory.files[0] : undefined
    case 'experience':
      return memory.editedFiles?.[0]
    case 'entry':
    case 'decision':
      return memory.files[0]
    default:
      return undefined
  }
}

// Stale: what has become of the file a memory is about. Said beside the memory: what it advises may no longer fit.
import type { Memory } from '../model/memory.ts'
import { findFirstFileToEdit } from '../text/fixSteps.ts'

/** What the disk says of a file: that it is gone, or when it was last written, in milliseconds since 1970. */
type FileStatus = { readonly kind: 'gone' } | { readonly kind: 'there'; readonly written: number }

/** Asks the disk about a path inside the repository; undefined where it cannot be told, or enough was asked. */
export type FileProbe = (file: string) => FileStatus | undefined

/** A session goes on with its own files after what is remembered of them, in milliseconds. */
const OWN_WORK_MS = 60 * 60_000

/** A sentence on the file that the memory is about most, where it is gone or was written again since; undefined where all is as it was. */
export function describeStaleness(memory: Memory, fileAt: FileProbe): string | undefined {
  const file = subjectOf(memory)
  const fact = file === undefined ? undefined : fileAt(file)
  if (fact?.kind === 'gone') return `(${file} is gone since.)`
  if (fact?.kind !== 'there' || fact.written <= Date.parse(memory.updated) + OWN_WORK_MS) return undefined
  return `(${file} was changed since, on ${new Date(fact.written).toISOString().slice(0, 10)}.)`
}

/**
 * The file a memory is about: which a fix says to edit, which a task changed first, which an entry names. Names in a command are
 * none: they may be another folder's, or be made by it.
 */
function subjectOf(memory: Memory): string | undefined {
  switch (memory.kind) {
    case 'lesson':
      return (
        findFirstFileToEdit(memory.lesson?.fix) ?? (memory.commandShape === undefined ? memory.files[0] : undefined)
      )
    case 'experience':
      return memory.editedFiles?.[0]
    case 'entry':
    case 'decision':
      return memory.files[0]
    default:
      return undefined
  }
}

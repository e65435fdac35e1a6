// Reads recordings from files and folders, all of them before anything runs, so that an invalid line stops the command.
import fs from 'node:fs'
import path from 'node:path'
import { readInputFile } from '../../src/cli/context/readInput.ts'
import { MemoryError } from '../../src/model/memoryError.ts'
import { getTextField } from '../../src/record/hookPayload.ts'
import { parseRecording, type RecordedPayload } from '../fixture/replaySessions.ts'

export interface Recording {
  /** The file's name without its extension. */
  readonly name: string
  readonly payloads: readonly RecordedPayload[]
}

/** The recordings in these files and folders (*.jsonl, sorted by name). Throws NOT_FOUND and RECORDING_INVALID. */
export function readRecordings(paths: readonly string[], cwd: string): readonly Recording[] {
  const files = paths.flatMap((name) => listFiles(path.resolve(cwd, name)))
  return files.map((file) => ({
    name: path.basename(file, '.jsonl'),
    payloads: parseRecording(readInputFile(file), path.relative(cwd, file)),
  }))
}

/** The folder in which the recorded sessions worked; undefined if no payload has it. */
export function findRecordedRoot(recordings: readonly Recording[]): string | undefined {
  for (const { payloads } of recordings) {
    for (const { payload } of payloads) {
      const cwd = getTextField(payload, 'cwd')
      if (cwd) return cwd
    }
  }
  return undefined
}

function listFiles(name: string): string[] {
  const stat = fs.statSync(name, { throwIfNoEntry: false })
  if (!stat) {
    throw new MemoryError('NOT_FOUND', `No file or folder ${name}`, {
      hint: 'Name a recording, or a folder of them.',
    })
  }
  if (!stat.isDirectory()) return [name]
  const names = fs.readdirSync(name).filter((file) => file.endsWith('.jsonl'))
  if (names.length === 0) {
    throw new MemoryError('NOT_FOUND', `${name} contains no recording (*.jsonl)`, {
      hint: 'Name a recording, or a folder of them.',
    })
  }
  return names.sort().map((file) => path.join(name, file))
}

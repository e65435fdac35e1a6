// Recordings on disk: files and folders of files, read whole before anything runs, so that a broken line stops all.
import fs from 'node:fs'
import path from 'node:path'
import { parseRecording, type RecordedPayload } from '../../broker/replay/replaySessions.ts'
import { MemoryError } from '../../model/memoryError.ts'
import { getTextField } from '../../record/hookPayload.ts'

export interface Recording {
  /** The file's name without its ending. */
  readonly name: string
  readonly payloads: readonly RecordedPayload[]
}

/** The recordings of these files and folders (their *.jsonl by name). Throws NOT_FOUND, RECORDING_INVALID. */
export function readRecordings(places: readonly string[], cwd: string): readonly Recording[] {
  const files = places.flatMap((place) => filesAt(path.resolve(cwd, place)))
  return files.map((file) => ({
    name: path.basename(file, '.jsonl'),
    payloads: parseRecording(fs.readFileSync(file, 'utf8'), path.relative(cwd, file)),
  }))
}

/** Where the recorded sessions worked; undefined where no payload says it. */
export function findRecordedRoot(recordings: readonly Recording[]): string | undefined {
  for (const { payloads } of recordings) {
    for (const { payload } of payloads) {
      const cwd = getTextField(payload, 'cwd')
      if (cwd) return cwd
    }
  }
  return undefined
}

function filesAt(place: string): string[] {
  const stat = fs.statSync(place, { throwIfNoEntry: false })
  if (!stat) {
    throw new MemoryError('NOT_FOUND', `There is no file or folder ${place}`, {
      hint: 'Give a recording, or a folder of them.',
    })
  }
  if (!stat.isDirectory()) return [place]
  const names = fs.readdirSync(place).filter((name) => name.endsWith('.jsonl'))
  if (names.length === 0) {
    throw new MemoryError('NOT_FOUND', `${place} has no recording (*.jsonl) in it`, {
      hint: 'Give a recording, or a folder of them.',
    })
  }
  return names.sort().map((name) => path.join(place, name))
}

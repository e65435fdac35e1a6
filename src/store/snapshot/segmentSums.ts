// Checksums of the files of a segment, which the manifest has. Whoever reads a segment as a whole verifies them; hooks,
// which read parts, do not.

import type { Steps } from '../../model/longCall.ts'
import { MemoryError } from '../../model/memoryError.ts'
import { checksum } from '../disk/checksum.ts'
import type { Files } from '../disk/files.ts'
import type { SegmentEntry, SegmentSums } from './manifest.ts'

/** The files of a segment with their checksums; undefined for those of earlier versions. */
const listSums = ({ name, rows, expansions, sums }: SegmentEntry): [file: string, sum: number | undefined][] => [
  [`${name}.txt`, sums?.text],
  [`${name}.idx`, sums?.index],
  [rows, sums?.rows],
  ...(expansions === undefined ? [] : [[expansions, sums?.expansions] as [string, number | undefined]]),
]

/** The names of the segment's files that differ from their checksums. A missing one counts as empty. */
export const findChangedSegmentFiles = (files: Files, folder: string, entry: SegmentEntry): string[] =>
  listSums(entry).flatMap(([file, sum]) =>
    sum === undefined || checksum(files.read(`${folder}/${file}`) ?? Buffer.alloc(0)) === sum ? [] : [file],
  )

/** Bytes that are read at once. */
const WINDOW_BYTES = 1_048_576

/** Throws STORE_INVALID if a file of the segment is not as it was written. Without its expansions it is complete. */
export function* assertSegmentUnchanged(files: Files, folder: string, entry: SegmentEntry): Steps<void> {
  for (const [name, expected] of listSums(entry)) {
    if (expected === undefined || name === entry.expansions) continue
    const file = files.open(`${folder}/${name}`)
    try {
      let sum = 0
      for (let at = 0; file && at < file.size; at += WINDOW_BYTES) {
        sum = checksum(file.readAt(at, WINDOW_BYTES), sum)
        yield
      }
      if (sum !== expected) throw changedFile(`${folder}/${name}`)
    } finally {
      file?.close()
    }
  }
}

const changedFile = (file: string): MemoryError =>
  new MemoryError('STORE_INVALID', `${file} is not as it was written`, {
    hint: 'Run `memctl rebuild`: it rewrites the snapshot from the log, nothing is lost.',
  })

/** The checksums of a segment's new text and index. */
export const sumSegment = (text: Buffer, index: Buffer): Pick<SegmentSums, 'text' | 'index'> => ({
  text: checksum(text),
  index: checksum(index),
})

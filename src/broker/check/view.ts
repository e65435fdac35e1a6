// Is the view sound? The manifest, the files it names, their bytes, and where in the log it stands.
import { type Check, sound, unsound } from '../../model/check.ts'
import { SNAPSHOT_TAIL_BYTES } from '../../model/limits.ts'
import { openSegment } from '../../store/index/segment.ts'
import { readJson } from '../../store/jsonRead.ts'
import { bytesPast, logFileName, openLogFiles } from '../../store/log.ts'
import type { Manifest, SegmentEntry } from '../../store/manifest.ts'
import { readRows, rowsView } from '../../store/memoryRead.ts'
import { ROW_BYTES, textOfRow } from '../../store/row.ts'
import { readManifest } from '../../store/shelf.ts'
import type { Store } from '../store.ts'
import type { Hot } from '../view/hotFile.ts'

const REBUILD = 'Run `memctl rebuild`: it is written anew from the log, nothing is lost.'

/** Throws STORE_INVALID or STORE_NEWER where the manifest itself cannot be read. */
export function checkView(store: Store): Check[] {
  const manifest = readManifest(store.files, store.layout)
  if (manifest.generation === 0) return [beforeTheFirst(store)]
  const memories = manifest.segments.reduce((sum, entry) => sum + entry.memories, 0)
  const what = `Generation ${manifest.generation} of ${manifest.written}: ${memories} memories in ${manifest.segments.length} segments`
  const faults = manifest.segments.flatMap((entry) => checkSegment(store, entry))
  return [
    ...(faults.length > 0 ? faults : [sound('view', what, store.layout.manifest)]),
    checkCursor(store, manifest),
    ...checkHot(store, manifest),
  ]
}

function beforeTheFirst({ files, layout }: Store): Check {
  const waiting = openLogFiles(files, layout.events).length
  return waiting === 0
    ? sound('view', 'None yet: there are no events')
    : sound('view', 'None yet: the first one is made when a session has ended', layout.manifest)
}

/** Whether a segment's three files are there, agree, and read from end to end. */
function checkSegment({ files, layout }: Store, entry: SegmentEntry): Check[] {
  const fail = (where: string, what: string): Check[] => [unsound('view', 'fail', what, { where, mend: REBUILD })]
  const [textFile, indexFile, rowsFile] = [`${entry.name}.txt`, `${entry.name}.idx`, entry.rows].map(
    (name) => `${layout.segments}/${name}`,
  ) as [string, string, string]
  for (const file of [textFile, indexFile, rowsFile]) {
    if (files.size(file) === undefined) return fail(file, 'A file of the view is not there')
  }
  const rows = readRows(files, layout.segments, entry)!
  if (rows.length !== entry.memories * ROW_BYTES) {
    return fail(rowsFile, `${rows.length} bytes of rows instead of ${entry.memories * ROW_BYTES}`)
  }
  const lost = lostTexts(rows, files.read(textFile)!)
  if (lost > 0) return fail(textFile, `${lost} memories have no readable text`)
  try {
    const index = openSegment(files, indexFile)!
    try {
      index.whole()
      return index.documents === entry.memories
        ? []
        : fail(indexFile, `An index of ${index.documents} memories, the manifest says ${entry.memories}`)
    } finally {
      index.close()
    }
  } catch (error) {
    return fail(indexFile, error instanceof Error ? error.message : String(error))
  }
}

function lostTexts(rows: Buffer, text: Buffer): number {
  const view = rowsView(rows)
  let lost = 0
  for (let row = 0; row < rows.length / ROW_BYTES; row++) {
    const { at, bytes } = textOfRow(view, row)
    if (!isJson(text.toString('utf8', at, at + bytes))) lost++
  }
  return lost
}

function isJson(text: string): boolean {
  try {
    return typeof JSON.parse(text) === 'object'
  } catch {
    return false
  }
}

/** The view cannot know more than the log holds: then the log was cut, or put back from a backup. */
function checkCursor({ files, layout }: Store, { cursor }: Manifest): Check {
  const where = layout.events
  const size = files.size(`${where}/${logFileName(cursor.file)}`)
  const last = openLogFiles(files, where).at(-1) ?? 0
  if (cursor.file > last || (size !== undefined && cursor.offset > size)) {
    return unsound('cursor', 'fail', 'The view reaches past the end of the log, which was cut or put back', {
      where,
      mend: 'Put back the whole log if you have it, then run `memctl rebuild`.',
    })
  }
  const tail = bytesPast(files, where, cursor)
  const what = `${tail} bytes of the log are not in the view yet`
  if (tail <= SNAPSHOT_TAIL_BYTES) return sound('cursor', what)
  return unsound('cursor', 'warn', what, {
    where,
    mend: 'It is done when a session ends or the next one starts; `memctl organize` does it now.',
  })
}

function checkHot({ files, layout }: Store, manifest: Manifest): Check[] {
  const hot = readJson<Hot>(files, layout.hot)
  if (hot?.generation === manifest.generation) return [sound('hot', `${hot.standing.length} standing memories`)]
  const what = hot
    ? `It is of generation ${hot.generation}, the view of ${manifest.generation}`
    : 'It is not there: a session start has nothing to tell'
  return [unsound('hot', 'warn', what, { where: layout.hot, mend: REBUILD })]
}

// Opens the files of a snapshot's segments: those of active memories, and the recent segment.
import type { Files, OpenFile } from '../disk/files.ts'
import type { StoreLayout } from '../disk/storeLayout.ts'
import { type IndexSegment, openExpandedSegment } from '../index/indexSegment.ts'
import type { Manifest, RecentSegment, SegmentEntry } from './manifest.ts'
import { ROW_BYTES } from './rowFormat.ts'

export interface OpenSegment {
  readonly index: IndexSegment
  readonly text: OpenFile
  readonly rows: OpenFile
  readonly count: number
  /** Rows read so far, by block. */
  readonly rowBlocks: Map<number, DataView>
  /** Rows that the recent segment replaces. */
  replaced?: ReadonlySet<number>
}

/** Opens the segments of active memories and the recent segment; undefined if one is missing that must be there. */
export function openSegments(
  files: Files,
  layout: StoreLayout,
  manifest: Manifest,
  isRecentOptional: boolean,
): OpenSegment[] | undefined {
  const segments: OpenSegment[] = []
  for (const entry of manifest.segments) {
    if (entry.archive) continue
    const segment = openSegment(files, layout, entry)
    if (!segment) {
      closeSegments(segments)
      return undefined
    }
    segments.push(segment)
  }
  const { recent } = manifest
  if (!recent) return segments
  const added = recent.memories === 0 ? undefined : openRecentSegment(files, layout, recent)
  if (recent.memories > 0 && !added) {
    // Without the new versions of its memories, those of the snapshot are better than none.
    if (isRecentOptional) return segments
    closeSegments(segments)
    return undefined
  }
  if (segments[0]) segments[0].replaced = new Set(recent.replaced)
  if (added) segments.push(added)
  return segments
}

function openSegment(files: Files, layout: StoreLayout, entry: SegmentEntry): OpenSegment | undefined {
  const expansions = entry.expansions && `${layout.segments}/${entry.expansions}`
  const index = openExpandedSegment(files, `${layout.segments}/${entry.name}.idx`, expansions)
  const text = files.open(`${layout.segments}/${entry.name}.txt`)
  const rows = files.open(`${layout.segments}/${entry.rows}`)
  if (index && text && rows) return { index, text, rows, count: entry.memories, rowBlocks: new Map() }
  for (const file of [index, text, rows]) file?.close()
  return undefined
}

/** Undefined if it is missing or damaged: it can be written again at any time, and `doctor` reports it. */
function openRecentSegment(files: Files, layout: StoreLayout, entry: RecentSegment): OpenSegment | undefined {
  try {
    const segment = openSegment(files, layout, entry)
    const { memories, textBytes } = entry
    if (
      segment?.index.documents === memories &&
      segment.rows.size === memories * ROW_BYTES &&
      segment.text.size === textBytes
    )
      return segment
    if (segment) closeSegments([segment])
  } catch {
    // Damaged: see above.
  }
  return undefined
}

export function closeSegments(segments: readonly OpenSegment[]): void {
  for (const { index, text, rows } of segments) for (const file of [index, text, rows]) file.close()
}

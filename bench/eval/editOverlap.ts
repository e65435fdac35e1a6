// The overlap of a session's edited files with those of earlier sessions: the evidence of help for rankings that were
// not shown.
import type { SessionId } from '../../src/model/id.ts'

/**
 * For each earlier session, the weighted share of `edited` that it had edited too: above 0, at most 1.
 *
 * The weight of a file is log((n + 1) / (1 + k)), where k of the n earlier sessions had edited it, as in inverse
 * document frequency. A file that every session edits is no evidence.
 */
export function editOverlap(
  edited: ReadonlySet<string>,
  earlier: ReadonlyMap<SessionId, ReadonlySet<string>>,
): ReadonlyMap<SessionId, number> {
  const counts = new Map<string, number>()
  for (const files of earlier.values()) {
    for (const file of files) if (edited.has(file)) counts.set(file, (counts.get(file) ?? 0) + 1)
  }
  const weights = new Map([...counts].map(([file, count]) => [file, Math.log((earlier.size + 1) / (1 + count))]))
  const total = [...weights.values()].reduce((sum, weight) => sum + weight, 0)
  const overlaps = new Map<SessionId, number>()
  if (total <= 0) return overlaps
  for (const [session, files] of earlier) {
    let sum = 0
    for (const file of files) sum += weights.get(file) ?? 0
    if (sum > 0) overlaps.set(session, sum / total)
  }
  return overlaps
}

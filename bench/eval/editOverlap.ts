// Agreement: what a session did afterwards, although nobody showed it anything, with what earlier ones had done. The one evidence of
// help there is where recalls were ranked and not shown.
import type { SessionId } from '../../src/model/id.ts'

/**
 * How far each earlier session's edited files agree with those edited now: the share of these that it had edited too, each file
 * weighing log((n + 1) / (1 + how many of the n had edited it)), for what everybody edits tells nothing. 0 to 1; only what is above 0.
 */
export function agreementWith(
  edited: ReadonlySet<string>,
  earlier: ReadonlyMap<SessionId, ReadonlySet<string>>,
): ReadonlyMap<SessionId, number> {
  const counts = new Map<string, number>()
  for (const files of earlier.values()) {
    for (const file of files) if (edited.has(file)) counts.set(file, (counts.get(file) ?? 0) + 1)
  }
  const weights = new Map([...counts].map(([file, count]) => [file, Math.log((earlier.size + 1) / (1 + count))]))
  const total = [...weights.values()].reduce((sum, weight) => sum + weight, 0)
  const agreements = new Map<SessionId, number>()
  if (total <= 0) return agreements
  for (const [session, files] of earlier) {
    let sum = 0
    for (const file of files) sum += weights.get(file) ?? 0
    if (sum > 0) agreements.set(session, sum / total)
  }
  return agreements
}

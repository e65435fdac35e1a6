// A unified diff of two texts, for --dry-run. `git apply` and `patch` read it.
import { FILE_HEADERS_ONLY, formatPatch, structuredPatch } from 'diff'

/** Lines shown around a change. */
const CONTEXT_LINES = 3

/** A unified diff from `before` to `after`; empty where they are equal. `file` is the name in its header. */
export function unifiedDiff(before: string, after: string, file = 'settings.json'): string {
  if (before === after) return ''
  const oldName = before === '' ? '/dev/null' : `a/${file}`
  const patch = structuredPatch(oldName, `b/${file}`, before, after, undefined, undefined, { context: CONTEXT_LINES })
  return formatPatch(patch, FILE_HEADERS_ONLY)
}

// Rules of linters that a session met and marked as intended: `nilerr` with `//nolint:nilerr // reason`.
//
// No linter is known here. A finding names its rule, and an edit that follows adds a comment that names the same rule.
import { type CallResult, EDIT_TOOLS, type EventOf } from '../model/event.ts'

/** A rule, and the comment that was added for it: `//nolint:errcheck`, `// biome-ignore lint/a/b`. */
export interface MarkedRule {
  readonly rule: string
  readonly mark: string
  readonly edit: EventOf<'call.succeeded'>
  /** Calls until the edit. */
  readonly calls: number
}

/** Calls after a finding among which the edit is looked for. */
const EDIT_CALLS_MAX = 40

/** Findings that name their rule: `file:1:2: what (rule)`, `1:2 error what rule`, `lint/group/rule`, `: E501 `. */
const RULES = new RegExp(
  [
    /^\S+\.\w+[:(]\d.*\(([a-z][\w-]{2,30})\)\s*$/,
    /^\s*\d+:\d+ +error .* (@?[a-z][\w-]*(?:\/[\w-]+)*)\s*$/,
    /\b(lint\/\w+\/\w+)\b/,
    /: ([A-Z]{1,4}\d{3,4}):? /,
  ]
    .map(({ source }) => source)
    .join('|'),
  'gm',
)
const COMMENT = /(?:\/\/|#|\/\*|<!--|--)[ \t]?[^\n]*/g

/** The rules that a failed call reports and that a later edit marks as intended. */
export function findMarkedRules(failed: EventOf<'call.failed'>, later: readonly CallResult[]): MarkedRule[] {
  const named = [...failed.error.matchAll(RULES)].flatMap((match) =>
    match.slice(1).filter((name) => name !== undefined),
  )
  return [...new Set(named)].flatMap((rule) => {
    for (const [index, edit] of later.slice(0, EDIT_CALLS_MAX).entries()) {
      const mark = edit.kind === 'call.succeeded' ? markOf(edit, rule) : undefined
      if (mark !== undefined && edit.kind === 'call.succeeded') return [{ rule, mark, edit, calls: index + 1 }]
    }
    return []
  })
}

/** The comment that an edit adds for the rule, up to its name: a marker, then the rule, and no sentence about it. */
function markOf({ tool, input }: CallResult, rule: string): string | undefined {
  const { new_string: added, old_string: removed } = input
  if (!EDIT_TOOLS.has(tool) || typeof added !== 'string') return undefined
  if (typeof removed === 'string' && removed.includes(rule)) return undefined
  for (const [comment] of added.matchAll(COMMENT)) {
    const at = comment.indexOf(rule)
    const marker = comment.slice(0, Math.max(0, at)).replace(/^\W+/, '').trim()
    // Of several rules only this one: `//nolint:errcheck,gosec`.
    if (at !== -1 && /^[\w-]+(?:[:=(]\S*)?$/.test(marker))
      return comment.slice(0, at + rule.length).replace(/(?<=[:,])[\w-]+,(?=[\w-]+$)/, '')
  }
  return undefined
}

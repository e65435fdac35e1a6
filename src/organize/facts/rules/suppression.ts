// Comments and attributes that allow one finding: `//nolint:errcheck // reason`, `# noqa: F401`, `#[allow(…)]`.

/** The beginning of a comment or an attribute, and a word by which linters are switched off. */
const DIRECTIVE =
  /(?:\/\/|#!?\[?|\/\*|<!--|--|[@%;])\s*[\w.:@-]{0,40}?(?:no(?:lint|qa|sec)|disable|ignore|allow|expect|suppress\w*)\b/i

/** A directive as a pattern: `//nolint:` + `errcheck` + ` // reason`. */
export interface Suppression {
  readonly head: string
  readonly name: string
  /** What closes the list of rules, and the word `reason` where one was given. */
  readonly tail: string
}

/** The directive of a line that names the rule; undefined if the line has none. */
export function findSuppression(line: string, rule: string): Suppression | undefined {
  const start = DIRECTIVE.exec(line)?.index
  if (start === undefined) return undefined
  const directive = line.slice(start)
  const [name] = ruleNames(rule)
    .filter((candidate) => directive.includes(candidate))
    .sort((a, b) => directive.indexOf(a) - directive.indexOf(b))
  if (name === undefined) return undefined
  const at = directive.indexOf(name)
  const afterName = directive.slice(at + name.length)
  const list = /^[\w,/.-]*/.exec(afterName)?.[0] ?? ''
  const closed = /^["')\]]*/.exec(afterName.slice(list.length))?.[0] ?? ''
  const rest = afterName.slice(list.length + closed.length)
  const separator = /^\s*(\/\/|--|:|#|—|-)\s*(?=[^\s/*>-])/.exec(rest)?.[1]
  const reason = separator === undefined ? '' : `${separator === ':' ? '' : ' '}${separator} reason`
  const end = /\*\/|-->/.exec(rest)?.[0]
  // The head without other rules of the same list.
  const head = directive.slice(0, at).replace(/(?:[\w./-]+,\s*)+$/, '')
  return { head, name, tail: `${closed}${reason}${end === undefined ? '' : ` ${end}`}` }
}

/**
 * The directives of several rules in one list: `//nolint:errcheck // reason`, nolint:dupl, nolint:gosec`. The first one
 * is complete; of the others what differs.
 */
export function listSuppressions({ head, tail }: Suppression, names: readonly string[]): string {
  const [first, ...others] = names
  const prefix = /[\w-]+[:=]$/.exec(head)?.[0] ?? ''
  return [`\`${head}${first}${tail}\``, ...others.map((name) => `${prefix}${name}`)].join(', ')
}

/** The names by which a directive may name a rule: itself, its linter, and its last part. */
function ruleNames(rule: string): readonly string[] {
  const [linter = rule, check] = rule.split(' ')
  const names = check === undefined ? [rule] : [check, linter]
  const last = rule.split(/[:/]/).at(-1)
  return last !== undefined && last.length >= 4 ? [...names, last] : names
}

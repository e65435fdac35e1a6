// Comments and attributes that allow one finding: `//nolint:errcheck // reason`, `# noqa: F401`, `#[allow(…)]`.

/** The beginning of a comment or an attribute, and a word by which linters are switched off. */
const DIRECTIVE =
  /(?:\/\/|#!?\[?|\/\*|<!--|--|[@%;])\s*[\w.:@-]{0,40}?(?:no(?:lint|qa|sec)|disable|ignore|allow|expect|suppress\w*)\b/i

/**
 * The directive of a line that names the rule, with its reason replaced by the word: `//nolint:errcheck // reason`.
 * Undefined if the line has none.
 */
export function findSuppression(line: string, rule: string): string | undefined {
  const start = DIRECTIVE.exec(line)?.index
  if (start === undefined) return undefined
  const directive = line.slice(start)
  const [name] = ruleNames(rule)
    .filter((candidate) => directive.includes(candidate))
    .sort((a, b) => directive.indexOf(a) - directive.indexOf(b))
  if (name === undefined) return undefined
  // The rest of the list of rules and what closes it.
  const end = directive.indexOf(name) + name.length
  const list = /^[\w,:/.-]*["')\]]*/.exec(directive.slice(end))?.[0] ?? ''
  const head = directive.slice(0, end + list.length).replace(/[:,.-]+$/, '')
  const rest = directive.slice(head.length)
  const closing = /\*\/|-->/.exec(rest)?.[0]
  const separator = /^\s*(\/\/|--|:|#|—|-)\s*(?=[^\s/*>-])/.exec(rest)?.[1]
  const reason = separator === undefined ? '' : `${separator === ':' ? '' : ' '}${separator} reason`
  return head.length > 70 ? undefined : `${head}${reason}${closing === undefined ? '' : ` ${closing}`}`
}

/** The names by which a directive may name a rule: itself, its linter, and its last part. */
function ruleNames(rule: string): readonly string[] {
  const [linter = rule, check] = rule.split(' ')
  const names = check === undefined ? [rule] : [check, linter]
  const last = rule.split(/[:/]/).at(-1)
  return last !== undefined && last.length >= 4 ? [...names, last] : names
}

// What a failed call reported, in one line of a digest: a short error whole; of a longer one the line that names it,
// and one finding of each other kind, because a check that complains again complains about the same kinds.
import { isFinding, replaceVariables, salientLine, splitErrorLines } from '../text/errorSignature.ts'

/** An error of so many lines is shown whole. */
const WHOLE_LINES = 4
/** Other findings, at most. */
const FINDINGS_MAX = 3
const LINE_CHARS_MAX = 140
const FINDING_CHARS_MAX = 100

/** Lines are separated by `⏎`. '' for an error without text. */
export function excerptError(error: string): string {
  const lines = splitErrorLines(error)
  if (lines.length <= WHOLE_LINES) return lines.map((line) => line.slice(0, LINE_CHARS_MAX)).join(SEPARATOR)
  const salient = salientLine(error)
  const kinds = new Set([kindOf(salient)])
  const others: string[] = []
  for (const line of lines) {
    if (others.length === FINDINGS_MAX) break
    if ((!isFinding(line) && !LISTED_FINDING.test(line)) || PACKAGE.test(line)) continue
    const kind = kindOf(line)
    if (kinds.has(kind)) continue
    kinds.add(kind)
    others.push(withoutPlace(line).slice(0, FINDING_CHARS_MAX))
  }
  return [salient, ...others].join(SEPARATOR)
}

const SEPARATOR = ' ⏎ '

/** Below the name of its file: `12:3  error  'x' is never used  no-unused-vars`. */
const LISTED_FINDING = /^\d+:\d+ +error +\S/

/** Go names the package of the findings that follow as if it were one. */
const PACKAGE = /:\d+: : # /

/** The rule of a linter or the number of a compiler: `MD013`, `TS2345`; or at the end: `(nilerr)`. */
const RULES = [/\b[A-Z]{1,6}\d{2,5}\b/, /\(([\w/-]{3,40})\)$/, / {2}([@\w/-]{3,40})$/]

/** What makes two findings one kind: their rule, else what they say without names of files and numbers. */
const kindOf = (line: string): string => ruleOf(line)[0] ?? withoutPlace(replaceVariables(line))

function ruleOf(line: string): string[] {
  for (const rule of RULES) {
    const found = rule.exec(line)
    if (found) return [found[1] ?? found[0]]
  }
  return []
}

/** The rules and numbers that the findings of an error name, each once, in the order of its lines. */
export function listFindingRules(error: string): string[] {
  const rules = splitErrorLines(error).flatMap((line) =>
    isFinding(line) || LISTED_FINDING.test(line) ? ruleOf(line) : [],
  )
  return [...new Set(rules)].slice(0, RULES_MAX)
}

/** Of a check that complains about everything these are enough. */
const RULES_MAX = 12

const withoutPlace = (line: string): string => line.replace(/^(?:\S+\.\w+[:(]\S*|<[pf]>\S*|\d+:\d+)\s+/, '')

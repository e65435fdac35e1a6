// The change that satisfied a linter, as one clause: a comment that allows it, a call or keyword that was replaced,
// what was missing, a helper, or a pair of lines without the names of this code.
import { dropSharedStart, isUsefulExample, KEYWORDS, nameReplacer, namesToken } from './codePattern.ts'
import { diffLines, diffTokens, type LineChange, splitTokens } from './lineChanges.ts'
import type { LintFinding } from './lintFindings.ts'
import { findSuppression, type Suppression } from './suppression.ts'

/** One edit of a file, with what the event kept of its texts. */
export interface TextEdit {
  /** Undefined for a file that was written as a whole. */
  readonly before?: string | undefined
  readonly after: string
}

export interface RuleRemedy {
  /** From general to special: of several the first kind is the better advice. */
  readonly kind: 'replace' | 'keyword' | 'missing' | 'helper' | 'handle' | 'suppress' | 'lines'
  readonly text: string
  /** Code that leads to the finding and is not in the fixed code: `os.Chdir(`. */
  readonly fragment?: string | undefined
  /** Of the kind suppress. */
  readonly suppression?: Suppression | undefined
}

/** How these edits satisfied the rule; undefined if none of them is about the finding. */
export function findRemedy(finding: LintFinding, edits: readonly TextEdit[]): RuleRemedy | undefined {
  const byEdit = edits.map(({ before, after }) => (before === undefined ? [] : diffLines(before, after)))
  const changes = byEdit.flat()
  const about = byEdit.filter((own) => own.some((change) => isAbout(change, finding)))
  return (
    describeFirst(changes, finding, describeSuppression) ??
    describeFirst(changes, finding, describeMissing) ??
    findHelper(finding, changes) ??
    // A keyword may be replaced in several places of one edit: `if … else if … else`.
    describeFirst(about.map(joinChanges), finding, describeKeyword) ??
    describeFirst(
      changes.filter((change) => isAbout(change, finding)),
      finding,
      describeChange,
    )
  )
}

type Describe = (change: LineChange, finding: LintFinding) => RuleRemedy | undefined

const describeFirst = (changes: readonly LineChange[], finding: LintFinding, describe: Describe) =>
  changes.map((change) => describe(change, finding)).find((remedy) => remedy !== undefined)

const joinChanges = (changes: readonly LineChange[]): LineChange => ({
  removed: changes.flatMap(({ removed }) => removed),
  added: changes.flatMap(({ added }) => added),
})

/** Whether the change removed the finding's line, or a line with a name from its message. */
function isAbout({ removed }: LineChange, { source, message }: LintFinding): boolean {
  if (source !== undefined)
    return removed.some((line) => line === source || (source.length > 12 && line.includes(source)))
  return quotedNames(message).some((name) => removed.some((line) => line.includes(name)))
}

const describeChange = (change: LineChange, finding: LintFinding): RuleRemedy | undefined =>
  describeReplacedCall(change, finding) ?? describeHandling(change, finding) ?? describeLines(change, finding)

function describeSuppression(
  { added, removed, next }: LineChange,
  { rule, source }: LintFinding,
): RuleRemedy | undefined {
  for (const [at, line] of added.entries()) {
    const suppression = findSuppression(line, rule)
    if (suppression === undefined) continue
    // On the finding's line or above it; a directive for the whole file stands anywhere.
    const near = [line, ...added.slice(at + 1, at + 3), ...removed, next ?? ''].join('\n')
    if (source !== undefined && !near.includes(source)) continue
    const { head, name, tail } = suppression
    return { kind: 'suppress', text: `mark an intended case with \`${head}${name}${tail}\``, suppression }
  }
  return undefined
}

/** `missing cases in switch …: git.Added, git.Deleted`, and the new code has these names. */
function describeMissing({ removed, added }: LineChange, { message }: LintFinding): RuleRemedy | undefined {
  const [, what, names] = /\bmissing ([a-z]+)\b.*?: ([^:]+)$/i.exec(message) ?? []
  if (what === undefined || names === undefined) return undefined
  const old = removed.join('\n')
  const fresh = added.join('\n')
  const isAdded = names.split(/[\s,'"`]+/).some((name) => {
    const last = name.split('.').at(-1) ?? ''
    return last.length > 2 && fresh.includes(last) && !old.includes(last)
  })
  return isAdded ? { kind: 'missing', text: `add the missing ${what.toLowerCase()}` } : undefined
}

/** A keyword that the message names was replaced by others: `use \`switch\` instead of \`if else\``. */
function describeKeyword({ removed, added }: LineChange, { message }: LintFinding): RuleRemedy | undefined {
  const old = countKeywords(removed)
  const fresh = countKeywords(added)
  const lost = [...old].filter(([word, count]) => (fresh.get(word) ?? 0) < count).map(([word]) => word)
  const gained = [...fresh].filter(([word, count]) => (old.get(word) ?? 0) < count).map(([word]) => word)
  const names = [...new Set(message.match(/[A-Za-z]+|[=!]==?/g) ?? [])]
  const to = names.filter((word) => gained.includes(word))
  const from = names.filter((word) => old.has(word) && !to.includes(word))
  if (to.length === 0 || to.length > 2 || from.length > 2 || lost.length === 0) return undefined
  const left = (from.length > 0 ? from : lost.slice(0, 2)).join(' ')
  return { kind: 'keyword', text: `use \`${to.join(' ')}\` instead of \`${left}\`` }
}

function countKeywords(lines: readonly string[]): ReadonlyMap<string, number> {
  const counts = new Map<string, number>()
  for (const token of lines.flatMap(splitTokens)) {
    if (KEYWORDS.has(token)) counts.set(token, (counts.get(token) ?? 0) + 1)
  }
  return counts
}

const UNCHECKED =
  /not (?:checked|handled|awaited)|unhandled|unchecked|ignored|floating|must be (?:handled|used|awaited)/i

/** A result that nobody looked at is looked at now. */
function describeHandling({ removed, added }: LineChange, { message }: LintFinding): RuleRemedy | undefined {
  if (!UNCHECKED.test(message)) return undefined
  const old = countKeywords(removed)
  const isNew = (word: string, count: number) => (old.get(word) ?? 0) < count
  const gained = [...countKeywords(added)].filter(([word, count]) => isNew(word, count)).map(([word]) => word)
  if (gained.includes('await')) return { kind: 'handle', text: 'use `await`' }
  if (!gained.some((word) => /^(?:if|try|catch|except|match|raise|throw)$/.test(word))) return undefined
  return { kind: 'handle', text: /err/i.test(message) ? 'handle the error' : 'check the result' }
}

/** A function, type or macro that the message names was replaced: `use \`t.Chdir(\` instead of \`os.Chdir(\``. */
function describeReplacedCall(change: LineChange, finding: LintFinding): RuleRemedy | undefined {
  for (const { removed, added } of pairLines(change, finding)) {
    if (FUNCTION.test(removed) || likeness(removed, added) < 0.4) continue
    for (const tokens of diffTokens(removed, added)) {
      const [old, fresh] = [tokens.removed[0], tokens.added[0]]
      if (tokens.removed.length !== 1 || old === undefined || fresh === undefined) continue
      if (!/^[A-Za-z_$][\w$.:>-]{2,}$/.test(old) || !/^[A-Za-z_$][\w$.:>-]*[!?]?$/.test(fresh)) continue
      if (KEYWORDS.has(old) || KEYWORDS.has(fresh) || !namesToken(finding.message, old)) continue
      if (fresh.length === 1) continue
      const suffix = removed.includes(`${old}(`) && added.includes(`${fresh}(`) ? '(' : ''
      const isCode = suffix === '(' && /[.:]/.test(old) && !change.added.some((line) => line.includes(`${old}(`))
      // A lone name that is not called is a variable of this code.
      if (suffix === '' && !/[.:]/.test(old + fresh)) return { kind: 'replace', text: `rename \`${old}\`` }
      return {
        kind: 'replace',
        text: `use \`${fresh}${suffix}\` instead of \`${old}${suffix}\``,
        fragment: isCode ? `${old}(` : undefined,
      }
    }
  }
  return undefined
}

const isCode = (line: string): boolean => !/^(?:\/\/|#|\/?\*|--|<!--)/.test(line)

/** Each line of the finding with the added line that is most like it. */
function pairLines({ removed, added }: LineChange, { source }: LintFinding): { removed: string; added: string }[] {
  const olds = source !== undefined && removed.includes(source) ? [source] : removed
  return olds.flatMap((old) => {
    const best = [...added].sort((a, b) => likeness(old, b) - likeness(old, a))[0]
    return best === undefined ? [] : [{ removed: old, added: best }]
  })
}

function likeness(left: string, right: string): number {
  const tokens = new Set(splitTokens(left))
  const others = splitTokens(right)
  const shared = others.filter((token) => tokens.has(token)).length
  return shared / Math.max(1, tokens.size + others.length - shared)
}

const LINE_CHARS_MAX = 56

/** `write \`x = append(x, …)\` instead of \`x = append(y, …)\``: the code without the names of this project. */
function describeLines(change: LineChange, finding: LintFinding): RuleRemedy | undefined {
  const [pair] = pairLines(change, finding)
  if (pair === undefined) return undefined
  const rename = nameReplacer(finding.message)
  const old = rename(pair.removed)
  // One line that became several is shown whole: a pair of them would leave out what matters.
  const olds = change.removed.filter(isCode)
  const lines = change.added.filter(isCode)
  const isSplit = olds.length === 1 && lines.length > 1
  if (!isSplit && likeness(pair.removed, pair.added) < 0.2) return undefined
  const [removed, added] = isSplit
    ? [old, lines.map(rename).join('; ').replaceAll(';;', ';')]
    : dropSharedStart(old, rename(pair.added))
  // What differs inside a text is not shown.
  if (isSplit && lines.some((line) => /[({[,:]$/.test(line) || rename(line) === old)) return undefined
  const charsMax = isSplit ? 1.5 * LINE_CHARS_MAX : LINE_CHARS_MAX
  if (added.length > charsMax || removed.length > LINE_CHARS_MAX || !isUsefulExample(removed, added)) return undefined
  return { kind: 'lines', text: `write \`${added}\` instead of \`${removed}\`` }
}

const TOO_LARGE = /complex|too (?:long|many|large|big)|length|lines of code|statements|maintainab|nest(?:ed|ing)/i
const DUPLICATE = /duplicat|similar (?:code|lines|blocks)|clone/i
const FUNCTION = new RegExp(
  [
    '^(?:export |pub |public |private |protected |static |async |default )*(?:func|function|def|fn|fun|sub)\\b',
    '^(?:const|let) \\w+ = (?:async )?(?:\\([^)]*\\)|\\w+) =>',
  ].join('|'),
)

/** Code that was too long or repeated: the edits added functions. */
function findHelper({ message }: LintFinding, changes: readonly LineChange[]): RuleRemedy | undefined {
  const isTooLarge = TOO_LARGE.test(message)
  if (!isTooLarge && !DUPLICATE.test(message)) return undefined
  const count = (lines: readonly string[]) => lines.filter((line) => FUNCTION.test(line)).length
  const added = changes.reduce((sum, change) => sum + count(change.added) - count(change.removed), 0)
  if (added <= 0) return undefined
  return { kind: 'helper', text: isTooLarge ? 'split long functions into helpers' : 'extract a shared helper' }
}

/** Names in quotes or backticks, without parentheses. */
const quotedNames = (message: string): readonly string[] =>
  [...message.matchAll(/[`'"‘“]([^`'"’”\s]{3,60})[`'"’”]/g)].flatMap(([, name]) => name?.replace(/\(\)$/, '') ?? [])

// What an edit changed: runs of removed lines with the lines that replaced them, and the tokens in which two lines
// differ.

export interface LineChange {
  /** Without indentation. */
  readonly removed: readonly string[]
  readonly added: readonly string[]
  /** The unchanged line or token that follows. */
  readonly next?: string | undefined
}

/** Longer texts are compared without their ends; an event keeps 2,000 characters of an edit. */
const LINES_MAX = 200

/** The changes from one text to another, in order; a line that only moved sideways is unchanged. */
export const diffLines = (before: string, after: string): LineChange[] =>
  toChanges(editScript(toLines(before), toLines(after)))

/** The runs of tokens in which two lines differ. */
export const diffTokens = (before: string, after: string): LineChange[] =>
  toChanges(editScript(splitTokens(before), splitTokens(after)))

const toLines = (text: string): readonly string[] =>
  text
    .split(/\r?\n/)
    .map((line) => line.trim())
    .filter((line) => line !== '')
    .slice(0, LINES_MAX)

type Step = readonly ['same' | 'removed' | 'added', string]

function toChanges(steps: readonly Step[]): LineChange[] {
  const changes: LineChange[] = []
  let removed: string[] = []
  let added: string[] = []
  const close = (next?: string) => {
    if (removed.length + added.length > 0) changes.push({ removed, added, next })
    removed = []
    added = []
  }
  for (const [kind, text] of steps) {
    if (kind === 'same') close(text)
    else (kind === 'removed' ? removed : added).push(text)
  }
  close()
  return changes
}

/** The shortest way from one list to the other, by the longest common subsequence. */
function editScript(old: readonly string[], fresh: readonly string[]): readonly Step[] {
  const width = fresh.length + 1
  const lengths = new Uint16Array((old.length + 1) * width)
  const lengthAt = (i: number, j: number): number => lengths[i * width + j] ?? 0
  for (let i = old.length - 1; i >= 0; i--) {
    for (let j = fresh.length - 1; j >= 0; j--) {
      lengths[i * width + j] =
        old[i] === fresh[j] ? lengthAt(i + 1, j + 1) + 1 : Math.max(lengthAt(i + 1, j), lengthAt(i, j + 1))
    }
  }
  const steps: Step[] = []
  let i = 0
  let j = 0
  while (i < old.length || j < fresh.length) {
    const [left, right] = [old[i], fresh[j]]
    if (left !== undefined && left === right) {
      steps.push(['same', left])
      i++
      j++
    } else if (left !== undefined && (right === undefined || lengthAt(i + 1, j) >= lengthAt(i, j + 1))) {
      steps.push(['removed', left])
      i++
    } else if (right !== undefined) {
      steps.push(['added', right])
      j++
    }
  }
  return steps
}

const NAME = '[A-Za-z_$][\\w$]*(?:(?:\\.|::|->)[A-Za-z_$][\\w$]*)*(?:[!?](?=\\())?'
const TEXT = '"(?:\\\\.|[^"\\\\])*"|\'(?:\\\\.|[^\'\\\\])*\'|`[^`]*`'
const TOKEN = new RegExp(`${NAME}|\\d[\\w.]*|${TEXT}|[=!<>:&|+*-]+=?|\\S`, 'g')

/** The tokens of a line of code: dotted names as one, texts as one, every other character alone. */
export const splitTokens = (line: string): readonly string[] => line.match(TOKEN) ?? []

/** The same tokens with their places in the line. */
export const matchTokens = (line: string): readonly { text: string; start: number; end: number }[] =>
  [...line.matchAll(TOKEN)].map(({ 0: text, index }) => ({ text, start: index, end: index + text.length }))

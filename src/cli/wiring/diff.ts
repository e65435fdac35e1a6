// What would change in a text, as a unified diff: for --dry-run, and readable by `patch`.

/** Lines around a change. */
const CONTEXT_LINES = 3

/** Above this many pairs of lines to compare, the middle is shown as replaced whole: settings have some hundred lines. */
const PAIRS_MAX = 4_000_000

/** A unified diff from `before` to `after`, empty where they are the same. `file` stands in its head. */
export function diffOf(before: string, after: string, file = 'settings.json'): string {
  if (before === after) return ''
  const steps = stepsOf(linesOf(before), linesOf(after))
  const hunks = hunksOf(steps).map(({ from, to }) => hunkText(steps, from, to))
  return [`--- ${before === '' ? '/dev/null' : `a/${file}`}`, `+++ b/${file}`, ...hunks].join('\n').concat('\n')
}

interface Step {
  readonly sign: ' ' | '-' | '+'
  readonly line: string
}

// Each line keeps its newline, so that a last line without one differs from the same line with it.
const linesOf = (text: string): string[] => text.match(/[^\n]*\n|[^\n]+$/g) ?? []

function stepsOf(before: readonly string[], after: readonly string[]): Step[] {
  let start = 0
  while (start < before.length && start < after.length && before[start] === after[start]) start++
  let end = 0
  const shorter = Math.min(before.length, after.length) - start
  while (end < shorter && before[before.length - 1 - end] === after[after.length - 1 - end]) end++
  const same = (line: string): Step => ({ sign: ' ', line })
  return [
    ...before.slice(0, start).map(same),
    ...middleSteps(before.slice(start, before.length - end), after.slice(start, after.length - end)),
    ...before.slice(before.length - end).map(same),
  ]
}

function middleSteps(before: readonly string[], after: readonly string[]): Step[] {
  const steps: Step[] = []
  let [i, j] = [0, 0]
  if (before.length * after.length <= PAIRS_MAX) {
    const common = commonLengths(before, after)
    const width = after.length + 1
    while (i < before.length && j < after.length) {
      if (before[i] === after[j]) {
        steps.push({ sign: ' ', line: before[i++]! })
        j++
      } else if (common[(i + 1) * width + j]! >= common[i * width + j + 1]!)
        steps.push({ sign: '-', line: before[i++]! })
      else steps.push({ sign: '+', line: after[j++]! })
    }
  }
  while (i < before.length) steps.push({ sign: '-', line: before[i++]! })
  while (j < after.length) steps.push({ sign: '+', line: after[j++]! })
  return steps
}

/** At [i, j]: how many lines the rests from i and from j have in common, in order. */
function commonLengths(before: readonly string[], after: readonly string[]): Uint32Array {
  const width = after.length + 1
  const common = new Uint32Array((before.length + 1) * width)
  for (let i = before.length - 1; i >= 0; i--) {
    for (let j = after.length - 1; j >= 0; j--) {
      const at = i * width + j
      common[at] = before[i] === after[j] ? common[at + width + 1]! + 1 : Math.max(common[at + width]!, common[at + 1]!)
    }
  }
  return common
}

function hunksOf(steps: readonly Step[]): { from: number; to: number }[] {
  const hunks: { from: number; to: number }[] = []
  for (const [i, step] of steps.entries()) {
    if (step.sign === ' ') continue
    const [from, to] = [Math.max(0, i - CONTEXT_LINES), Math.min(steps.length, i + 1 + CONTEXT_LINES)]
    const last = hunks.at(-1)
    if (last && from <= last.to) last.to = to
    else hunks.push({ from, to })
  }
  return hunks
}

function hunkText(steps: readonly Step[], from: number, to: number): string {
  const count = (sign: '-' | '+', upTo: readonly Step[]): number =>
    upTo.filter((step) => step.sign === ' ' || step.sign === sign).length
  const range = (sign: '-' | '+'): string => {
    const length = count(sign, steps.slice(from, to))
    // A range of no lines names the line before it, which is how `patch` reads a new file.
    return `${count(sign, steps.slice(0, from)) + (length > 0 ? 1 : 0)},${length}`
  }
  const body = steps.slice(from, to).map(({ sign, line }) => {
    return line.endsWith('\n') ? sign + line.slice(0, -1) : `${sign}${line}\n\\ No newline at end of file`
  })
  return [`@@ -${range('-')} +${range('+')} @@`, ...body].join('\n')
}

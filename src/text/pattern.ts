// Regular expressions that are longer than a line.

/** The expression of these lines: a line's end and its indentation do not count, spaces inside it do. */
export const pattern = (lines: string, flags = ''): RegExp => new RegExp(lines.replace(/\n\s*/g, ''), flags)

/** Texts of which the results are kept: more than a large store has entries of knowledge. */
const KEPT_MAX = 20_000

/** The same function, which keeps its results: organizing compares the same lines again with every session. */
export function keepByText<T>(analyze: (text: string) => T): (text: string) => T {
  const kept = new Map<string, T>()
  return (text) => {
    const known = kept.get(text)
    if (known !== undefined) return known
    if (kept.size >= KEPT_MAX) kept.clear()
    const result = analyze(text)
    kept.set(text, result)
    return result
  }
}

/**
 * A pattern, ignoring case, that matches any of the phrases at the beginning of a text. A line may hold several,
 * divided by `|`, in the syntax of patterns; spaces at a line's ends do not count.
 */
export const phrasePattern = (phrases: string): RegExp =>
  new RegExp(`^(?:${phrases.trim().replace(/\s*\n\s*/g, '|')})`, 'iu')

// Regular expressions that are longer than a line.
//
// Their lines are joined without an expression. One that has run when the modules load and runs again once a hook has
// switched compiled expressions off (runHook.ts) ends Node 20 by a segmentation fault.

/** The expression of these lines: a line's end and its indentation do not count, spaces inside it do. */
export const pattern = (lines: string, flags = ''): RegExp => {
  const [first = '', ...others] = lines.split('\n')
  return new RegExp(first + others.map((line) => line.trimStart()).join(''), flags)
}

/** Texts of which the results are kept: more than a large store has entries of knowledge. */
const KEPT_MAX = 20_000

/** The same function, which keeps its results: organizing compares the same lines again with every session. */
export function keepByText<T>(analyze: (text: string) => T, textsMax = KEPT_MAX): (text: string) => T {
  const kept = new Map<string, T>()
  return (text) => {
    const known = kept.get(text)
    if (known !== undefined) return known
    if (kept.size >= textsMax) kept.clear()
    const result = analyze(text)
    kept.set(text, result)
    return result
  }
}

/** The same for objects that never change: each result is kept as long as its object. */
export function keepByObject<Key extends object, T>(analyze: (object: Key) => T): (object: Key) => T {
  const kept = new WeakMap<Key, T>()
  return (object) => {
    const known = kept.get(object)
    if (known !== undefined) return known
    const result = analyze(object)
    kept.set(object, result)
    return result
  }
}

/**
 * A pattern, ignoring case, that matches any of the phrases at the beginning of a text. A line may hold several,
 * divided by `|`, in the syntax of patterns; spaces at a line's ends do not count.
 */
export const phrasePattern = (phrases: string): RegExp => {
  const lines = phrases.split('\n').map((line) => line.trim())
  return new RegExp(`^(?:${lines.filter((line) => line !== '').join('|')})`, 'iu')
}

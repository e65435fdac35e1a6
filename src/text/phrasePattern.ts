// Long patterns of phrases, written one line of alternatives under the other.

/**
 * A pattern, ignoring case, that matches any of the phrases at the beginning of a text. A line may hold several,
 * divided by `|`, in the syntax of patterns; spaces at a line's ends do not count.
 */
export const phrasePattern = (phrases: string): RegExp =>
  new RegExp(`^(?:${phrases.trim().replace(/\s*\n\s*/g, '|')})`, 'iu')

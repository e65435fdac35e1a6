// Estimates the length of a text in tokens, and truncates a text to a number of tokens.

/** A regular expression: a loop over the characters of its notes takes a hook a millisecond. */
const WIDE = /[\u2e80-\uffff]/

/** The approximate length in tokens: 4 characters of Latin script or 1 of Japanese or Chinese are one token. */
export function estimateTokens(text: string): number {
  if (!WIDE.test(text)) return Math.ceil(text.length / 4)
  let wide = 0
  for (let i = 0; i < text.length; i++) if (text.charCodeAt(i) >= 0x2e80) wide++
  return wide + Math.ceil((text.length - wide) / 4)
}

/** The text; if longer than `tokensMax`, cut there and ended by an ellipsis. */
export function truncateToTokens(text: string, tokensMax: number): string {
  if (estimateTokens(text) <= tokensMax) return text
  let quarters = 4 * tokensMax - 1
  let end = 0
  while (end < text.length) {
    quarters -= text.charCodeAt(end) >= 0x2e80 ? 4 : 1
    if (quarters < 0) break
    end++
  }
  return `${text.slice(0, end).replace(/[\ud800-\udbff]$/, '')}…`
}

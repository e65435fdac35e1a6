// What a server says is untrusted: it reaches a terminal without control characters, on one line and not too long.

const CHARS_MAX = 300

/** The text for a message; anything else that the server sent in its place becomes text. */
export function plainServerText(value: unknown): string {
  const plain = String(value ?? '').replace(UNPRINTABLE, ' ')
  return plain.length > CHARS_MAX ? `${plain.slice(0, CHARS_MAX)}…` : plain
}

/** Control characters, line separators, and marks that change the direction of a text. */
export const UNPRINTABLE = /[\p{Cc}\p{Zl}\p{Zp}\u202a-\u202e\u2066-\u2069]+/gu

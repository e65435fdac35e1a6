// Reads the id from a project.yaml without a YAML parser, for which a hook has no time.

/** A longer project.yaml is ignored, in UTF-16 code units. */
const CLAIM_LENGTH_MAX = 65_536

/** The value of `id:` in the text, plain or quoted; undefined if there is none or it is empty. */
export function projectIdFromYaml(text: string): string | undefined {
  if (text.length > CLAIM_LENGTH_MAX) return undefined
  const plain = parsePlainId(text)
  if (plain !== undefined) return plain
  const match = /^\ufeff?id:[ \t]+(?:"([^"\r\n]+)"|'([^'\r\n]+)'|([^\s#"'][^\r\n]*?))[ \t]*(?:[ \t]#.*)?\r?$/m.exec(
    text,
  )
  return match?.slice(1).find(Boolean)?.trim() || undefined
}

/** The usual form: unquoted, on the first line. Read without a regular expression, which takes 0.15 ms to compile. */
function parsePlainId(text: string): string | undefined {
  const end = text.indexOf('\n')
  if (!text.startsWith('id: ') || end === -1) return undefined
  for (let i = 4; i < end; i++) if (!isPlainCharCode(text.charCodeAt(i))) return undefined
  return end > 4 ? text.slice(4, end) : undefined
}

/** Letters, digits, `-` and `_`. */
export const isPlainCharCode = (unit: number): boolean =>
  (unit >= 97 && unit <= 122) || (unit >= 48 && unit <= 57) || (unit >= 65 && unit <= 90) || unit === 45 || unit === 95

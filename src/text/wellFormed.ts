// Half surrogate pairs: a text that has one is refused by APIs, so U+FFFD takes its place where text comes in.

/** The output of JSON.stringify with U+FFFD for half pairs, which it writes as `\ud83d`. */
export const wellFormedJson = (json: string): string =>
  json.includes('\\ud')
    ? json.replace(/(\\\\)|\\ud[89a-f][0-9a-f]{2}/g, (_, slashes?: string) => slashes ?? '\ufffd')
    : json

/** The value with U+FFFD for half pairs in all its texts and names; the same value if there are none. */
export function toWellFormed<Value>(value: Value): Value {
  const json = JSON.stringify(value)
  const fixed = wellFormedJson(json)
  return fixed === json ? value : (JSON.parse(fixed) as Value)
}

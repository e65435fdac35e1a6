// Runs of base64 and hexadecimal digits, decoded from each of their possible beginnings.

/** From `start` up to `end`, in UTF-16 units of the searched text. */
export interface CopySpan {
  readonly start: number
  readonly end: number
}

/** Base64 of any alphabet, also in lines. Sixteen digits are twelve bytes. */
const BASE64 = /[A-Za-z0-9+/_-]{16,}(?:(?:\\+r|\r)?(?:\\+n|\n)[A-Za-z0-9+/_-]{4,})*={0,2}/g
const HEX = /[0-9a-f]{24,}/gi

/** The whole runs whose decoded text satisfies `matches`. */
export function findEncodedRuns(text: string, matches: (decoded: string) => boolean): CopySpan[] {
  const spans: CopySpan[] = []
  for (const { 0: run, index } of text.matchAll(BASE64)) {
    const digits = run.replace(/\\+[rn]|\s+/g, '')
    const isCopy = [0, 1, 2, 3].some((from) => readings(Buffer.from(digits.slice(from), 'base64')).some(matches))
    if (isCopy) spans.push({ start: index, end: index + run.length })
  }
  for (const { 0: run, index } of text.matchAll(HEX)) {
    const isCopy = [0, 1].some((from) => readings(Buffer.from(run.slice(from), 'hex')).some(matches))
    if (isCopy) spans.push({ start: index, end: index + run.length })
  }
  return spans
}

/** What bytes may say: UTF-8, or UTF-16 with a zero in every other byte of Latin text. Random bytes say nothing. */
function readings(bytes: Buffer): string[] {
  const texts = [bytes.toString('utf8')]
  if (bytes.includes(0)) texts.push(bytes.toString('utf16le'), bytes.subarray(1).toString('utf16le'))
  return texts.filter((decoded) => (decoded.match(/\ufffd/g)?.length ?? 0) * 4 < decoded.length)
}

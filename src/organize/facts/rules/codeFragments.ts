// Short pieces of code that lead to a finding: an edit that introduces one is recognized before the linter runs.
// `os.Chdir(`, `, _ :=`. Rare pieces only: the linter must have rejected a good share of the lines that have one.
import { KEYWORDS } from './codePattern.ts'
import { matchTokens } from './lineChanges.ts'

/** Tokens of a piece. */
const TOKENS_MAX = 6
const CHARS_MIN = 4
const FRAGMENTS_MAX = 3

/** The least share of the new lines with the piece that the linter rejected: without names, and of a call. */
const SHARE_MIN = { pattern: 0.25, call: 0.5 }

/** Pieces that two rejected lines share at least, best first; `newLines` are all that the session's edits added. */
export function findFragments(rejected: readonly string[], newLines: readonly string[]): readonly string[] {
  const sources = [...new Set(rejected)]
  const counts = new Map<string, number>()
  for (const source of rejected) {
    for (const piece of listPieces(source)) counts.set(piece, (counts.get(piece) ?? 0) + 1)
  }
  const shared = [...counts].filter(([, count]) => count >= 2).map(([piece]) => piece)
  const rated = shared.flatMap((piece) => {
    const hits = sources.filter((source) => source.includes(piece)).length
    const lines = newLines.filter((line) => line.includes(piece)).length
    const share = hits / Math.max(hits, lines)
    return share >= (isCall(piece) ? SHARE_MIN.call : SHARE_MIN.pattern) ? [{ piece, hits, share }] : []
  })
  rated.sort((a, b) => b.hits - a.hits || b.share - a.share || b.piece.length - a.piece.length)
  const chosen: string[] = []
  for (const { piece } of rated) {
    if (!chosen.some((other) => other.includes(piece) || piece.includes(other))) chosen.push(piece)
  }
  return chosen.slice(0, FRAGMENTS_MAX)
}

const isCall = (piece: string): boolean => piece.endsWith('(')

/** The qualified calls of a line, and its runs of tokens without names: `exec.Command(`, `, _ := `. */
function listPieces(line: string): ReadonlySet<string> {
  const tokens = matchTokens(line)
  const pieces = new Set<string>()
  for (const [from, token] of tokens.entries()) {
    if (/^\w+(?:\.|::)\w/.test(token.text) && line[token.end] === '(') pieces.add(`${token.text}(`)
    for (const last of tokens.slice(from, from + TOKENS_MAX)) {
      if (!isGeneral(last.text)) break
      const piece = line.slice(token.start, last.end)
      if (piece.length >= CHARS_MIN && isCharacteristic(piece)) pieces.add(piece)
    }
  }
  return pieces
}

/** Whether code of any project may have this token. */
const isGeneral = (token: string): boolean =>
  KEYWORDS.has(token) || /^(?:_|nil|null|none|None|err|\W{1,3})$/.test(token)

/** An assignment to nothing, a returned error or a chain of keywords; not the punctuation between names. */
function isCharacteristic(piece: string): boolean {
  const words: readonly string[] = piece.match(/\w+/g) ?? []
  const keywords = words.filter((word) => KEYWORDS.has(word)).length
  return words.includes('_') || keywords >= 2 || (keywords === 1 && words.length >= 3)
}

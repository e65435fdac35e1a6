// Which entries of a model count: those that cite items of the digest. What a person wants also needs a quote in the
// words of the person. All others are dropped, with the reason.
import { extractTerms } from '../text/terms/extractTerms.ts'
import { type DigestItemKind, ownWords } from './digestItem.ts'
import { FINDINGS_MAX, type ModelAnswer, type ProposedEntry, STATEMENTS_MAX } from './modelAnswer.ts'
import type { NumberedItem, SessionDigest } from './sessionDigest.ts'

/** An entry with the items that it cites, at least one. Its quote, if there is one, is in the first of them. */
export type SupportedEntry = ProposedEntry & { readonly items: readonly NumberedItem[] }

export interface CheckedAnswer extends Omit<ModelAnswer, 'entries'> {
  readonly entries: readonly SupportedEntry[]
}

export function checkAnswer(answer: ModelAnswer, digest: SessionDigest): CheckedAnswer {
  const dropped = [...answer.dropped]
  const entries = new Map<string, SupportedEntry>()
  const counts = { said: 0, found: 0 }
  const findingsMax = FINDINGS_MAX + (digest.metAgain?.length ?? 0)
  for (const entry of answer.entries) {
    const supported = supportEntry(entry, digest)
    const said = typeof supported !== 'string' && supported.quote !== undefined
    const reason =
      typeof supported === 'string'
        ? supported
        : (said ? counts.said >= STATEMENTS_MAX : counts.found >= findingsMax)
          ? 'too many'
          : undefined
    if (reason !== undefined) dropped.push({ what: entry.line, reason })
    else if (typeof supported !== 'string' && !entries.has(normalizeText(entry.line))) {
      entries.set(normalizeText(entry.line), supported)
      counts[said ? 'said' : 'found']++
    }
  }
  return { ...answer, entries: [...entries.values()], dropped }
}

/** The entry with its items and without a quote that is nobody's; or why it does not count. */
function supportEntry(entry: ProposedEntry, { items }: SessionDigest): SupportedEntry | string {
  const byNumber = new Map(items.map((item) => [item.number, item]))
  const cited = [...new Set(entry.cites)].flatMap((number) => byNumber.get(number) ?? [])
  const { quote, ...unquoted } = entry
  const source = quote === undefined ? undefined : findSource(quote, entry.line, cited, items)
  if (source) {
    const ordered = [source, ...cited.filter((item) => item !== source)]
    // A plan is the assistant's text: the person has approved it, and did not say it.
    return source.kind === 'plan' ? { ...unquoted, items: ordered } : { ...entry, items: ordered }
  }
  const isFound = entry.type === 'fact' || entry.type === 'lesson'
  if (!isFound) return quote === undefined ? 'no quote' : 'quote not found'
  if (cited.length === 0) return 'cites no item'
  return items.some((item) => isCopied(entry.line, item)) ? 'copies outside text' : { ...unquoted, items: cited }
}

/** Whether the line stands in what a tool printed, or in what a person pasted: it may be an order of somebody else. */
function isCopied(line: string, item: NumberedItem): boolean {
  const text = normalizeText(line)
  if (!OUTSIDE_KINDS.has(item.kind) || quoteLength(line) < LONG_QUOTE_CHARS_MIN) return false
  return normalizeText(item.text).includes(text) && !normalizeText(ownWords(item)).includes(text)
}

/** Items with texts of others. */
const OUTSIDE_KINDS = new Set<DigestItemKind>(['person', 'rejection', 'reply', 'client', 'failed', 'passed', 'ran'])

/** The item that has the quote. A wrong number is corrected by a long quote. */
function findSource(
  quote: string,
  line: string,
  cited: readonly NumberedItem[],
  items: readonly NumberedItem[],
): NumberedItem | undefined {
  if (!saysSomething(quote, line)) return undefined
  const isLong = quoteLength(quote) >= LONG_QUOTE_CHARS_MIN
  return findQuote(quote, cited) ?? (isLong ? findQuote(quote, items) : undefined)
}

/** Letters and digits of a quote, at least. One below the second number must have a word of the line. */
const QUOTE_CHARS_MIN = 5
const LONG_QUOTE_CHARS_MIN = 12

/** In a script without spaces a character is about half a word. */
const WIDE_CHARS = /[\u2e80-\uffff]/g

const quoteLength = (quote: string): number => {
  const text = normalizeText(quote)
  return text.length + 2 * (text.match(WIDE_CHARS)?.length ?? 0)
}

/** Whether a quote is long enough; a short one must be about what the line says. */
function saysSomething(quote: string, line: string): boolean {
  const length = quoteLength(quote)
  if (length >= LONG_QUOTE_CHARS_MIN || length < QUOTE_CHARS_MIN) return length >= LONG_QUOTE_CHARS_MIN
  const terms = new Set(extractTerms(line))
  return extractTerms(quote).some((term) => terms.has(term))
}

/** The first item in which the person typed the quote, or a plan that has it; parts around an ellipsis count singly. */
function findQuote(quote: string, items: readonly NumberedItem[]): NumberedItem | undefined {
  const parts = quote.split(/\s*(?:\.\.\.|…)\s*/).flatMap((part) => normalizeText(part) || [])
  return items.find((item) => {
    const text = normalizeText(item.kind === 'plan' ? item.text : ownWords(item))
    return parts.every((part) => text.includes(part))
  })
}

/** Letters and digits in lower case: models change spaces, quotation marks and Markdown when they copy. */
export const normalizeText = (text: string): string =>
  text
    .normalize('NFKC')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, '')

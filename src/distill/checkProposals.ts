// Which proposals of a model count: those that cite items of the digest, and of statements those whose quote is in the
// words of the person. All others are dropped, with the reason.
import { isPersonItem } from './digestItems.ts'
import type { ModelAnswer, ProposedDecision, ProposedLearning, ProposedStatement, ProposedTask } from './modelAnswer.ts'
import type { NumberedItem, SessionDigest } from './sessionDigest.ts'

/** A proposal with the items that it cites, in order. At least one. */
export interface SupportedProposal<Proposal> {
  readonly proposal: Proposal
  readonly items: readonly NumberedItem[]
}

export interface DroppedProposal {
  /** Its text. */
  readonly what: string
  readonly reason: 'cites no item' | 'quote not found'
}

export interface CheckedAnswer {
  readonly summary: string
  readonly statements: readonly SupportedProposal<ProposedStatement>[]
  readonly decided: readonly SupportedProposal<ProposedDecision>[]
  readonly learned: readonly SupportedProposal<ProposedLearning>[]
  readonly leftOpen: readonly SupportedProposal<ProposedTask>[]
  readonly dropped: readonly DroppedProposal[]
}

/** Checks an answer against the digest that the model has read. */
export function checkProposals(answer: ModelAnswer, digest: SessionDigest): CheckedAnswer {
  const dropped: DroppedProposal[] = []
  const byNumber = new Map(digest.items.map((item) => [item.number, item]))
  const itemsOf = (cites: readonly number[]) => [...new Set(cites)].flatMap((number) => byNumber.get(number) ?? [])
  const support = <Proposal extends ProposedTask>(proposals: readonly Proposal[]) =>
    proposals.flatMap((proposal) => {
      const items = itemsOf(proposal.cites)
      if (items.length > 0) return [{ proposal, items }]
      dropped.push({ what: proposal.text, reason: 'cites no item' })
      return []
    })
  const seen = new Set<string>()
  const statements = answer.statements.flatMap((proposal) => {
    const cited = itemsOf(proposal.cites)
    // A wrong number is corrected by the quote: the item that has it supports the statement.
    const source = findQuote(proposal.quote, cited) ?? findLongQuote(proposal.quote, digest.items)
    const reason = cited.length === 0 ? 'cites no item' : 'quote not found'
    const key = normalizeQuote(proposal.statement)
    if (cited.length > 0 && source && !seen.has(key)) {
      seen.add(key)
      return [{ proposal, items: [source, ...cited.filter((item) => item !== source)] }]
    }
    if (!seen.has(key)) dropped.push({ what: proposal.statement, reason })
    return []
  })
  return {
    summary: answer.summary,
    statements,
    decided: support(answer.decided),
    learned: support(answer.learned),
    leftOpen: support(answer.leftOpen),
    dropped,
  }
}

/** Letters and digits of a quote, at least. One below the second number is looked for in the cited items only. */
const QUOTE_CHARS_MIN = 3
const LONG_QUOTE_CHARS_MIN = 12

function findLongQuote(quote: string, items: readonly NumberedItem[]): NumberedItem | undefined {
  return normalizeQuote(quote).length < LONG_QUOTE_CHARS_MIN ? undefined : findQuote(quote, items)
}

/** The first item in the words of the person that contains the quote; parts around an ellipsis count one by one. */
function findQuote(quote: string, items: readonly NumberedItem[]): NumberedItem | undefined {
  const parts = quote.split(/\s*(?:\.\.\.|…)\s*/).flatMap((part) => normalizeQuote(part) || [])
  if (parts.join('').length < QUOTE_CHARS_MIN) return undefined
  return items.find((item) => {
    if (!isPersonItem(item)) return false
    const text = normalizeQuote(item.text)
    return parts.every((part) => text.includes(part))
  })
}

/** Letters and digits in lower case: models change spaces, quotation marks and Markdown when they copy. */
const normalizeQuote = (text: string): string =>
  text
    .normalize('NFKC')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, '')

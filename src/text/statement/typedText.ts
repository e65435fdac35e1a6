// What a person typed in a prompt: its sentences, without code, quotes, logs, tables and other pasted text.

import { isClientPrompt } from '../clientPrompt.ts'
import { removePasted } from '../pastedText.ts'
import { pattern } from '../pattern.ts'

export interface TypedSentence {
  /** The clause: a sentence, or its part before or after a request. */
  readonly text: string
  /** The sentence that it is part of. */
  readonly sentence: string
  /** The number or letter of the list item that it begins or belongs to: `2` of "2. yes, but …". */
  readonly marker?: string | undefined
  /** Lines of the prompt before it. */
  readonly line: number
  /** How much its paragraph looks like a document, 0 to 1. */
  readonly formal: number
}

/** A plan that the client hands over as the prompt of a new context. */
export const PLAN_PROMPT = /^\s*Implement the following plan\b:?/

/** Lines of quotes, logs, tables, code, diffs and terminal output. */
const PASTED_LINE = pattern(
  String.raw`^\s*(?:[>$|<{}[\]+#✓✗⨯❯•⎿●│├└─═→]|at |\d+\s*[|:]|\/\/|\/?\*|-{2,}|@@|\d{4}[-/]\d\d|
    \w+[:(]\d+|(?:import|export|const|let|func|def|class|return|var|type|package) |\w+(?:Error|
    Exception):|(?:error|warning|fatal|fail|ok|---|===|pass)\b[:\s]|\S+\.\w{1,5}:\d+)|[{};]\s*$|\t\S+\t|
    ^\s{8,}\S`,
  'i',
)
/** The level of a log's line, in capitals: `WARN: …`; and a line that quotes what it is about. */
const PASTED_START = /^\s*(?:[A-Z]{3,}|[Rr]e|[Rr]egarding|[Cc]oncerning|[Qq]uote|[Ss]ubject):/

const isPasted = (line: string): boolean => PASTED_LINE.test(line) || PASTED_START.test(line)

/** A line that announces what the person pastes after it. */
const ANNOUNCES = pattern(
  String.raw`\b(?:feedback|review|comments?|errors?|following|output|log|logs|says?|said|wrote|message|traceback|
    got|get|see|this|result|issue|suggestion|finding|report(?:ed|s)?|below|warning|failure|todo|
    description)\b[^.?!]*:\s*$|(?:エラー|ログ|以下|次の|指摘|レビュー|コメント|出力|メッセージ).*[:：]?\s*$`,
  'i',
)

const SENTENCE_CHARS_MAX = 600
const END_CHARS = 5_000

/** The sentences in order. Empty for a prompt that a person did not type. */
export function splitTypedSentences(prompt: string): readonly TypedSentence[] {
  if (isClientPrompt(prompt) || /^\s*\[Image/.test(prompt)) return []
  const ends = prompt.length > 2 * END_CHARS ? `${prompt.slice(0, END_CHARS)}\n\n${prompt.slice(-END_CHARS)}` : prompt
  const lines = removePasted(ends).split('\n')
  const sentences: TypedSentence[] = []
  let pasting = false
  let marker: string | undefined
  lines.forEach((line, at) => {
    if (line.trim() === '') {
      marker = undefined
      return
    }
    if (pasting && isReaction(line, lines.slice(at + 1))) pasting = false
    if (pasting || isPasted(line)) return
    const [, item, rest = line] = /^\s*(?:(\d{1,2}|[a-zA-Z])[.):]+|[-*•])\s+(.*)$/.exec(line) ?? []
    marker = item ?? marker
    const isTitle = /^\s*(?:\*\*|__)[^*]+(?:\*\*|__):?\s*$/.test(line)
    if (!isTitle) {
      const formal = formality(rest)
      for (const part of splitLine(rest)) sentences.push({ ...part, marker, line: at, formal })
    }
    if (ANNOUNCES.test(line) && at < lines.length - 1) pasting = true
  })
  return sentences.filter(({ sentence }) => sentence.length <= SENTENCE_CHARS_MAX)
}

/** The last line of a prompt in the words of its author, after what was pasted. */
const isReaction = (line: string, after: readonly string[]): boolean =>
  after.every((other) => other.trim() === '') && formality(line) < 0.5 && !isPasted(line)

/** How much a line looks like a document and not like typing, 0 to 1: complete sentences, nobody speaks, marked up. */
function formality(line: string): number {
  const text = line.trim()
  let points = 0
  if (/\*\*[^*]+\*\*|__[^_]+__|\[[^\]]+\]\([^)]+\)/.test(text)) points += 0.5
  if (/^[A-Z`"'*]/.test(text) && /[.:`]$/.test(text)) points += 0.25
  if (!/\b(?:i|i'm|i'd|we|you|my|our|let's|please|me)\b/i.test(text) && /[a-z]/i.test(text)) points += 0.2
  if ((text.match(/`[^`]+`/g)?.length ?? 0) >= 2) points += 0.15
  if (/[—–→✅❌⚠]/u.test(text)) points += 0.25
  if (text.length > 240) points += 0.15
  return Math.min(1, points)
}

// Not after e.g., i.e., etc., vs. and initials, nor inside Japanese quotation marks.
const SENTENCE_END = pattern(
  String.raw`(?<!\b(?:e\.g|i\.e|etc|vs|cf|approx|z\.B|bzw|Mrs?|Dr|St|[A-Z])\.)(?<=[.!?…])\s+(?=\S)|
    (?<=[.!?]["')])\s+(?=[A-Z])|(?<=[。！？])(?![」』）。！？])|;\s+`,
)

/** Within a sentence: before a request, a question or a suggestion that follows a statement, and at a dash. */
const CLAUSE_END = pattern(
  String.raw`(?:,|\s-+|\.{2,}|\)|\s[–—])\s+(?=(?:and |so |but |then |maybe |or )*(?:can|could|would|will|what|why|
    how|is|are|do|does|let's|lets|any|maybe|kannst|peux|puedes)\b(?! (?:it|they|we|that|this|
    there)\b ?[?]))|(?<=\.{2,}|…)\s*(?=\S)|\s[-–—]+\s+(?=\S)|\s(?=(?:but|though|however) )`,
  'gi',
)

/** A condition or a reason that the next part belongs to. */
const SUBORDINATE =
  /^(?:(?:and|but|so|now|also|then)[,: ]+)*(?:if|when|since|because|unless|once|wenn|si|cuando|quand)\b[^,]*$/i

const splitLine = (line: string): { text: string; sentence: string }[] =>
  line.split(SENTENCE_END).flatMap((part) => {
    const sentence = part.trim()
    const clauses: string[] = []
    let from = 0
    for (const { index, 0: gap } of sentence.matchAll(CLAUSE_END)) {
      const clause = sentence.slice(from, index)
      if (SUBORDINATE.test(clause)) continue
      clauses.push(clause)
      from = index + gap.length
    }
    clauses.push(sentence.slice(from))
    return clauses.map((text) => ({ text: text.trim(), sentence })).filter(({ text }) => /[\p{L}\p{N}]/u.test(text))
  })

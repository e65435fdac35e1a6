// The question that a clause answers: of a numbered list the one with the same number, else the last one.
import { pattern } from '../pattern.ts'
import type { TypedSentence } from './typedText.ts'

/** A reply that names the option of a list: "2 and …", "option 2, …", "B) …". */
const CHOSEN = pattern(
  String.raw`^(?:(?:ok|okay|yes|let's (?:go with|do|try)|go with|i'd go with|案|選択肢|方案|opci[oó]n|
    variante?)[,. ]*)*(?:option |#)?\(?(?<marker>\d{1,2}|[a-e])\)?(?=[\s.,:)、。でに]|$)`,
  'i',
)

/** Undefined if the clause stands alone or the answer asked nothing. */
export function findQuestion(answer: string, sentence: TypedSentence | undefined, clause: string): string | undefined {
  const marker = sentence?.marker ?? CHOSEN.exec(clause)?.groups?.['marker']
  if (marker !== undefined) {
    const item = findItem(answer, marker)
    if (item !== undefined) return item
  }
  const isShort = clause.length < 60
  const questions = answer.slice(-1_200).match(/[^.?!\n。？！]{8,200}[?？]/g)
  return isShort && /[?？]\s*[*_)]*\s*$/.test(answer.trimEnd())
    ? clean(questions?.at(-1) ?? '') || undefined
    : undefined
}

/** The text of the last list item with this number or letter. */
function findItem(answer: string, marker: string): string | undefined {
  const items = [
    ...answer.matchAll(/^\s*(?:[-*]\s+)?(?:\*\*)?(?:option |案)?\(?(\d{1,2}|[a-eA-E])[.):](?:\*\*)?\s+(.+)$/gim),
  ]
  const item = items.findLast(([, number]) => number?.toLowerCase() === marker.toLowerCase())
  return item?.[2] === undefined ? undefined : clean(item[2])
}

const clean = (text: string): string =>
  text
    .replace(/[*_`#]+/g, '')
    .replace(/\s+/g, ' ')
    .trim()

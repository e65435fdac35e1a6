// What the client shows to the person beside the notes that the model gets. It never shows it to the model, and never
// sends it to the API. Measured with clients 2.1.197 and 2.1.329: docs/visible.md.
import type { RecallMoment } from '../../model/recallQuery.ts'
import { estimateTokens } from '../../text/excerpt.ts'
import { clipColumns } from '../../text/sanitizeText.ts'
import { readShowChoice } from '../open/hookConfig.ts'
import type { Store } from '../open/openStore.ts'

const LINE_COLUMNS = 100

interface InjectedText {
  readonly text: string
  readonly notes: number
  readonly obedience?: string | undefined
}

/**
 * The message about an injected text, as far as the person wants one; undefined for none. A call is
 * shown only by `full`: a line at every call would be more than the notes are worth.
 */
export function buildPersonMessage(
  store: Store,
  moment: RecallMoment | 'compact',
  { text, notes, obedience = '' }: InjectedText,
): string | undefined {
  // The client shows no message of a hook for subagents.
  if (text === '' || moment === 'agent') return undefined
  const show = readShowChoice(store)
  if (show === 'off' || (show === 'brief' && moment === 'call')) return undefined
  const what = moment === 'compact' ? 'work before the compaction' : `${notes} note${notes === 1 ? '' : 's'}`
  const rules = obedience === '' ? '' : `; your rules: ${obedience}`
  const head = `memctl: ${what}, ${estimateTokens(text)} tokens${rules}`
  return show === 'brief' ? head : [head, ...listNotes(text)].join('\n')
}

const listNotes = (text: string): string[] =>
  text.split('\n').flatMap((line) => (line.startsWith('- ') ? [clipColumns(line, LINE_COLUMNS)] : []))

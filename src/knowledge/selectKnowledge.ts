// Which entries are shown: at a start what a person wants and what is expected to save most; elsewhere what a trigger
// matches. Pure.
import { EDIT_TOOLS } from '../model/event.ts'
import type { KnowledgeNote } from '../model/knowledge.ts'
import { sanitizeInline } from '../text/sanitizeText.ts'
import { teamText } from '../text/teamText.ts'
import { estimateTokens } from '../text/tokenCount.ts'
import { fires, type Occasion } from './when.ts'

/** How much of it is shown. */
export interface SelectionNumbers {
  /** Length of all entries at the start of a session or subagent, in tokens; 0 shows none. */
  readonly startTokens: number
  /** Of these for what a person wants, at most; what they do not need is left for the rest. */
  readonly personTokens: number
  /** The least worth at a start, in calls that it is expected to save in one session. */
  readonly startWorthMin: number
  /** Entries at most beside a call, a failure or a prompt. */
  readonly noteMax: number
}

/** The entries for the start of a conversation on this branch, in the order of the file. */
export function selectForStart(
  notes: readonly KnowledgeNote[],
  branch: string | undefined,
  { startTokens, personTokens, startWorthMin }: SelectionNumbers,
): KnowledgeNote[] {
  const selected: KnowledgeNote[] = []
  let tokens = 0
  for (const note of notes) {
    if (note.branch !== undefined && note.branch !== branch) continue
    const isPersonal = note.voice !== 'known'
    if (note.worth <= 0 || (!isPersonal && note.worth < startWorthMin)) continue
    const cost = estimateTokens(renderKnowledge(note)) + 1
    if (tokens + cost > (isPersonal ? personTokens : startTokens)) continue
    selected.push(note)
    tokens += cost
  }
  return selected
}

/** The entries with a trigger that fires, in the order of the file; `noteMax` at most. */
export function matchKnowledge(
  notes: readonly KnowledgeNote[],
  occasion: Occasion,
  isShown: (note: KnowledgeNote) => boolean,
  { noteMax }: Pick<SelectionNumbers, 'noteMax'>,
): KnowledgeNote[] {
  const matching: KnowledgeNote[] = []
  // Beside a command it is a rule that the call breaks.
  const isLimited = ({ voice }: KnowledgeNote): boolean =>
    voice === 'wanted' && (occasion.at === 'prompt' || EDIT_TOOLS.has(occasion.tool ?? ''))
  let left: number | undefined
  for (const note of notes) {
    if (matching.length === noteMax) break
    if (!fires(note.when, occasion) || isShown(note)) continue
    if (isLimited(note)) {
      left ??= UNDERSTOOD_MAX - notes.filter((each) => each.voice === 'wanted' && isShown(each)).length
      if (left-- <= 0) continue
    }
    matching.push(note)
  }
  return matching
}

/** Of what a model understood of a person's wishes, so many in one conversation: a long one would be full of them. */
const UNDERSTOOD_MAX = 10

/** One line: `- Run X before Y (3 sessions)`; what a person said has its day. What was met once has no mark. */
export function renderKnowledge({ line, met, lastMet, voice, team }: KnowledgeNote): string {
  const sessions = met > 1 ? `${met} sessions` : ''
  const evidence = voice === 'known' ? sessions : voice === 'wanted' ? '' : lastMet.slice(0, 10)
  const mark = evidence + sanitizeInline(teamText({ team, isSaid: voice !== 'known' }, evidence && '; '))
  return mark === '' ? `- ${line}` : `- ${line} (${mark})`
}

// Which entries are shown: at a start what a person wants and what is expected to save most; elsewhere what a trigger
// matches. Pure.
import { EDIT_TOOLS } from '../model/event.ts'
import type { KnowledgeNote } from '../model/knowledge.ts'
import { estimateTokens } from '../text/excerpt.ts'
import { sanitizeInline, teamText } from '../text/sanitizeText.ts'
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

/**
 * The entries that the two sessions nearest to a task have met, for a prompt: what is expected to save most first.
 * `related` are hashes of the sessions with related work, the nearest first.
 */
export function selectForTask(
  notes: readonly KnowledgeNote[],
  related: readonly number[],
  isShown: (note: KnowledgeNote) => boolean,
  { noteMax }: Pick<SelectionNumbers, 'noteMax'>,
): KnowledgeNote[] {
  const own = notes.filter(({ voice, branch }) => voice === 'known' && branch === undefined)
  const left = TASK_TOTAL_MAX - own.filter(isShown).length
  const scored = own.flatMap((note) => {
    const isMet = (session: number): boolean => note.metIn?.includes(session) ?? false
    const nearness = related.slice(0, NEAREST_MAX).reduce((sum, each, i) => sum + (isMet(each) ? 1 / (1 + i) : 0), 0)
    return nearness === 0 || isShown(note) ? [] : [{ note, score: nearness * (WORTH_BASE + note.worth) }]
  })
  scored.sort((a, b) => b.score - a.score)
  return scored.slice(0, Math.max(0, Math.min(noteMax, left))).map(({ note }) => note)
}

/** Sessions that count as near. The second one counts half. */
const NEAREST_MAX = 2
/** Added to the worth at a start: among near sessions, nearness decides more. */
const WORTH_BASE = 0.4
/** Entries that were learned, in one conversation: its start and later notes together. Prompts add no more then. */
const TASK_TOTAL_MAX = 12

/** Of what a model understood of a person's wishes, so many in one conversation: a long one would be full of them. */
const UNDERSTOOD_MAX = 10

/** One line: `- Run X before Y (3 sessions)`; what a person said has its day. What was met once has no mark. */
export function renderKnowledge({ line, met, lastMet, voice, team }: KnowledgeNote): string {
  const sessions = met > 1 ? `${met} sessions` : ''
  const evidence = voice === 'known' ? sessions : voice === 'wanted' ? '' : lastMet.slice(0, 10)
  const mark = evidence + sanitizeInline(teamText({ team, isSaid: voice !== 'known' }, evidence && '; '))
  return mark === '' ? `- ${line}` : `- ${line} (${mark})`
}
